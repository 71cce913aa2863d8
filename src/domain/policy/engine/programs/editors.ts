import type { Field } from "../value.ts";
import { file, language, standardInput, wrapped } from "./effects.ts";
import { flagValue, hasFlag, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** `vim +'!cmd'`. */
function typed(job: Job, f: Field): void {
  job.inv.flags.push({ name: f.text });
  if (/^\+\D/.test(f.text)) language(job, "ex", { ...f, text: f.text.slice(1) }, "+");
}

/** Editors, pagers and multiplexers: what is typed there later reaches no check; commands given as flags do. */
export const editors: Table = {
  "vi vim nvim view vimdiff rvim rview vim.basic vim.tiny gvim ex": {
    valued: "-c --cmd -S -u -i -l -t -T -w -W",
    runs: { "-c": "ex", "--cmd": "ex" },
    files: { "-S": "execute", "-u": "execute" },
    spawner: true,
    run: job => {
      for (const f of job.operands) if (f.text.startsWith("+")) typed(job, f);
      const script = flagValue(job, "-l");
      if (script?.text === "/dev/stdin" || script?.text === "-") standardInput(job, "lua");
      if (job.io.input?.val.known && (job.inv.program === "ex" || hasFlag(job, "-e", "-s"))) standardInput(job, "ex");
      for (const f of job.operands) if (!f.text.startsWith("+")) file(job, f, "write");
      if (job.io.input === undefined && job.operands.length === 0 && job.inv.flags.length === 0)
        job.inv.interactive = true;
      return undefined;
    },
    session: true,
  },
  "emacs emacsclient": {
    single: true,
    valued: "-e -eval -execute --eval --execute -l -f --load --funcall",
    runs: { "-eval": "lisp", "-execute": "lisp", "-e": "lisp", "--eval": "lisp", "--execute": "lisp" },
    spawner: true,
  },
  "nano pico joe micro mcedit jed kak helix hx ne": {
    valued: "-s -r -T --speller",
    runs: { "-s": "exec", "--speller": "exec" },
    operands: "write",
    spawner: true,
  },
  "ed red": { valued: "-p", operands: "write", repl: "ex" },
  "man info pinfo apropos": {
    valued: "-P -H -C -M --pager --html",
    runs: { "-P": "exec", "--pager": "exec", "-H": "exec", "--html": "exec" },
    spawner: true,
  },
  "gdb lldb": {
    single: true,
    valued: "-ex -eval-command -x -p -iex -o --pid",
    runs: { "-ex": "ex", "-eval-command": "ex", "-iex": "ex", "-o": "ex" },
    repl: "ex",
    run: job => {
      const at = job.argv.findIndex(f => f.text === "--args" || f.text === "--");
      return at > 0 && at + 1 < job.argv.length ? wrapped(job, job.argv.slice(at + 1)) : undefined;
    },
  },
};
