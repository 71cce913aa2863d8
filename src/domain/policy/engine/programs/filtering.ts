/** Programs that make text of text: what is known about their input is known about what they print. */
import { filters } from "../fold/filters.ts";
import { UNKNOWN } from "../taint.ts";
import { runText } from "../unwrap/text.ts";
import { bareText, tainted, unknown, type Val } from "../value.ts";
import type { Job } from "./row.ts";

/** What the filter of this name prints for a text; `args` are the words behind it. */
export function filtered(job: Job, name: string, input: Val, taint: number, args = wordsOf(job)): Val {
  const all = input.taint | taint;
  const text = input.known || standsFor(name, input) ? refined(job, name, input, args) : undefined;
  if (text === undefined) return unknown(all | UNKNOWN, input.origin);
  const rewritten = !input.known && text !== input.text && writes.has(name);
  return tainted(text, input.known, rewritten ? all | UNKNOWN : all, input.origin);
}

/** Programs that order, pick or rewrite lines: what stands for the names a listing prints passes through them. */
const ofLines = new Set("cat tee sort uniq tac head tail sed tr cut awk".split(" "));

/** Of these, those that put words of their own beside. */
const writes = new Set(["sed", "awk"]);

const standsFor = (name: string, input: Val): boolean =>
  ofLines.has(name) && input.text.length < 1024 && bareText(input).trim() !== "";

/** What programs that a filter starts print, as far as it is known. */
const startedBy =
  (job: Job, input: Val) =>
  (command: string, given: string): string | undefined => {
    const io = { input: { val: { ...input, text: given }, at: 0 }, socket: job.io.socket };
    const printed = job.m.subshell(() => runText(job.m, { ...input, text: command }, job.inv.program, io));
    return printed.known ? printed.text : undefined;
  };

const wordsOf = (job: Job): readonly string[] => job.argv.slice(1).map(f => f.text);

function refined(job: Job, name: string, input: Val, args: readonly string[]): string | undefined {
  const work = (chars: number): void => job.m.work(chars);
  // Text is taken apart and put together.
  work(input.text.length * 4);
  const text = filters.get(name)?.(input.text, args, { work, stands: !input.known, start: startedBy(job, input) });
  // `ls -l / | awk '{print $9}'`: a name that stands for many has but one column.
  return input.known || text?.trim() !== "" ? text : input.text;
}
