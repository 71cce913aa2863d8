import { contentsOf } from "../run/redirect.ts";
import { type Field, field, literal } from "../value.ts";
import { file, isStandardInput, language, standardInput, wrapped } from "./effects.ts";
import { flagValue, flagValues, hasFlag, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** `vim -s file`: what the file holds is typed. In ex mode `-s` only means to be silent. */
function typedFrom(job: Job): void {
  const at = job.argv.findIndex(f => f.text === "-s");
  const named = at > 0 && job.inv.program !== "ex" && !hasFlag(job, "-e", "-E") ? job.argv[at + 1] : undefined;
  const held = named && contentsOf(job.m, named);
  if (held?.known) language(job, "ex", { ...named!, text: held.text }, "-s");
}

/** `vim +'!cmd'`. */
function typed(job: Job, f: Field): void {
  job.inv.flags.push({ name: f.text });
  if (/^\+\D/.test(f.text)) language(job, "ex", { ...f, text: f.text.slice(1) }, "+");
}

const inserts = /^[\d,$.%]*[aic](?:ppend|nsert|hange)?!?(?:\|(.*))?$/;
const writes = /^[\d,$.%]*(?:w(?:rite)?q?|x)!?(?:\s+([^\s!]\S*))?$/;
const calls = /\bwritefile\(\[['"]/;
const into = /['"]\]\s*,\s*(?:'([^']*)'|"([^"]*)")/;

/** What an editor leaves in a file when it is fed `a`, lines, `.` and `w name`, or is told to by `writefile()`. */
function written(job: Job, text: string, own: Field | undefined): void {
  const leave = (name: Field, lines: readonly string[]) =>
    job.m.files.set(file(job, name, "write"), literal(`${lines.join("\n")}\n`));
  const lines: string[] = [];
  let typing = false;
  for (const line of text.split("\n")) {
    const [whole, told] = (typing ? undefined : inserts.exec(line.trim())) ?? [];
    const [writing, named] = (typing ? undefined : writes.exec(line.trim())) ?? [];
    const name = named === undefined ? own : field(literal(named), job.inv.span!);
    if (typing && line === ".") typing = false;
    else if (typing || told !== undefined) lines.push(told ?? line);
    else if (whole !== undefined) typing = true;
    else if (writing !== undefined && lines.length > 0 && name) leave(name, lines);
    else if (writing !== undefined && named !== undefined) file(job, name!, "write");
    const called = calls.exec(line);
    const given = called ? line.slice(called.index + called[0].length) : "";
    const to = into.exec(given);
    if (to) leave(field(literal(to[1] ?? to[2]!), job.inv.span!), [given.slice(0, to.index)]);
  }
}

/** `gdb -ex 'run -rf x' /bin/rm`, `-ex 'set args …'`: the words of the program that is looked into. */
const programWords =
  /^\s*(?:r|run|start|starti|set\s+args|process\s+launch|settings\s+set\s+target\.run-args)\s+(?:--\s+)?(\S.*)$/s;

function debugged(job: Job): void {
  const [program] = job.operands;
  if (!program) return;
  for (const f of flagValues(job, "-ex", "-eval-command", "-o", "-one-line")) {
    const words = programWords.exec(f.text)?.[1];
    if (words !== undefined) language(job, "shell", { ...f, text: `${program.text} ${words}` }, "run");
  }
}

/** Options that tell a debugger nothing to do: it waits for what is typed. */
const quiet = /^--?(?:q|quiet|silent|nx|n|nh|tui|args)$/;

/** Editors, pagers and multiplexers: what is typed there later reaches no check; commands given as flags do. */
export const editors: Table = {
  "vi vim nvim view vimdiff rvim rview vim.basic vim.tiny gvim ex": {
    valued: "-c --cmd -S -u -i -l -t -T -w -W --remote-send --remote-expr --servername",
    runs: {
      "-c": "ex",
      "--cmd": "ex",
      "-S": "@ex",
      "-u": "@ex",
      "-l": "@lua",
      "--remote-send": "ex",
      "--remote-expr": "ex",
    },
    files: { "-S": "execute", "-u": "execute", "-w": "write", "-W": "write" },
    spawner: true,
    run: job => {
      for (const f of job.operands) if (f.text.startsWith("+")) typed(job, f);
      typedFrom(job);
      const script = flagValue(job, "-l");
      if (script && isStandardInput(script.text)) standardInput(job, "lua");
      if (job.io.input?.val.known && (job.inv.program === "ex" || hasFlag(job, "-e", "-s"))) standardInput(job, "ex");
      const own = job.operands.filter(f => !f.text.startsWith("+"));
      const looks = job.inv.program === "view" || job.inv.program === "rview";
      for (const f of own) file(job, f, looks ? "read" : "write");
      const told = [...flagValues(job, "-c", "--cmd"), ...job.operands.filter(f => f.text.startsWith("+"))];
      const texts = told.map(f => f.text.replace(/^\+/, ""));
      if (job.io.input?.val.known) texts.push(job.io.input.val.text);
      if (texts.length > 0) written(job, texts.join("\n"), own[0]);
      if (job.io.input === undefined && job.operands.length === 0 && job.inv.flags.length === 0)
        job.inv.interactive = true;
      return undefined;
    },
    session: true,
  },
  "emacs emacsclient": {
    single: true,
    valued: "-x -e -eval -execute --eval --execute -l -load -f --load --funcall -script",
    runs: {
      "-script": "@lisp",
      "-x": "@lisp",
      "-l": "@lisp",
      "-load": "@lisp",
      "--load": "@lisp",
      "-eval": "lisp",
      "-execute": "lisp",
      "-e": "lisp",
      "--eval": "lisp",
      "--execute": "lisp",
    },
    spawner: true,
  },
  kak: { valued: "-e -E -s -c -p -n", runs: { "-e": "ex", "-E": "ex" }, operands: "write", spawner: true },
  "nano pico joe micro mcedit jed helix hx ne": {
    valued: "-s -r -T --speller",
    runs: { "-s": "exec", "--speller": "exec" },
    operands: "write",
    spawner: true,
  },
  "ed red": {
    valued: "-p",
    operands: "write",
    repl: "ex",
    run: job => {
      if (job.io.input?.val.known) written(job, job.io.input.val.text, job.operands[0]);
      if (job.io.input && job.operands.length > 0) standardInput(job, "ex");
      for (const f of job.operands) if (f.text.startsWith("!")) language(job, "ex", f, "!");
      return undefined;
    },
  },
  "man info pinfo apropos": {
    valued: "-P -H -C -M --pager --html",
    runs: { "-P": "exec", "--pager": "exec", "-H": "exec", "--html": "exec" },
    spawner: true,
  },
  "gdb lldb": {
    single: true,
    valued:
      "-ex -eval-command -x -p -iex -init-eval-command -o -O -one-line -one-line-before-file -s -S -source --pid -pid -command",
    runs: {
      "-ex": "ex",
      "-eval-command": "ex",
      "-iex": "ex",
      "-init-eval-command": "ex",
      "-o": "ex",
      "-O": "ex",
      "-one-line": "ex",
      "-one-line-before-file": "ex",
      "-x": "@ex",
      "-command": "@ex",
    },
    files: { "-x": "execute", "-s": "execute", "-source": "execute" },
    repl: "ex",
    run: job => {
      debugged(job);
      const at = job.argv.findIndex(f => f.text === "--args" || f.text === "--");
      if (!job.io.input && job.inv.flags.every(f => quiet.test(f.name))) job.inv.interactive = true;
      return at > 0 && at + 1 < job.argv.length ? wrapped(job, job.argv.slice(at + 1)) : undefined;
    },
  },
};
