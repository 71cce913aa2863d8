import { type FileAct, hole, type Invocation } from "../../facts.ts";
import { isSecret, isSink, normalise } from "../paths.ts";
import { invoke } from "../run/invoke.ts";
import { programAt } from "../run/files.ts";
import { contents, contentsOf } from "../run/redirect.ts";
import { DECODED, SECRET, UNKNOWN, UNSET } from "../taint.ts";
import { runCode, runText } from "../unwrap/text.ts";
import { concat, EMPTY, type Field, field, unknown, type Val, word } from "../value.ts";
import { spring } from "../unwrap/planted.ts";
import { hooks } from "./hooks.ts";
import { inventory } from "./inventories.ts";
import { escapes, passedOn } from "./passed-on.ts";
import { springProject } from "./project-files.ts";
import { printsSecret } from "./secret-sources.ts";
import { hasFlag, type Job, UNLISTED } from "./row.ts";
import { namedPlaces } from "./unusual.ts";

/** Everything a program does that its row says; the result is what it prints. */
export function effects(job: Job): Val {
  const { row, spec } = job;
  let printed: Val | undefined;
  if (job.m.files.size > 0) springProject(job);
  if (row.operands !== undefined) fileOperands(job, row.operands, row.last);
  if (spec.files !== undefined) fileFlags(job, spec.files);
  if (row === UNLISTED || spec.traits.unusual) namedPlaces(job);
  if (job.argv.length > 1 && job.rest !== 1) hooks(job);
  const coded = spec.runs !== undefined && codeFlags(job, spec.runs);
  if (row.spawner === true || row === UNLISTED || job.m.planted || job.m.files.size > 0)
    spring(job, coded || (row !== UNLISTED && row.spawner !== true));
  if (row.code !== undefined && !coded) codeOperand(job, row.code);
  if (row.wraps !== undefined && row.run === undefined && job.rest > 0)
    printed = wrapped(job, job.argv.slice(job.rest));
  if (row.repl !== undefined && !coded && job.operands.length === 0 && job.rest < 0) standardInput(job, row.repl);
  if (row.run !== undefined) printed = row.run(job) ?? printed;
  else if (row === UNLISTED) {
    const input = job.io.input?.val;
    if (input?.known && input.text.includes("!")) escapes(job, input);
    if (job.argv.length > 1 && !printsSettings(job)) printed = passedOn(job);
  }
  const out =
    printed ??
    (row.run !== undefined && coded && job.shown !== EMPTY ? job.shown : undefined) ??
    inventory(job) ??
    output(job);
  return printsSecret(job) ? { ...out, taint: out.taint | SECRET } : out;
}

/** Programs asked for the settings of a shell, to be evaluated: `eval "$(direnv hook bash)"`. What they print is their own. */
const settings =
  /^(direnv hook|(py|rb|nod|go|j)env init|ssh-agent|brew shellenv|starship init|zoxide init|atuin init|fnm env|mise (activate|env)|opam env|conda shell\.\w+ hook|dircolors|thefuck --alias|minikube docker-env|register-python-argcomplete|\w+ completion)\b/;
export const preparing: ReadonlySet<string> = new Set(
  "direnv pyenv rbenv nodenv goenv jenv ssh-agent brew starship zoxide atuin fnm mise opam conda dircolors thefuck minikube register-python-argcomplete kubectl helm gh npm".split(
    " ",
  ),
);

/** Where package managers of a machine and of its user put programs. */
const ownPlace = /^(\/opt\/homebrew|\/home\/linuxbrew\/\.linuxbrew|\/usr\/local|\/usr|~\/\.local)\/bin\//;

/** Programs that print nothing unless asked to. */
export const silent: ReadonlySet<string> = new Set(
  "chmod chown chgrp cp kill ln mkdir mv rm rmdir sleep touch true".split(" "),
);

/** All of it that `settings` looks at. */
const beginning = (job: Job): string =>
  job.argv
    .slice(0, 3)
    .map(f => f.text.replace(ownPlace, ""))
    .join(" ");

const printsSettings = (job: Job): boolean => job.spec.traits.prepares && settings.test(beginning(job));

/** What a program prints when nothing better is known: its input's taint and that of the secrets it read. */
export const output = (job: Job): Val =>
  (job.spec.traits.silent && !hasFlag(job, "-v", "--verbose", "-c", "--changes")) || printsSettings(job)
    ? EMPTY
    : outputOf(job, job.row.operands === undefined || job.row.operands === "read" ? job.operands : none);

const none: readonly Field[] = [];

/** What comes out of a program that has read these files. */
export function outputOf(job: Job, read: readonly Field[]): Val {
  const input = job.io.input?.val;
  let taint = UNKNOWN | (input?.taint ?? 0);
  let origin = input?.origin;
  for (const f of read) {
    const named = job.m.place(f.text);
    const path = job.m.links.size > 0 ? job.m.followed(named, true) : named;
    const held = job.m.files.size > 0 ? job.m.files.get(path) : undefined;
    if (held) taint |= held.taint;
    if (held) origin ??= held.origin;
    if (!isSecret(path)) continue;
    taint |= SECRET;
    origin = { path: { text: path, known: f.known, span: f.span } };
  }
  return unknown(taint, origin);
}

const wide = new RegExp(`^${hole}(/+\\.?(?:(?:bin|boot|etc|home|root|sbin|usr)/?)?\\*?)$`);
/** `"$A/$B"`, `"$A$B/"*`, `"$A/../.."`: the root, when none of them is set. */
const allEmpty = new RegExp(`^${hole}+/[/${hole}.]*\\*?$`);

/** `"$DIR/"*` where nothing has set `DIR`: what an empty value would make of it, if that is the root or a folder of the system. */
function emptied(text: string): string {
  const named = wide.exec(text)?.[1];
  return named ?? (allEmpty.test(text) && normalise(text.replaceAll(hole, "").replace("*", "")) === "/" ? "/" : text);
}

/** `/home/$USER`: whoever it is, all that is theirs. */
const someHome = new RegExp(`^(?:/(?:home|Users)/|~)${hole}/?$`);

const STAR = 42;

export function file(job: Job, f: Field, does: FileAct, recursive = false): string {
  const { m } = job;
  const text = (f.taint & UNSET) !== 0 && (does === "delete" || does === "permissions") ? emptied(f.text) : f.text;
  // `ls ~ | xargs rm`: all that was listed is meant, wherever this runs.
  const listed = text === "*" ? f.origin?.path?.text : undefined;
  let path = m.place(listed === undefined ? text : `${listed}/*`);
  // `rm link` removes the link, `rm link/` reaches what it leads to.
  if (m.links.size > 0) path = m.followed(path, does === "read" || does === "write" || /\/\.?$/.test(f.text));
  if (isSink(path)) return path;
  // `cd $DIR; rm -rf *`: where nothing has set `DIR`, that is the home directory.
  if (m.state.strayed && path.startsWith(hole) && f.known && does === "delete")
    return strayed(job, path.slice(1), f, recursive);
  let reach = recursive;
  const ends = path.charCodeAt(path.length - 1) === STAR;
  if (ends && path.endsWith("/*")) {
    path = path.slice(0, -2) || "/";
    reach = true;
  } else if (ends && path === "*") {
    path = m.here;
    reach = true;
  }
  m.file(
    job.of,
    does,
    { text: path, known: f.known || someHome.test(text) || someHome.test(path), span: f.span },
    reach,
  );
  return path;
}

/** Reads the file a word names; the result is what it holds. */
export const readFile = (job: Job, f: Field, recursive = false): Val =>
  contents(job.m, file(job, f, "read", recursive), f);

function strayed(job: Job, rest: string, f: Field, recursive: boolean): string {
  const reach = recursive || rest === "/*";
  const place = `${job.m.state.strayed}${rest === "/*" ? "" : rest}`;
  job.m.file(job.of, "delete", { text: place, known: false, span: f.span }, reach);
  return place;
}

function fileOperands(job: Job, does: FileAct, last: FileAct | undefined): void {
  const { operands } = job;
  const end = last === undefined || operands.length < 2 ? operands.length : operands.length - 1;
  for (let i = 0; i < end; i++) if (operands[i]!.text !== "-") file(job, operands[i]!, does);
  if (end < operands.length) file(job, operands[end]!, last!);
}

function fileFlags(job: Job, files: ReadonlyMap<string, FileAct>): void {
  for (const f of job.inv.flags) {
    const does = files.get(f.name);
    if (does !== undefined && f.value && f.value.text !== "-") file(job, f.value as Field, does);
  }
}

const AT = 64;

/** Flags that carry code, or name a file that does (`@language`). True when one was there. */
function codeFlags(job: Job, runs: ReadonlyMap<string, string>): boolean {
  let found = false;
  for (const f of job.inv.flags) {
    const name = runs.get(f.name);
    if (name === undefined || !f.value) continue;
    found = true;
    const value = f.value as Field;
    if (name.charCodeAt(0) !== AT) job.shown = language(job, name, value, f.name);
    else {
      const held = contentsOf(job.m, value);
      if (held.known) runCode(job.m, name.slice(1), field(held, value.span), f.name, job.io);
    }
  }
  return found;
}

/** The first operand is code, unless `-f` names a file that holds it. */
function codeOperand(job: Job, name: string): void {
  const fromFile = job.inv.flags.some(f => f.name === "-f" || f.name === "--file");
  const code = fromFile ? undefined : job.operands.shift();
  if (code) language(job, name, code, name);
}

/** Runs `code` as shell text, as a program with arguments, or as a language the engine looks into. */
export function language(job: Job, name: string, code: Field, flag: string): Val {
  const { m } = job;
  const via = `${job.inv.program} ${flag}`;
  m.code(job.of, code, name === "shell" || name === "exec" ? "shell" : "interpreter");
  const before = m.spawned;
  m.spawned = true;
  const printed =
    name === "shell" || name === "exec"
      ? runText(m, code, via, job.io)
      : withWords(job, code, () => runCode(m, name, code, via, job.io));
  m.spawned = before;
  return printed;
}

/** The words behind `code` are given to it. */
export function withWords<T>(job: Job, code: Field, body: () => T): T {
  const { m, argv } = job;
  const { given } = m;
  const at = argv.findIndex(f => f.text.endsWith(code.text)) + 1;
  m.given = at === 0 ? none : argv.slice(argv[at]?.text === "--" ? at + 1 : at);
  const printed = body();
  m.given = given;
  return printed;
}

const called = ({ program, subcommands }: Invocation): string =>
  subcommands.length === 0 ? program : `${program} ${subcommands.join(" ")}`;

/** A program started by another one that stays itself out of the way. */
export function wrapped(job: Job, inner: readonly Field[], io = job.io, spawns = true): Val {
  const { m } = job;
  const before = m.spawned;
  m.spawned ||= spawns;
  const printed = m.within(called(job.inv), () => invoke(m, inner, io));
  m.spawned = before;
  return printed;
}

/** No code and no operands: what comes in on standard input is code; from a terminal, a session. */
export function standardInput(job: Job, name: string, answered = batch(job)): void {
  const { m, io } = job;
  if (io.socket) m.wired(job.of, io.socket);
  if (answered) return;
  if (!io.input) {
    job.inv.interactive = true;
    return;
  }
  const given = io.input.val;
  // A packed dump is everyday input of a database.
  const code = name === "sql" ? { ...given, taint: given.taint & ~DECODED } : given;
  m.flow(job.of, code, name === "shell" ? "shell" : "interpreter");
  if (code.known) runCode(m, name, code, `${job.inv.program} <`, { input: undefined, socket: io.socket });
}

/** Flags with which a REPL answers and ends instead of reading. */
const answers = new Set(
  "--version -V --help --usage -l --list --list-targets -f --file --script --info -m -M --check --debug-check --print --batch --eval --syntax-check".split(
    " ",
  ),
);

/** What elsewhere is a host, a variable or more words is a question to these. */
const ownAnswers =
  /^((bun|deno|groovy|irb|julia|lua|luajit|node|nodejs|perl|php|pry|redis-cli|ruby) -v|(irb|julia|node|nodejs|perl|php|ruby) -h|php -i|(sqlite3|erl) -version)$/;

function batch(job: Job): boolean {
  if (job.inv.flags.length === 0) return false;
  if (job.inv.flags.some(flag => answers.has(flag.name))) return true;
  return job.inv.flags.some(flag => ownAnswers.test(`${job.inv.program} ${flag.name}`));
}

/** Names of standard input. */
export const isStandardInput = (name: string): boolean => name === "-" || name === "/dev/stdin";

/** Contents of the files a program reads, joined; standard input when it names none. */
export function inputText(job: Job, operands: readonly Field[] = job.operands): Val {
  const { m } = job;
  if (operands.length === 0) return job.io.input?.val ?? EMPTY;
  let all: Val = EMPTY;
  for (const f of operands) {
    if (isStandardInput(f.text)) all = concat(all, job.io.input?.val ?? EMPTY);
    else {
      const path = m.place(f.text);
      all = concat(all, programAt(path) ?? contents(m, path, f));
    }
  }
  return all;
}

/** A file leaves for `host`; one in which nothing is of account is not told. */
export function sendFile(job: Job, named: Field, host: Field): void {
  const held = contentsOf(job.m, named);
  if (held.taint === 0) return;
  file(job, named, "read");
  send(job, held, host);
}

/** Flow of a value to a host. */
export function send(job: Job, what: Val | Field, host: Field): void {
  job.m.flow(job.of, what, "network", word(host));
}
