/** Traps: files that start a shell when a program reads them, and code that was written before it is run. */
import { runCode } from "./text.ts";
import type { Job } from "../programs/row.ts";
import type { Machine } from "../run/machine.ts";
import { field, type Val } from "../value.ts";

/** A shell by its path, alone or inside `flag=…`, `!…`, `exec:…`, `execute(…)`. */
const shellPath = /(?:^|[=\s:`|;,"'({[]|(?<!#)!)(?:\/usr)?\/bin\/(?:ba|da|z|k|a|c|tc|fi)?sh(?![\w./-])/;

/** An interactive shell wired to a terminal or to inherited descriptors, as it stands in files made to be run by others. */
const session =
  /\/bin\/(?:ba|da|z|k)?sh\b[^\n]{0,24}?(?:\d?[<>]&\s?\d|[<>]\s*(?:\/dev\/tty|\$\(tty\)|\ufffc))|(?::\s*"|\(\s*"?|COMMAND\s+)\/bin\/(?:ba|da|z|k)?sh(?: -p)?\s*[")][})\s;.]*$|\bexec \/bin\/(?:ba|da|z|k)?sh(?: -p)?\s*(?:\d?[<>]|$)|["';(\s]\/bin\/(?:ba|da)?sh\s*;\s*(?:false|exit)/m;

/** Programs that only make or place files: writing a trap is not yet springing it. */
const placing = new Set(
  "echo printf cat tee chmod chown mkdir touch cp mv ln ls cd rm install export set git".split(" "),
);

const extensions = new Map(
  Object.entries({
    go: "go",
    v: "go",
    cr: "crystal",
    dart: "dart",
    java: "java",
    kt: "kotlin",
    swift: "swift",
    rs: "go",
    nim: "nim",
    py: "python",
    js: "node",
    mjs: "node",
    ts: "node",
    rb: "ruby",
    pl: "perl",
    php: "php",
    lua: "lua",
    hs: "haskell",
    ex: "elixir",
    exs: "elixir",
    tcl: "tcl",
    c: "c",
    cc: "c",
    cpp: "c",
  }),
);

const looksPlanted = (text: string): boolean => text.includes("sh") && session.test(text);

/** Notes a file whose contents start an interactive shell: the next program that runs may read it. */
export function plant(m: Machine, held: Val): void {
  if (!m.planted && looksPlanted(held.text)) m.planted = true;
}

/** A program the table says little about is handed a shell, or runs after a trap was laid. */
export function spring(job: Job, code: boolean): void {
  const { m } = job;
  const name = job.inv.program;
  if (m.planted && !placing.has(name)) {
    m.planted = false;
    shellStarted(job);
    return;
  }
  if (m.files.size > 0) writtenCode(job);
  if (code || placing.has(name)) return;
  for (let i = 1; i < job.argv.length; i++) {
    const { text } = job.argv[i]!;
    if (text.length < 7 || !text.includes("sh") || !shellPath.test(text)) continue;
    if (text.startsWith("--entrypoint") || job.argv[i - 1]!.text === "--entrypoint") continue;
    shellStarted(job);
    return;
  }
}

function shellStarted(job: Job): void {
  job.m.facts.push({ kind: "flow", of: job.of, from: "shell", to: "executed" });
}

/** Source code written by this very command and then handed to a compiler or runner: `go run x.go`. */
function writtenCode(job: Job): void {
  const { m } = job;
  for (const f of job.operands) {
    const language = extensions.get(f.text.slice(f.text.lastIndexOf(".") + 1));
    const held = language === undefined ? undefined : m.files.get(m.place(f.text));
    if (held?.known) runCode(m, language!, field(held, f.span), `${job.inv.program} ${f.text}`, job.io);
  }
}
