import type { Redirect, Redirection } from "unbash";
import { hole } from "../../facts.ts";
import { integral } from "../fold/integral.ts";
import { expandOne, expandQuoted } from "../fold/word.ts";
import { isSecret, isSink } from "../paths.ts";
import { NETWORK, SECRET } from "../taint.ts";
import { plant } from "../unwrap/planted.ts";
import { isStartupLines, printsSetUp } from "../unwrap/startup-lines.ts";
import { concat, EMPTY, type Field, literal, tainted, unknown, type Val, word } from "../value.ts";
import { writtenHere } from "./files.ts";
import { runScript } from "./script.ts";
import { fromTree } from "./trees.ts";
import { fedBy, type Input, type Io, type Machine } from "./machine.ts";

export interface Target {
  path: string;
  field: Field;
  does: "read" | "write";
  append: boolean;
  /** The command's standard output goes there. */
  output: boolean;
}

/** The redirections of one command: what it reads, and what is to be recorded once its subject exists. */
export interface Redirects {
  io: Io;
  files: Target[];
  /** Sockets opened here, by descriptor. */
  sockets: Map<number, Field> | undefined;
  /** `> >(…)`: the script that reads the output. */
  reader: Redirect | undefined;
  /** Standard output leaves the pipeline. */
  silent: boolean;
  /** `>&"${COPROC[1]}"`: what reads the output. */
  coprocess: Machine["coprocess"];
}

/** Descriptors of a `coproc`, as the shell that starts it sees them. */
export const coprocEnds = { reads: 63, writes: 60 } as const;

const socketPath = /^\/dev\/(?:tcp|udp)\/([^/]*)\/([^/]*)$/;

export function applyRedirects(m: Machine, list: readonly Redirection[], io: Io): Redirects {
  const r: Redirects = {
    io: { ...io },
    files: [],
    sockets: undefined,
    reader: undefined,
    silent: false,
    coprocess: undefined,
  };
  for (const one of list) {
    m.step();
    if (one.type === "HereDoc") {
      const { parts, text } = integral(one.body);
      const body = parts ? expandQuoted(m, parts) : literal(one.delimiter?.quoted === false ? unescaped(text) : text);
      const plain = one.operator === "<<-" && body.known ? { ...body, text: body.text.replace(/^\t+/gm, "") } : body;
      wire(m, r, descriptor(m, one, 0), plain);
    } else if (one.type === "HereString") {
      const text = one.target && concat(expandOne(m, one.target), literal("\n"));
      if (text) wire(m, r, descriptor(m, one, 0), text);
    } else if (one.target) redirect(m, r, one, expandOne(m, one.target));
  }
  return r;
}

/** Backslashes in a here-document without quotes hide what would be expanded, and the end of a line. */
const unescaped = (text: string): string =>
  text.includes("\\") ? text.replace(/\\([$`\\\n])/g, (_, c: string) => (c === "\n" ? "" : c)) : text;

function feed(r: Redirects, val: Val): void {
  r.io.input = { val, at: 0 };
}

/** Text that a descriptor reads, also by its name `/dev/fd/3`. */
function wire(m: Machine, r: Redirects, fd: number, val: Val): void {
  if (fd === 0) return feed(r, val);
  m.files.set(`/dev/fd/${fd}`, val);
  (m.reading ??= new Map()).set(fd, { val, at: 0 });
}

const descriptor = (m: Machine, one: Pick<Redirect, "descriptor">, standard: number): number => {
  if (one.descriptor?.type !== "FileDescriptorVariable") return one.descriptor?.value ?? standard;
  const fd = 10 + (m.reading?.size ?? 0) + (m.opened?.size ?? 0);
  m.state.set(one.descriptor.name, literal(String(fd)));
  return fd;
};

function redirect(m: Machine, r: Redirects, one: Redirect, target: Field): void {
  const reads = one.operator.startsWith("<");
  const fd = descriptor(m, one, reads ? 0 : 1);
  if (one.operator === ">" && target.text === "/dev/null" && one.target?.parts?.[0]?.type === "ProcessSubstitution") {
    r.reader = one;
    r.silent = true;
    return;
  }
  if ((one.operator === ">&" || one.operator === "<&") && /^(\d+-?|-)$/.test(target.text))
    return void duplicate(m, r, fd, target);
  const socket = socketPath.exec(target.text);
  if (socket) return void connect(r, fd, { ...target, text: socket[1]! });
  if (!reads && fd === 1)
    r.silent = target.text !== "/dev/stdout" && target.text !== "/dev/stderr" && target.text !== "/dev/tty";
  file(m, r, one, target, fd, reads && one.operator !== "<>");
}

function duplicate(m: Machine, r: Redirects, fd: number, target: Field): void {
  const from = Number.parseInt(target.text, 10);
  const host =
    r.sockets?.get(from) ?? m.state.sockets?.get(from) ?? (from <= 2 ? (r.io.socket as Field | undefined) : undefined);
  if (!host) {
    const opened = fd === 1 ? m.opened?.get(from) : undefined;
    if (opened) r.files.push(opened);
    if (fd === 1 && from === coprocEnds.writes) r.coprocess = m.coprocess;
    if (fd === 1 && (from === 2 || opened || r.coprocess)) r.silent = true;
    const read = fd === 0 ? m.reading?.get(from) : undefined;
    if (read) r.io.input = read;
    return;
  }
  connect(r, fd, host);
}

function connect(r: Redirects, fd: number, host: Field): void {
  r.sockets ??= new Map();
  r.sockets.set(fd, host);
  if (fd > 2) return;
  r.io.socket = host;
  if (fd === 0) feed(r, unknown(NETWORK, { host: word(host) }));
  if (fd === 1) r.silent = true;
}

function file(m: Machine, r: Redirects, one: Redirect, target: Field, fd: number, reads: boolean): void {
  const named = m.place(target.text);
  const path = m.links.size > 0 ? m.followed(named, true) : named;
  if (path === "/dev/tty" && reads) r.io.input = undefined;
  // `< <(…)`: what the script prints.
  const substituted = reads && path.startsWith("/dev/fd/") ? m.files.get(path) : undefined;
  if (substituted) return wire(m, r, fd, substituted);
  if (isSink(path)) {
    if (reads && path === "/dev/null") feed(r, EMPTY);
    return;
  }
  const append = one.operator.endsWith(">>");
  r.files.push({ path, field: target, does: reads ? "read" : "write", append, output: !reads && fd === 1 });
  if (!reads && fd > 2)
    (m.opened ??= new Map()).set(fd, { path, field: target, does: "write", append: true, output: true });
  if (reads && (fd === 0 || fd > 2)) wire(m, r, fd, contents(m, path, target));
}

/** A line of `/etc/passwd`: of its fields only that of the home directory says which place it stands for. */
const accounts = `${hole}:x:${hole}:${hole}:${hole}:~:/bin/sh\n`;

/** Tables of what is mounted: the root stands for all of it. */
const mounts: ReadonlySet<string> = new Set([
  "/proc/mounts",
  "/proc/self/mounts",
  "/proc/self/mountinfo",
  "/etc/mtab",
  "/etc/fstab",
]);

/** What reading a file yields: what this very command wrote there, or unknown text, secret where the path says so. */
export function contents(m: Machine, path: string, named: Field): Val {
  const written = m.files.get(path) ?? m.files.get(writtenHere(m, path) ?? "") ?? fromTree(m, path);
  if (written) return written;
  if (m.pipes?.has(path)) m.readEarly = true;
  const at = { path: { text: path, known: named.known, span: named.span } };
  if (path === "/etc/passwd") return tainted(accounts, false, SECRET, at);
  if (mounts.has(path)) return tainted("/\n", false, 0, at);
  return isSecret(path) ? unknown(SECRET, at) : unknown(0, at);
}

/** The same of the file a word names. */
export const contentsOf = (m: Machine, named: Field): Val => contents(m, m.place(named.text), named);

/** Records the files and sockets under the command's subject; yields what is left for the pipeline. */
export function finishRedirects(m: Machine, r: Redirects, of: number, printed: Val): Val {
  for (const t of r.files) {
    m.file(of, t.does, { text: t.path, known: t.field.known, span: t.field.span });
    if (t.does === "write") store(m, t, of, printed);
    if (t.append && t.output) told(m, of, t.path, printed);
  }
  if (r.sockets) for (const host of new Set(r.sockets.values())) connected(m, of, host, r, printed);
  if (r.reader) readBy(m, r.reader, printed);
  if (r.coprocess) {
    const { coprocess: run } = r;
    const answer = m.subshell(() => run(fedBy(printed)));
    m.reading?.set(coprocEnds.reads, { val: answer, at: 0 });
  }
  return r.silent ? EMPTY : printed;
}

/** Rules are told of it as of an option, by a name that nobody can type as one. */
function told(m: Machine, of: number, path: string, printed: Val): void {
  const call = m.subjects[of];
  if (!path.startsWith("~/.") || call?.kind !== "run" || !printed.known) return;
  const { program, path: place, subcommands, args, flags } = call;
  const words = [program, ...subcommands, ...args.map(arg => arg.text)];
  if (isStartupLines(printed.text) || (place === undefined && flags.length === 0 && printsSetUp(words)))
    flags.push({ name: "startup lines" });
}

function store(m: Machine, t: Target, of: number, printed: Val): void {
  const before = t.append ? m.files.get(t.path) : undefined;
  if (t.output) {
    const text = before ? concat(before, printed) : printed;
    m.files.set(t.path, text);
    plant(m, text);
  }
  if (/^\/dev\/(sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper|mem|kmem|port)/.test(t.path)) m.flow(of, printed, "device");
}

function connected(m: Machine, of: number, host: Field, r: Redirects, printed: Val): void {
  m.facts.push({ kind: "net", of, does: "connect", host: word(host) });
  if (r.silent) m.flow(of, printed, "network", word(host));
}

function readBy(m: Machine, one: Redirect, printed: Val): void {
  const first = one.target?.parts?.[0];
  const script = first?.type === "ProcessSubstitution" ? first.script : undefined;
  const input: Input = { val: printed, at: 0 };
  if (script) m.subshell(() => runScript(m, script, input));
}
