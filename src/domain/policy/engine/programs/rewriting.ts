/** Programs that pick lines out of text or rewrite it: grep, sed, awk, jq. */
import { runCode } from "../unwrap/text.ts";
import { NETWORK, SECRET } from "../taint.ts";
import { bareText, EMPTY, type Field, literal, type Val } from "../value.ts";
import { filtered } from "./filtering.ts";
import { file, inputText, outputOf } from "./effects.ts";
import { below } from "./listings.ts";
import { picked, unlisted } from "./processes.ts";
import { flagValue, flagValues, type Handler, hasFlag, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** Lines that are looked for because a credential stands in them. */
const secretWords = /passw(or)?d|secret|api_?-?key|access_?-?key|AKIA|PRIVATE KEY|credential/i;

const grep: Handler = job => {
  const own = hasFlag(job, "-e", "-f", "--regexp", "--file") ? job.operands : job.operands.slice(1);
  for (const f of own) file(job, f, "read", hasFlag(job, "-r", "-R", "--recursive"));
  if (hasFlag(job, "-q", "--quiet", "--silent", "-c", "--count")) return literal("");
  const pattern = flagValue(job, "-e", "--regexp") ?? job.operands[0];
  job.operands = own;
  const printed =
    picked(job.io.input?.val, pattern) ??
    allBut(job, own) ??
    namesIn(job, pattern, own) ??
    linesOf(job, own) ??
    outputOf(job, own);
  return secretWords.test(pattern?.text ?? "") ? { ...printed, taint: printed.taint | SECRET } : printed;
};

/** `grep -rl '' dir`, `rg --files dir`: the names of all files there are. */
function namesIn(job: Job, pattern: Field | undefined, own: readonly Field[]): Val | undefined {
  if (hasFlag(job, "--files"))
    return below(pattern && !own.includes(pattern as Field) ? [pattern as Field, ...own] : own);
  const all = hasFlag(job, "-l", "--files-with-matches") && /^(\.|\^|\.\*|\$)?$/.test(pattern?.text ?? "x");
  return all && hasFlag(job, "-r", "-R", "--recursive", "-Z") ? below(own) : undefined;
}

/** `find / | grep -v x`: what stands for all names still does. */
function allBut(job: Job, own: readonly Field[]): Val | undefined {
  if (!hasFlag(job, "-v", "--invert-match")) return undefined;
  const input = inputText(job, own);
  return !input.known && bareText(input).trim() !== "" ? input : undefined;
}

/** Lines picked out of text that this very command made. */
function linesOf(job: Job, own: readonly Field[]): Val | undefined {
  const input = inputText(job, own);
  const told = input.known && input !== EMPTY ? filtered(job, "grep", input, 0) : undefined;
  return told?.known ? told : undefined;
}

/** The line that `1i text`, `$a text` or `2c text` puts into a file. */
const inserted = (words: readonly string[]): string | undefined =>
  words.map(w => /^(?:\d+|\$|\/[^/]*\/)?\s*[aic]\\?\s*\n?(.+)$/s.exec(w)?.[1]).find(text => text?.includes(" "));

const sed: Handler = job => {
  const own = job.operands;
  const inPlace = hasFlag(job, "-i", "--in-place") || job.inv.flags.some(f => /^-i/.test(f.name));
  const paths = own.map(f => file(job, f, inPlace ? "write" : "read"));
  const printed = filtered(job, "sed", inputText(job, own), 0);
  if (!inPlace) return printed;
  const added = inserted(job.argv.map(f => f.text));
  for (const path of paths)
    if (printed.known || added !== undefined) job.m.files.set(path, printed.known ? printed : literal(added!));
  return EMPTY;
};

/** `jq script file…`: the files, or what it reads, in another form. */
const query: Handler = job => {
  const read = job.operands.slice(1);
  for (const f of read) file(job, f, "read");
  // `--rawfile name file`: two words behind the option.
  for (const [i, { text }] of job.argv.entries())
    if (/^--(?:rawfile|slurpfile)$/.test(text) && job.argv[i + 2]) file(job, job.argv[i + 2]!, "read");
  const input = hasFlag(job, "-n", "--null-input") ? EMPTY : inputText(job, read);
  const told = filtered(job, "jq", input, 0);
  return told.known ? told : outputOf(job, read);
};

/** A program that leaves no line out. */
const everyLine = /^\s*(?:NR\s*>=?\s*\d+\s*)?\{\s*print[^/=~]*\}\s*$/;

const awk: Handler = job => {
  const script = flagValue(job, "-f", "--file");
  const held = script && inputText(job, [script]);
  if (held?.known) runCode(job.m, "awk", held, "awk -f", job.io);
  else if (held) job.m.flow(job.of, { ...held, taint: held.taint & NETWORK }, "interpreter");
  const inPlace = flagValues(job, "-i", "--include").some(f => f.text === "inplace");
  for (const f of job.operands) if (!/^\w+=/.test(f.text)) file(job, f, inPlace ? "write" : "read");
  const printed = filtered(job, "awk", inputText(job), 0);
  return everyLine.test(job.argv.find((f, i) => i > 0 && f.text.includes("{"))?.text ?? "")
    ? printed
    : unlisted(printed);
};

export const rewriting: Table = {
  "grep egrep fgrep rg ag ack zgrep pcregrep ugrep": {
    valued:
      "-e -f -m -A -B -C -d -D --regexp --file --max-count --include --exclude --exclude-dir --color -g -t -T --glob --type --pre --context",
    runs: { "--pre": "exec" },
    run: grep,
  },
  "sed gsed": {
    valued: "-e -f -l --expression --file --line-length",
    runs: { "-e": "sed", "--expression": "sed", "-f": "@sed", "--file": "@sed" },
    code: "sed",
    run: sed,
  },
  "awk gawk mawk nawk": {
    valued: "-F -v -f -i -l -e --file --assign --field-separator --include --load --source",
    files: { "-f": "read" },
    runs: { "-e": "awk", "--source": "awk" },
    code: "awk",
    run: awk,
  },
  "jq yq": { valued: "--arg --argjson --slurpfile --rawfile --indent -L", run: query },
};
