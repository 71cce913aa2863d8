/** What the calls of a scripting language do to files, hosts and data. */
import type { Subject, Word } from "../../facts.ts";
import { hostOf } from "../hosts.ts";
import { isSecret } from "../paths.ts";
import { invocation, type Io, TERMINAL } from "../run/machine.ts";
import { DECODED, NETWORK, SECRET } from "../taint.ts";
import { type Call, decoded, newCall, prints, type Yield } from "./calls.ts";
import type { Scanner } from "./code.ts";
import { addressed } from "./data-address.ts";
import type { Role } from "./roles.ts";
import { EMPTY, literal } from "../value.ts";
import { runCode } from "./text.ts";
import type { Token } from "./tokens.ts";

const isMode = /^[rwaxbt+]+$/;

export function opening(s: Scanner, call: Call): Yield {
  const [given, also] = call.strings;
  // `Path("a").open("w")`: the name stands before.
  const before = also === undefined && s.top.joins && isMode.test(given ?? "") ? s.top.strings.at(-1) : undefined;
  const [first, second] = before === undefined ? [given, also] : [before, given];
  // perl: `open F, ">>file"`.
  const arrow = second === undefined ? /^\s*(>>?)\s*(?=[\w./~])/.exec(first ?? "") : null;
  const path = arrow ? first!.slice(arrow[0].length) : first;
  const mode = arrow ? "w" : second;
  const piped = /^\s*\||\|\s*$/.test(path ?? "") ? path : undefined;
  if (path === "|-" || path === "-|") s.program(call.strings.slice(1), call);
  else if (piped !== undefined) s.shell([piped.replace(/^\s*\||\|\s*$/g, "")], call.taint);
  else if (path !== undefined && /[wax+>]/.test(mode ?? ""))
    s.opened = s.file(
      "write",
      mode?.includes(">") || isMode.test(mode ?? "") ? (mode?.startsWith(">") ? call.strings.at(-1) : path) : path,
    );
  else return reading(s, call);
  return { text: undefined, taint: call.taint };
}

export function reading(s: Scanner, call: Call): Yield {
  // `Path("/etc/shadow").read_text()`: what stands before the dot.
  // perl: `open F, "<file"`
  const path = call.strings[0]?.replace(/^\s*<\s*/, "") ?? (s.top.joins ? s.top.strings.at(-1) : undefined);
  if (path === undefined) return { text: undefined, taint: call.taint };
  return { text: undefined, taint: call.taint | readFrom(s, path) };
}

/** The taint of what is read there. */
function readFrom(s: Scanner, path: string): number {
  const place = s.file("read", path);
  if (!isSecret(place)) return 0;
  if (/^[~/]/.test(place)) s.secret ??= place;
  return SECRET;
}

/** Calls that only ask about a path, or compare it. */
const asks =
  /^(?:exists|existsSync|is_?file|is_?dir|stat|statSync|lstat|access|accessSync|exist\?|file\?|file_exists|startswith|startsWith|endswith|endsWith|includes|match|test|index|getenv|basename|dirname)$/i;

/** A call nothing is known about that is given a credential of the system or of a home reads it. */
export function givenSecret(s: Scanner, name: string, call: Call): number {
  let taint = 0;
  if (!asks.test(name) && !prints.test(name))
    for (const text of call.strings) if (/^[~/]/.test(text) && isSecret(s.m.place(text))) taint |= readFrom(s, text);
  return taint;
}

/** Code that fetches and evaluates runs what came. Code that reads a credential and posts: it leaves, however it gets there. */
export function ended(s: Scanner): void {
  argued(s);
  const { secret, fetched, m } = s;
  if (fetched && s.handsEval) m.flow(s.of, { ...EMPTY, taint: NETWORK, origin: { host: fetched } }, "interpreter");
  if (secret === undefined || !fetched || !/\b(?:post|put)\b/i.test(s.code.text)) return;
  m.flow(s.of, { ...EMPTY, taint: SECRET, origin: { path: s.word(secret) } }, "network", fetched);
}

/** `map(os.remove, list)`, `list.forEach(unlink)`; `find(sub { unlink }, dir)`. */
export function handsDelete(s: Scanner, role: Role | undefined, next: Token | undefined): void {
  if (role !== "deletes" && role !== "removesTrees") return;
  const { top } = s;
  // ruby: `Pathname("a").rmtree`, its parentheses left out.
  if (top.joins && (next === undefined || /^[\n;})]$/.test(next.text))) remove(s, newCall(""), role);
  else if (next?.text === "," || next?.text === ")") top.hands = role;
  else if (next?.text === "}" || next?.text === ";") s.deletesFound = true;
}

/** `Path.home() / ".ssh"` */
export function below({ top }: Scanner): void {
  if (!/^[~./]/.test(top.strings.at(-1) ?? "")) return;
  top.strings[top.strings.length - 1] += "/";
  top.joins = true;
}

/** `await import("https://…")`: fetched and run at once. */
export function imported(s: Scanner, url: string): Yield {
  s.fetched ??= s.word(hostOf(url));
  s.handsEval = true;
  return { text: undefined, taint: NETWORK };
}

/** Code of the same language. `.then(text => eval(text))`: what is run came from outside the call. */
export function evaluated(s: Scanner, call: Call): Yield {
  s.flow(call.taint, "interpreter");
  if (call.other && call.strings.every(text => text.trim() === "")) s.handsEval = true;
  for (const given of call.strings) {
    const text = addressed(given) ?? given;
    if (text.length > 8) runCode(s.m, s.d.names.split(" ")[0]!, literal(text), "eval", s.io);
  }
  return { text: undefined, taint: call.taint };
}

const argument = /@ARGV[^=;"']{0,9}=\s*\(?["']([~/][^"']*)/;

/** perl: `@ARGV = "file"; <>` reads the file. */
function argued(s: Scanner): void {
  const path = s.code.text.includes("<>") ? argument.exec(s.code.text)?.[1] : undefined;
  if (path !== undefined) readFrom(s, path);
}

/** `copy(from, to)`, `rename(from, to)`, `Path(from).rename(to)`. */
export function copied(s: Scanner, name: string, call: Call): void {
  const names = call.strings.length === 1 && s.top.joins ? [s.top.strings.at(-1)!, ...call.strings] : call.strings;
  const [from, to] = names;
  if (from === undefined || to === undefined) return;
  const goes = /^(?:move|mv|rename|replace)/.test(name);
  const [place, into] = [s.file(goes ? "write" : "read", from), s.file("write", to)];
  const held = s.m.files.get(place);
  if (held) s.m.files.set(into, held);
}

/** `requests.delete(url)`, `fetch(url, {method: "DELETE"})`: what `curl -X DELETE url` does. */
function deletion(s: Scanner, url: string, host: Word): void {
  const inv = invocation(s.m, "curl", s.m.at ?? [0, 0], [s.word(url)]);
  inv.flags.push({ name: "-X", value: { text: "DELETE", known: true } });
  s.m.facts.push({ kind: "net", of: s.m.subject(inv), does: "download", host });
}

const connects = /(?:^|\.)(?:request|HTTPS?Connection)$/;
const asHost = /^[\w-]+(?:\.[\w-]+)+(?::\d+)?$/;

export function fetch(s: Scanner, call: Call): Yield {
  const url =
    call.strings.find(s => /^(https?|ftp):\/\//.test(s)) ??
    (connects.test(call.name) ? call.strings.find(s => asHost.test(s)) : undefined);
  if (url === undefined && !call.name.includes("fetch") && !call.name.includes("urlopen")) {
    return call.name.includes("file_get_contents") ? reading(s, call) : { text: undefined, taint: call.taint };
  }
  const host = s.word(url === undefined ? "" : hostOf(url));
  s.fetched ??= host;
  const uploads = /post|put/i.test(call.name) || (call.taint & SECRET) !== 0;
  if (url !== undefined && (/\.del(?:ete)?$/.test(call.name) || call.strings.includes("DELETE")))
    deletion(s, url, host);
  s.m.facts.push({ kind: "net", of: s.of, does: uploads ? "upload" : "download", host });
  if ((call.taint & SECRET) !== 0) s.flow(SECRET, "network");
  return { text: undefined, taint: (call.taint & ~SECRET) | NETWORK };
}

export function connect(s: Scanner, call: Call): Yield {
  const host = call.strings.find(s => /[.:\w]/.test(s) && s.length > 1);
  if (host !== undefined || /connect|fsockopen|TCPSocket|INET|socket/.test(call.name)) s.host ??= s.word(host ?? "");
  if (host !== undefined) s.m.facts.push({ kind: "net", of: s.of, does: "connect", host: s.word(host) });
  return { text: undefined, taint: call.taint | NETWORK };
}

export function decode(name: string, call: Call): Yield {
  const text = call.strings.length > 0 ? decoded(name, call.strings) : undefined;
  const plain = (name === "from" || name === "pack" || name === "unpack") && text === undefined;
  return { text, taint: call.taint | (plain ? 0 : DECODED) };
}

/** The text on standard input, where it is known. */
export const inputOf = ({ input }: Io): string | undefined => (input?.val.known ? input.val.text : undefined);

/** awk: `-v name=text`, and `$0` is a line of the input. */
export function awkVariables(subject: Subject | undefined, io: Io): [name: string, text: string][] {
  const out: [string, string][] = [];
  for (const f of subject?.kind === "run" ? subject.flags : []) {
    const given = f.name === "-v" ? /^(\w+)=(.*)$/s.exec(f.value?.text ?? "") : null;
    if (given) out.push([given[1]!, given[2]!]);
  }
  const line = inputOf(io);
  if (line !== undefined) out.push(["$0", line]);
  return out;
}

const dumps =
  /^(?:\w+:)?(?:(?:process|Bun)\.env|os\.environ(?:\.copy|\.items)?|%ENV|\$_ENV|ENV(?:\.to_[\w.]+)?|Deno\.env\.toObject|os\.Environ|System\.getenv)$/;

/** All variables of the process at once, and not one of them: `dict(os.environ)`, `ENV.to_h`. */
export const dumpsEnvironment = (name: string): boolean => dumps.test(name);

/** awk: `"cmd" | getline`, `print | "cmd"`, `print > "file"`, `"/inet/tcp/…"`. */
export function piped(s: Scanner, text: string, list: Token[], i: number): boolean {
  const before = list[i - 1]?.text;
  // `getline < "file"`
  if (before === "<" && /^[~/]/.test(text)) return readFrom(s, text) >= 0;
  const after = list[i + 1]?.text;
  if (/^\/inet\d?\/(tcp|udp)\//.test(text)) {
    s.host = s.word(text.split("/")[4] ?? "");
    s.ranShell = true;
    return true;
  }
  if (before === ">" && list[i - 2]?.kind !== "number") {
    if (text.startsWith("/") || text.startsWith("~")) s.file("write", text);
    return true;
  }
  const pipe = before === "|" || (before === "&" && list[i - 2]?.text === "|");
  if (!pipe && !(after === "|" && list[i + 2]?.text.includes("getline"))) return false;
  s.shell([text], 0);
  return true;
}

const none: string[] = [];

export function remove(s: Scanner, call: Call, role: Role | undefined): Yield {
  const recursive = role === "removesTrees" || call.recursive;
  // `Path("/etc").rmdir()`: what stands before the dot.
  // `["a", "b"].forEach(unlink)`: the names stand before too.
  const before = call.hands !== undefined ? s.top.strings.splice(0) : s.top.joins ? s.top.strings.slice(-1) : none;
  const on = call.strings.length === 0 ? before : call.strings;
  if (on.length === 0) s.deletesFound = true;
  for (const path of on) if (!/^(recursive|force|utf-?8|rf)$/.test(path)) s.file("delete", path, recursive);
  return { text: undefined, taint: call.taint };
}

/** `import name`: the module this very command wrote. */
export function ownModule(s: Scanner, name: string): void {
  if (s.m.files.size === 0) return;
  const held = s.m.files.get(s.m.place(`${name}.py`));
  if (held?.known) runCode(s.m, "python", held, "import", TERMINAL);
}

/** `write_text(path, text)`: the file holds it from now on. */
export function wrote(s: Scanner, named: string | undefined, text: string | undefined): void {
  const path = s.file("write", named);
  if (path !== "" && text !== undefined && !/^utf-?8$/.test(text)) s.m.files.set(path, literal(text));
}
