/** Lines and scripts of cmd.exe: commands, groups, loops, labels, redirects. */
import { hole } from "../../facts.ts";
import { shareHost, windowsPath } from "../windows-path.ts";
import type { Machine } from "../run/machine.ts";
import { SECRET } from "../taint.ts";
import { bareText, concat, EMPTY, type Field, field, unknown, type Val } from "../value.ts";
import { expand, type Piece, split } from "./cmd-text.ts";
import { understood } from "./effects.ts";
import { type Loop, loopOf } from "./loops.ts";
import { invoked } from "./powershell.ts";

/** Runs a line or script of cmd.exe abstractly. */
export function cmd(m: Machine, text: string): Val {
  const before = m.dialect;
  m.dialect = "cmd";
  if (forks.test(text)) forkBomb(m);
  const { pieces, open } = split(text);
  if (open) m.gap("parse_error", "a quote or group is not closed");
  const printed = m.within(undefined, () => script(m, pieces, undefined));
  m.dialect = before;
  return printed;
}

/** A batch file that starts itself: `%0|%0`, `start cmd /k %0`. */
const forks = /%~?[a-z]{0,4}0"?\s{0,9}\|\s{0,9}"?%~?[a-z]{0,4}0|\bstart\s[^&|\n]{0,99}%~?[a-z]{0,4}0(?!\S)/i;
const forkBomb = (m: Machine): number => m.bare("fork-bomb", m.base ?? [0, 0]);

const isLoop = (words: readonly Piece[]): boolean =>
  /^@?for$/i.test(words[0]?.text ?? "") ||
  (/^do$/i.test(words[0]?.text ?? "") && /^@?for$/i.test(words[1]?.text ?? ""));

function script(m: Machine, list: readonly Piece[], labels = new Map<string, number>()): Val {
  let printed: Val = EMPTY;
  let input: Val | undefined;
  let words: Piece[] = [];
  for (let i = 0; i <= list.length; i++) {
    const p = list[i] ?? end;
    if (!p.mark) words.push(p);
    else if (p.text === ">" || p.text === ">>" || p.text === "<") {
      const target = list[++i];
      if (target) words.push({ ...target, text: `\0${p.text}${target.text}` });
    } else if (p.text === "(" && isLoop(words)) {
      const close = closing(list, i);
      const stop = lineEnd(list, close);
      m.work(stop - i);
      const loop = loopOf(m, words, list.slice(i + 1, close), text => cmd(m, text));
      printed = concat(printed, rounds(m, loop, list.slice(close + 1, stop)));
      words = [];
      i = stop - 1;
    } else {
      const made = words.length > 0 ? command(m, words, input, labels) : (input ?? EMPTY);
      words = [];
      input = p.text === "|" ? made : undefined;
      if (p.text !== "|") printed = concat(printed, made);
    }
  }
  return printed;
}

const end: Piece = { text: "\n", at: 0, mark: true, quoted: false };

/** Where the group that opens at `from` closes. */
function closing(list: readonly Piece[], from: number): number {
  let depth = 0;
  for (let i = from; i < list.length; i++) {
    if (list[i]!.mark) depth += list[i]!.text === "(" ? 1 : list[i]!.text === ")" ? -1 : 0;
    if (depth === 0) return i;
  }
  return list.length;
}

/** Where the line ends that a loop stands in: all up to there is its body. */
function lineEnd(list: readonly Piece[], from: number): number {
  let depth = 0;
  for (let i = from + 1; i < list.length; i++) {
    if (!list[i]!.mark) continue;
    if (list[i]!.text === "(") depth++;
    else if (list[i]!.text === ")" && --depth < 0) return i;
    else if (depth === 0 && /[\r\n]/.test(list[i]!.text)) return i;
  }
  return list.length;
}

function rounds(m: Machine, loop: Loop | undefined, body: readonly Piece[]): Val {
  const before = m.subjects.length;
  let printed: Val = EMPTY;
  if (loop === undefined) printed = script(m, body);
  for (const parts of loop?.rounds ?? []) {
    for (const [i, part] of parts.entries()) m.state.set(`%${String.fromCharCode(loop!.name.charCodeAt(0) + i)}`, part);
    printed = concat(printed, script(m, body));
  }
  if (loop?.endless && startedSince(m, before)) forkBomb(m);
  return printed;
}

const startedSince = (m: Machine, since: number): boolean =>
  m.subjects.slice(since).some(s => s.kind === "run" && s.program === "start");

function command(m: Machine, words: readonly Piece[], input: Val | undefined, labels: Map<string, number>): Val {
  m.step();
  const files = words.filter(w => w.text.startsWith("\0"));
  const written = words.filter(w => !w.text.startsWith("\0"));
  // `call` expands once more what was kept: `%%x%%` is `%x%`.
  const again = /^@?call$/i.test(written[0]?.text ?? "");
  const rest = written.map(w => fieldOf(m, again ? { ...w, text: w.text.replace(/%%(\w+)%%/g, "%$1%") } : w));
  pastConditions(rest);
  const head = rest[0];
  if (!head) return EMPTY;
  // A reference is replaced before the line is split.
  const source = written.at(-rest.length)!;
  if (!source.quoted && /^@?[%!]/.test(source.text) && head.known && /\s/.test(head.text) && !/[%!]/.test(head.text))
    return cmd(m, rest.map(f => f.text).join(" "));
  const [name, ...attached] = parted(head.text.replace(/^@/, ""));
  if (jumps(m, name!, rest[1]?.text ?? "", labels)) return EMPTY;
  const given = [...attached.map(text => ({ ...head, text })), ...rest.slice(1).flatMap(switches)];
  const printed = named(m, name!, head, given, input);
  for (const w of files) redirected(m, w, printed);
  return files.some(w => w.text[1] === ">") ? EMPTY : printed;
}

/** `rd/s/q` is a command and its switches. */
function parted(text: string): string[] {
  const found =
    /^(rd|rmdir|del|erase|cd|chdir|md|mkdir|copy|move|type|dir|ren|echo|cmd(?:\.exe)?|start|reg|format|net|taskkill)([/;=].*)$/is.exec(
      text,
    );
  return found ? [found[1]!, ...found[2]!.split(/[;=]/).filter(Boolean).flatMap(oneByOne)] : [text];
}

const oneByOne = (text: string): string[] =>
  /^(\/[a-z?](:[^/]*)?){2,12}$/i.test(text) ? text.split(/(?=\/)/) : [text];

/** `/s/q` are two switches. */
const switches = (f: Field): Field[] =>
  f.text.charCodeAt(0) === 47
    ? oneByOne(f.text)
        .flatMap(one => (/^\/[a-z][;=]/i.test(one) ? one.split(/[;=]/) : [one]))
        .map(text => ({ ...f, text }))
    : [f];

/** `:label` and `goto label`: a way back over a program that is started never ends. */
function jumps(m: Machine, name: string, target: string, labels: Map<string, number>): boolean {
  if (name.startsWith(":")) labels.set(name.slice(1).toLowerCase(), m.subjects.length);
  const since = /^goto$/i.test(name) ? labels.get(target.replace(/^:/, "").toLowerCase()) : undefined;
  if (since !== undefined && startedSince(m, since)) forkBomb(m);
  return name.startsWith(":") || since !== undefined;
}

/** `if exist x cmd`, `if not "a"=="b" cmd`, `call cmd`: what stands before the command goes. */
function pastConditions(rest: Field[]): void {
  for (let i = 0; i < 12 && rest.length > 0; i++) {
    const text = rest[0]!.text.toLowerCase().replace(/^@/, "");
    if (/^(exist|defined|errorlevel|cmdextversion)$/.test(text)) rest.splice(0, 2);
    else if (/^(equ|neq|lss|leq|gtr|geq)$/.test(rest[1]?.text.toLowerCase() ?? "")) rest.splice(0, 3);
    else if (rest.length > 1 && /^==$/.test(rest[1]!.text)) rest.splice(0, 3);
    else if (
      /^(call|if|else|do|not|\/i|setlocal|endlocal|enabledelayedexpansion|enableextensions)?$/.test(text) ||
      text.includes("==")
    )
      rest.shift();
    else return;
  }
}

const fieldOf = (m: Machine, w: Piece): Field => field(expand(m, w.text), m.span(w.at, w.at + w.text.length));

function named(m: Machine, name: string, head: Field, rest: readonly Field[], input: Val | undefined): Val {
  if (!head.known) return unresolved(m, name, head, rest, input);
  if (!/^set$/i.test(name)) return invoked(m, name, rest, input, head.span);
  const text = rest
    .filter(f => !/^\/[ap]$/i.test(f.text))
    .map(f => f.text)
    .join(" ");
  // Variables of the environment hold keys.
  if (text === "") return unknown(SECRET);
  const asked = rest.some(f => /^\/p$/i.test(f.text));
  const eq = text.indexOf("=");
  if (eq > 0)
    m.state.set(text.slice(0, eq).trim().toLowerCase(), {
      ...rest.at(-1)!,
      known: !asked && rest.every(f => f.known),
      text: text.slice(eq + 1),
    });
  return EMPTY;
}

/** `%JAVA_HOME%\bin\java` is `java` wherever it lies; `po%x%wershell` is what is left when `x` is empty. */
function unresolved(m: Machine, name: string, head: Field, rest: readonly Field[], input: Val | undefined): Val {
  const base = name.slice(Math.max(name.lastIndexOf("\\"), name.lastIndexOf("/")) + 1);
  if (base !== name && base !== "" && !base.includes(hole)) return invoked(m, base, rest, input, head.span);
  m.gap("unresolved_program", name.slice(0, 80), head.span);
  m.flow(m.bare(name.slice(0, 80), head.span), head, "shell");
  const left = bareText({ text: name, known: false });
  return left !== "" && understood(left.toLowerCase()) ? invoked(m, left, rest, input, head.span) : unknown();
}

function redirected(m: Machine, w: Piece, printed: Val): void {
  const reads = w.text[1] === "<";
  const target = expand(m, w.text.replace(/^\0(>>|>|<)/, ""));
  if (/^(nul|con|&\d|\d)$/i.test(target.text)) return;
  const path = m.place(windowsPath(target.text));
  const of = Math.max(0, m.subjects.length - 1);
  const share = shareHost(target.text);
  if (share !== undefined && !reads) m.flow(of, printed, "network", { text: share, known: true });
  m.file(of, reads ? "read" : "write", { text: path, known: target.known });
  if (!reads) m.files.set(path, printed);
}
