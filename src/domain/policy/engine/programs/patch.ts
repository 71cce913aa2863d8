/** Programs that apply patches. */
import { contentsOf } from "../run/redirect.ts";
import { type Change, diffed, isSound, patched } from "../unwrap/patch.ts";
import { type Field, field, literal } from "../value.ts";
import { file } from "./effects.ts";
import { flagValue, type Handler, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** The files a patch writes and deletes; the lines it adds are what a file run afterwards holds. */
function change(job: Job, changes: readonly Change[], into?: Field): void {
  for (const { does, path, added } of changes) {
    const named = into === undefined || /^[/~]/.test(path) ? path : `${into.text.replace(/\/$/, "")}/${path}`;
    const place = file(job, field(literal(named), job.inv.span!), does);
    if (added !== "") job.m.files.set(place, literal(added));
  }
}

/** `patch < diff`, `git apply diff`. */
export const applyPatch: Handler = job => {
  const { m, io } = job;
  const given = flagValue(job, "-i", "--input") ?? job.operands.at(-1);
  // git keeps to its working tree unless it is told another place.
  const into = flagValue(job, "--directory");
  if (into && job.inv.program === "git" && /^[/~]|\.\./.test(into.text)) file(job, into, "write", true);
  const diff = io.input?.val ?? (given && contentsOf(m, given));
  if (diff?.known) change(job, diffed(diff.text), flagValue(job, "-d", "--directory"));
  return undefined;
};

/** `patch file diff`: whatever the diff names, that file is changed. */
const ofFile: Handler = job => {
  if (job.operands[0]) file(job, job.operands[0], "write");
  return applyPatch(job);
};

/** Codex: `apply_patch <<'EOF'`, `apply_patch '*** Begin Patch …'`. */
const enveloped: Handler = job => {
  const text = job.operands[0] ?? job.io.input?.val;
  if (text === undefined) return undefined;
  if (!text.known || !isSound(text.text))
    job.m.gap("parse_error", "a patch that cannot be read to its end", job.inv.span);
  change(job, patched(text.text));
  return undefined;
};

export const patch: Table = {
  patch: {
    valued: "-p -i -d -o -r -B -D -F -V -Y -z --strip --input --directory --output --reject-file",
    files: { "-o": "write", "--output": "write", "-r": "write", "--reject-file": "write" },
    run: ofFile,
  },
  "apply_patch applypatch": { valued: "", run: enveloped },
};
