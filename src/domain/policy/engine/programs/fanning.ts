/** Programs that start one command many times, with words they read: xargs, parallel, pdsh. */
import { hole } from "../../facts.ts";
import { replacedBy } from "../fold/sized.ts";
import { baseName } from "../paths.ts";
import { isShell } from "../run/files.ts";
import { bareText, concat, EMPTY, type Field, field, join, literal, unknown, type Val } from "../value.ts";
import { inputText, wrapped } from "./effects.ts";
import { flagOf, type Handler, hasFlag, type Job, flagValue } from "./row.ts";
import type { Table } from "./table.ts";
import { shellText } from "./wrappers.ts";

/** Rows of numbers that go on say nothing new; of words every one is looked at, as long as there are steps. */
const MAX_NUMBERS = 16;
const telling = (rows: Field[][]): Field[][] =>
  rows.length > MAX_NUMBERS
    ? rows.filter((row, i) => i < MAX_NUMBERS || !row.every(f => f.known && /^\d+$/.test(f.text)))
    : rows;

/** `xargs cmd`: words from standard input are appended, or put where `-I` says. */
const xargs: Handler = job => {
  const { m } = job;
  const inner = job.rest < 0 ? [field(literal("echo"), job.inv.span!)] : job.argv.slice(job.rest);
  const named = flagValue(job, "-a", "--arg-file");
  const input = named ? inputText(job, [named]) : (job.io.input?.val ?? unknown(0));
  const place = flagOf(job, "-I", "-i", "--replace", "-J");
  const mark = place ? (place.value?.text ?? "{}") : undefined;
  const { socket } = job.io;
  const terminal = named !== undefined || hasFlag(job, "-o", "--open-tty");
  const from = terminal ? { input: undefined, socket } : { input: { val: EMPTY, at: 0 }, socket };
  return m.subshell(() => {
    let printed: Val = EMPTY;
    for (const given of telling(batches(job, input, mark !== undefined)))
      printed = concat(printed, wrapped(job, fill(job, inner, given, mark), from));
    return printed;
  });
};

/** The word lists one run of the inner command each gets. */
function batches(job: Job, input: Val, perLine: boolean): Field[][] {
  const span = job.inv.span!;
  const whole = (text: string): Field => field({ ...input, text }, span);
  // What `find` prints stands for paths, each unknown in part.
  if (!input.known && bareText(input).trim() !== "")
    return [
      input.text
        .split(/[\n\0]/)
        .filter(l => l !== "")
        .map(l => l.replace(/^(["'])(.*)\1$/, "$2"))
        .map(l => ({ ...whole(l), known: !l.includes(hole) })),
    ];
  if (!input.known)
    return [[whole(hole)], ...(perLine || job.rest < 0 || !isShell(baseName(job.argv[job.rest]!.text)) ? [] : [[]])];
  const separator = hasFlag(job, "-0", "--null") ? "\0" : (flagValue(job, "-d", "--delimiter")?.text ?? undefined);
  const lines = input.text.split(separator === undefined ? "\n" : separator.replace("\\n", "\n")).filter(l => l !== "");
  job.m.work(input.text.length * 16);
  if (perLine) return lines.map(l => [whole(l.trim())]);
  const words = lines.map(l => (separator === undefined ? wordsOf(l) : [l]).map(whole));
  const perRun = flagValue(job, "-L", "-l", "--max-lines");
  if (perRun) return grouped(words, Number(perRun.text)).map(group => group.flat());
  const texts = words.flat();
  const out = grouped(texts, Number(flagValue(job, "-n", "--max-args")?.text ?? texts.length));
  return out.length > 0 ? out : [[]];
}

/** The words of one line, quotes and backslashes taken off. */
const wordsOf = (line: string): string[] =>
  (line.match(/'[^']*'|"[^"]*"|\S+/g) ?? []).map(t => t.replace(/^(['"])(.*)\1$/, "$2").replace(/\\(.)/g, "$1"));

function grouped<T>(list: readonly T[], size: number): T[][] {
  const out: T[][] = [];
  for (let i = 0; i < list.length; i += size || 1) out.push(list.slice(i, i + (size || 1)));
  return out;
}

function fill(job: Job, inner: readonly Field[], given: readonly Field[], mark: string | undefined): Field[] {
  if (mark === undefined) return [...inner, ...given];
  const value = given[0]!;
  return inner.map(f => {
    if (!f.text.includes(mark)) return f;
    if (f.text === mark) return value;
    const text = replacedBy(f.text, mark, value.text);
    job.m.work(text.length * 4);
    return {
      ...f,
      text,
      known: f.known && value.known,
      taint: f.taint | value.taint,
      origin: f.origin ?? value.origin,
    };
  });
}

/** `parallel cmd {} ::: a b`, `parallel cmd :::: file`, `… | parallel cmd`, `… | parallel --pipe cmd`. */
const parallel: Handler = job => {
  const rest = job.rest < 0 ? [] : job.argv.slice(job.rest);
  const at = rest.findIndex(f => /^::::?\+?$/.test(f.text));
  const inner = at < 0 ? rest : rest.slice(0, at);
  if (hasFlag(job, "--pipe", "--spreadstdin")) return inner.length > 0 ? wrapped(job, inner) : undefined;
  const mark = flagValue(job, "-I")?.text ?? "{}";
  if (at >= 0 && rest.some((f, i) => i > at && f.text === ":::")) return combined(job, inner, rest.slice(at));
  const words = given(job, rest, at);
  let printed: Val | undefined;
  for (const [f] of telling(words.map(f => [f]))) printed = one(job, inner, f!, mark) ?? printed;
  return words.length === 0 && inner.length > 0 ? shellText(job, inner) : printed;
};

/** `parallel {1} {2} ::: a b ::: c`: every word of one list with every word of the next. */
function combined(job: Job, inner: readonly Field[], rest: readonly Field[]): Val | undefined {
  const lists: Field[][] = [];
  for (const f of rest) {
    if (/^:::\+?$/.test(f.text)) lists.push([]);
    else lists.at(-1)!.push(f);
  }
  let rows: Field[][] = [[]];
  for (const list of lists)
    rows = rows.flatMap(row => {
      job.m.step(list.length);
      return list.map(f => [...row, f]);
    });
  let printed: Val | undefined;
  for (const row of telling(rows)) {
    const numbered = inner.some(f => /\{\d\}/.test(f.text));
    const words = numbered
      ? row.reduce<Field[]>((all, f, i) => fill(job, all, [f], `{${i + 1}}`), [...inner])
      : inner.some(f => f.text.includes("{}"))
        ? fill(job, inner, [field(join(row, " "), job.inv.span!)], "{}")
        : [...inner, ...row];
    printed = shellText(job, words) ?? printed;
  }
  return printed;
}

/** What the command gets, one after the other: words of the line, lines of a file or of the input. */
function given(job: Job, rest: readonly Field[], at: number): Field[] {
  const file = flagValue(job, "-a", "--arg-file") ?? (rest[at]?.text.startsWith("::::") ? rest[at + 1] : undefined);
  if (at >= 0 && file === undefined) return rest.slice(at + 1);
  const input = file ? inputText(job, [file]) : job.io.input?.val;
  if (input === undefined) return [];
  const lines = input.known ? input.text.split("\n").filter(l => l !== "") : [input.text];
  return lines.map(text => field({ ...input, text }, job.inv.span!));
}

function one(job: Job, inner: readonly Field[], f: Field, mark: string): Val | undefined {
  const marked = inner.some(w => w.text.includes(mark));
  const words = marked ? fill(job, inner, [f], mark) : [...inner, f];
  if (words.length === 0) return undefined;
  // A word put in the place of a mark stays one word.
  if (inner.length > 1 && /\s/.test(f.text)) wrapped(job, words);
  return shellText(job, words);
}

/** `pdsh -w hosts cmd`: the words are joined for the shell of each machine. */
const everywhere: Handler = job =>
  job.rest < 0 ? undefined : job.m.subshell(() => shellText(job, job.argv.slice(job.rest)));

export const fanning: Table = {
  xargs: {
    valued:
      "-I -n -P -L -d -a -E -s --max-args --max-procs --max-lines --delimiter --arg-file --max-chars --process-slot-var -J -R -S",
    wraps: 0,
    run: xargs,
  },
  "pdsh clush dsh mussh pssh parallel-ssh": {
    valued:
      "-w -x -g -X -l -u -f -t -R -H -h -p -o -e -O -A -M -m -n --hosts --host --user --par --timeout --group --outdir --errdir --file --machine",
    wraps: 0,
    run: everywhere,
  },
  "parallel sem rush": {
    valued: "-j -N -n -I -a -S --jobs --colsep --delay --joblog --results --retries --timeout --arg-file --sshlogin",
    wraps: 0,
    run: parallel,
  },
};
