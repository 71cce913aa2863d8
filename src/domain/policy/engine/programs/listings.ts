/** Programs that print the names of files: what stands for all of them goes on to `xargs`, to loops, to `$(…)`. */
import { concat, type Field, literal, merged, tainted, unknown, type Val } from "../value.ts";
import { programAt } from "../run/files.ts";
import { contents } from "../run/redirect.ts";
import { everyProcess } from "./processes.ts";
import { flagValue, type Handler, hasFlag } from "./row.ts";
import type { Table } from "./table.ts";

/** `ls -d /*`, `ls /tmp/*`: the words themselves; else names nobody knows. */
const listing: Handler = job => {
  const { m, operands } = job;
  const place = (f: Field | undefined): string => m.place(f?.text ?? "");
  const words = operands.filter(
    f => hasFlag(job, "-d", "--directory") || f.glob || m.files.has(place(f)) || programAt(place(f)),
  );
  const { taint, origin } = merged(operands);
  const texts = words.map(f => f.text);
  // Of the root and of homes everything is meant.
  const listed = place(operands[0]);
  if (listed === "/proc") return everyProcess;
  const program = words.length === 1 ? programAt(listed) : undefined;
  if (program) return literal(`${listed}\n`);
  if (texts.length > 0 || !/^([/~]|\/(home|etc|usr|Users))$/.test(listed))
    return texts.length > 0 ? tainted(`${texts.join("\n")}\n`, false, taint, origin) : unknown(0);
  return tainted("*\n", false, taint, origin ?? { path: { text: listed, known: true } });
};

/** `du -a /`, `tree -fi /`: paths below each operand. */
export function below(roots: readonly Field[]): Val {
  const { taint, origin } = merged(roots);
  const texts = roots.map(f => (f.glob ? f.text : `${f.text.replace(/\/$/, "")}/*`));
  return texts.length > 0 ? tainted(`${texts.join("\n")}\n`, false, taint, origin) : unknown(0);
}

/** `compgen -G '/*'` prints what a pattern stands for, `compgen -c rm` the names of programs that begin so. */
const completions: Handler = job => {
  const pattern = flagValue(job, "-G");
  if (pattern) return { ...pattern, text: `${pattern.text}\n`, known: false };
  return job.operands.length === 1 && hasFlag(job, "-c") ? concat(job.operands[0]!, literal("\n")) : undefined;
};

export const listings: Table = {
  // `getent passwd`: the lines of that file.
  getent: {
    run: job => {
      const [named] = job.operands;
      return named?.text === "passwd" ? contents(job.m, "/etc/passwd", named) : undefined;
    },
  },
  "ls dir vdir exa eza lsd": { run: listing },
  "tree du": {
    valued: "-L -P -I -d -h --max-depth --exclude --threshold -t -B",
    run: job => below(job.operands),
  },
  compgen: { valued: "-A -C -F -G -P -S -W -X -o", runs: { "-C": "shell" }, run: completions },
};
