import { part } from "./args.ts";
import { contentsOf } from "../run/redirect.ts";
import { filled } from "../run/trees.ts";
import { DECODED, UNKNOWN } from "../taint.ts";
import { type Field, unknown, type Val } from "../value.ts";
import { file, inputText, outputOf } from "./effects.ts";
import { flagValue, type Handler, hasFlag, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** What an archive brings lies in `to`, or in the working directory. */
function unpacked(job: Job, archive: Field | undefined, to: Field | undefined): void {
  const { m } = job;
  const from = archive && archive.text !== "-" ? contentsOf(m, archive) : job.io.input?.val;
  if (from) filled(m, to ? m.place(to.text) : m.here, from);
}

const listed = (f: Field): Field => (f.text.startsWith("@") ? part(f, 1) : f);

/** `7z x a.7z -odir` */
function into(job: Job): Field | undefined {
  const word = /^7z/.test(job.inv.program) ? job.argv.find(f => /^-o./.test(f.text)) : undefined;
  return word && { ...word, text: word.text.slice(2) };
}

/** A file of an archive, printed: known to nobody, and hidden like any encoding when it is run. */
function printedFrom(job: Job, archive: Field | undefined): Val {
  const { taint, origin } = archive && archive.text !== "-" ? inputText(job, [archive]) : inputText(job, []);
  return unknown(taint | DECODED | UNKNOWN, origin);
}

/** `tar czf a.tgz dir`, `tar -xf a.tgz -C dir`: the first operand may hold the options without a dash. */
const tar: Handler = job => {
  const first = job.operands[0];
  const bundled = first && job.argv[1] === first && /^[A-Za-z]+$/.test(first.text) ? first.text : undefined;
  const rest = bundled === undefined ? job.operands : job.operands.slice(1);
  const archive = flagValue(job, "-f", "--file") ?? (bundled?.includes("f") ? rest.shift() : undefined);
  const letters = bundled ?? job.inv.flags.map(({ name }) => (name.length === 2 ? name[1] : "")).join("");
  if (/[cru]/.test(letters) || hasFlag(job, "--create", "--append", "--update")) return packed(job, archive, rest);
  if (archive && archive.text !== "-") file(job, archive, "read");
  const to = flagValue(job, "-C", "--directory");
  if (to) file(job, to, "write", true);
  unpacked(job, archive, to);
  return hasFlag(job, "-O", "--to-stdout") || bundled?.includes("O") ? printedFrom(job, archive) : undefined;
};

/** The archive holds what the files named held. */
function packed(job: Job, archive: Field | undefined, names: readonly Field[]): Val {
  const written = archive && archive.text !== "-" ? file(job, archive, "write") : undefined;
  const from = flagValue(job, "-C", "--directory");
  const files = names.map(f => (from && !f.text.startsWith("/") ? below(from, f) : f));
  for (const f of files) file(job, f, "read", true);
  if (hasFlag(job, "--remove-files")) for (const f of files) file(job, f, "delete", true);
  const read = outputOf(job, names);
  if (written !== undefined) job.m.files.set(job.m.place(archive!.text), read);
  return read;
}

/** `-C dir name`: names stand below that folder. */
const below = (to: Field, f: Field): Field => ({
  ...f,
  text: `${to.text.replace(/\/$/, "")}/${f.text}`,
  known: f.known && to.known,
});

/** What was packed: known to nobody, and hidden like any encoding when it is run. */
const plain: Handler = job => {
  const { taint, origin } = inputText(job);
  return unknown(taint | DECODED | UNKNOWN, origin);
};

/** Packers of files and of folders. */
export const archives: Table = {
  "gunzip gzip bunzip2 bzip2 unxz xz unzstd zstd lz4 unlz4 brotli lzma unlzma pigz uncompress": {
    valued: "-S -T -b -o",
    operands: "write",
    run: job => {
      const input = inputText(job);
      const decodes = /^(gun|bun|un)/.test(job.inv.program) || hasFlag(job, "-d", "--decompress", "--uncompress");
      const prints = job.operands.length === 0 || hasFlag(job, "-c", "--stdout", "--to-stdout");
      return unknown(UNKNOWN | input.taint | (decodes && prints ? DECODED : 0), input.origin);
    },
  },
  "zcat gzcat bzcat xzcat zstdcat lzcat lz4cat": { valued: "", operands: "read", run: plain },
  "tar gtar bsdtar": {
    valued:
      "-f -C -I -F -T -X -b -g -H -K -L -N -V --file --directory --use-compress-program --info-script --new-volume-script --checkpoint-action --to-command --rsh-command --rmt-command --exclude --files-from --transform --strip-components --owner --group --mode",
    runs: {
      "-I": "exec",
      "--use-compress-program": "exec",
      "--checkpoint-action": "checkpoint",
      "--to-command": "shell",
      "--rsh-command": "exec",
      "--rmt-command": "exec",
      "-F": "exec",
      "--info-script": "exec",
      "--new-volume-script": "exec",
    },
    run: tar,
  },
  "zip unzip 7z 7za 7zr rar unrar cpio ar ranlib": {
    valued: "-d -P -x -b -TT --unzip-command --rsh-command -F -O -I",
    runs: { "-TT": "exec", "--unzip-command": "exec", "--rsh-command": "exec" },
    spawner: true,
    run: job => {
      const [archive] = /^7z|rar$/.test(job.inv.program) ? job.operands.slice(1) : job.operands;
      if (/^(unzip|unrar|7z|cpio)/.test(job.inv.program)) {
        const to = flagValue(job, "-d") ?? into(job);
        if (to) file(job, to, "write", true);
        unpacked(job, archive, to);
      }
      if (/^unzip/.test(job.inv.program) && hasFlag(job, "-p", "-c")) return printedFrom(job, archive);
      if (!/^(zip|7z|7za|rar)$/.test(job.inv.program) || !archive) return undefined;
      // 7z: `-an` leaves the archive out, `@list` names a file of names.
      const unnamed = job.argv.some(f => f.text === "-an");
      const inside = job.operands.slice(job.operands.indexOf(archive) + (unnamed ? 0 : 1)).map(listed);
      for (const f of inside) file(job, f, "read", true);
      const packed = outputOf(job, inside);
      if (archive.text === "-") return packed;
      job.m.files.set(job.m.place(archive.text), packed);
      return undefined;
    },
  },
};
