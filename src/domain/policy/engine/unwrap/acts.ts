/** What the calls of a scripting language do to files, hosts and data. */
import type { Subject } from "../../facts.ts";
import { hostOf } from "../hosts.ts";
import { isSecret } from "../paths.ts";
import { type Io, TERMINAL } from "../run/machine.ts";
import { DECODED, NETWORK, SECRET } from "../taint.ts";
import { type Call, decoded, type Yield } from "./calls.ts";
import type { Scanner } from "./code.ts";
import type { Role } from "./roles.ts";
import { literal } from "../value.ts";
import { runCode } from "./text.ts";
import type { Token } from "./tokens.ts";

export function opening(s: Scanner, call: Call): Yield {
  const [first, second] = call.strings;
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
      mode?.includes(">") || /^[wax+rbt]+$/.test(mode ?? "")
        ? mode?.startsWith(">")
          ? call.strings.at(-1)
          : path
        : path,
    );
  else return reading(s, call);
  return { text: undefined, taint: call.taint };
}

export function reading(s: Scanner, call: Call): Yield {
  // `Path("/etc/shadow").read_text()`: what stands before the dot.
  const path = call.strings[0] ?? (s.top.joins ? s.top.strings.at(-1) : undefined);
  if (path === undefined) return { text: undefined, taint: call.taint };
  const place = s.file("read", path);
  return { text: undefined, taint: call.taint | (isSecret(place) ? SECRET : 0) };
}

export function fetch(s: Scanner, call: Call): Yield {
  const url = call.strings.find(s => /^(https?|ftp):\/\//.test(s));
  if (url === undefined && !call.name.includes("fetch") && !call.name.includes("urlopen")) {
    return call.name.includes("file_get_contents") ? reading(s, call) : { text: undefined, taint: call.taint };
  }
  const host = s.word(url === undefined ? "" : hostOf(url));
  s.fetched ??= host;
  const uploads = /post|put/i.test(call.name) || (call.taint & SECRET) !== 0;
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

export function remove(s: Scanner, call: Call, role: Role | undefined): Yield {
  const recursive = role === "removesTrees" || call.recursive;
  // `Path("/etc").rmdir()`: what stands before the dot.
  const on = call.strings.length === 0 && s.top.joins ? s.top.strings.slice(-1) : call.strings;
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
