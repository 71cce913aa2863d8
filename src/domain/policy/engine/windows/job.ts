/** One command of a Windows shell while its effects are worked out, and what its words say. */
import type { FileAct, Invocation, NetAct } from "../../facts.ts";
import { hostOf } from "../hosts.ts";
import { shareHost, windowsPath } from "../windows-path.ts";
import type { Machine } from "../run/machine.ts";
import { flat } from "./lists.ts";
import { EMPTY, type Field, field, type Val, word } from "../value.ts";

export interface WindowsJob {
  m: Machine;
  of: number;
  inv: Invocation;
  words: readonly Field[];
  input: Val | undefined;
}

/** What a command does; the result is what it prints. */
export type Effect = (job: WindowsJob) => Val | undefined;

export const jobOf = (m: Machine, inv: Invocation, words: readonly Field[], input: Val | undefined): WindowsJob => ({
  m,
  of: m.subject(inv),
  inv,
  words,
  input,
});

export const flag = (job: WindowsJob, ...names: string[]) => job.inv.flags.find(f => names.includes(f.name));

export const value = (job: WindowsJob, ...names: string[]): Field | undefined =>
  flag(job, ...names)?.value as Field | undefined;

export const operands = (job: WindowsJob): Field[] => job.inv.args as Field[];

/** `text` as one path; `C:\dir\*` is everything below `C:\dir`. */
export function file(job: WindowsJob, f: Field, does: FileAct, recursive = false): string {
  const { m } = job;
  const named = m.place(windowsPath(f.text));
  const path = m.links.size > 0 ? m.followed(named, does === "read" || does === "write") : named;
  const all = /\/\*(\.\*)?$/.test(path);
  const at = all ? path.replace(/\/\*(\.\*)?$/, "") || "/" : path;
  const share = shareHost(f.text);
  if (share !== undefined && does !== "read") net(job, "upload", { ...f, text: share });
  const word = { text: at, known: f.known, span: f.span };
  m.file(job.of, does, word, recursive || all);
  // Whoever writes over all that lies below a place leaves nothing of it.
  if (all && does === "write") m.file(job.of, "delete", word, true);
  return at;
}

/** A program of another machine: `\\host\share\a.exe`. */
export function fromShare(job: WindowsJob, f: Field): void {
  const share = shareHost(f.text);
  if (share === undefined) return;
  const host = word(net(job, "download", { ...f, text: share }));
  job.m.facts.push({ kind: "flow", of: job.of, from: "network", to: "executed", host });
}

export function net(job: WindowsJob, does: NetAct, f: Field): Field {
  const host = { ...f, text: hostOf(f.text) };
  job.m.facts.push({ kind: "net", of: job.of, does, host: word(host) });
  return host;
}

/** What `Get-ChildItem` hands on: not text, but the files it names. */
export const items = (path: string, known: boolean): Val => ({
  text: path,
  known,
  taint: 0,
  origin: { path: { text: path, known } },
});

/** The files that come in through the pipe, if it is files that come in. */
export const piped = (job: WindowsJob): Field | undefined => {
  const { input } = job;
  return input?.origin?.path !== undefined && input.origin.path.text === input.text
    ? field(input, job.inv.span!)
    : undefined;
};

/** The names a list of texts brings through the pipe. */
const textsPiped = (job: WindowsJob): Field | undefined =>
  job.input?.known && job.input.origin === undefined && job.input.text !== ""
    ? field(flat(job.input), job.inv.span!)
    : undefined;

/** `-Path a,b`, the first operand, or what the pipe brings. */
export function paths(job: WindowsJob): Field[] {
  const named = value(job, "-path", "-literalpath", "-filepath", "-lp", "-psp", "-pspath");
  const all = named ? [named] : operands(job);
  const given = all.length > 0 ? all : [piped(job) ?? textsPiped(job) ?? []].flat();
  return given.flatMap(f =>
    f.text.split(/ (?=[A-Za-z]:|\$|~|\/|\.)|(?<=(?:^| )(?:[A-Za-z]:\\|~)) /).map(text => ({ ...f, text })),
  );
}

export const inputField = (job: WindowsJob): Field | undefined => job.input && field(job.input, job.inv.span!);

/** Contents of a file written before by the same text. */
export const held = (job: WindowsJob, f: Field): Val | undefined => job.m.files.get(job.m.place(windowsPath(f.text)));

export const nothing: Effect = () => EMPTY;
