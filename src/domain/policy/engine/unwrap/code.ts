import type { Word } from "../../facts.ts";
import { isSecret } from "../paths.ts";
import { invoke } from "../run/invoke.ts";
import type { Io, Machine } from "../run/machine.ts";
import { DECODED, NETWORK, SECRET, UNKNOWN } from "../taint.ts";
import { EMPTY, type Field, field, literal, type Val } from "../value.ts";
import { base64Decode, hexDecode } from "../fold/encodings.ts";
import { hostOf } from "../hosts.ts";
import type { Dialect } from "./dialects.ts";
import { type Role, rolesOf } from "./roles.ts";
import { runCode, runText } from "./text.ts";
import { type Token, tokens } from "./tokens.ts";

/** A call being read: its name and the strings seen among its arguments. */
interface Call {
  name: string;
  strings: string[];
  /** Strings stood in a list, or apart from each other: arguments rather than one text. */
  list: boolean;
  taint: number;
  /** The last thing was a string and an operator that joins came after it. */
  joins: boolean;
  /** Something that is no string was among the arguments. */
  other: boolean;
}

const newCall = (name: string): Call => ({ name, strings: [], list: false, taint: 0, joins: false, other: false });

/** Reads code of a scripting language for what its calls would do; runs the strings handed to a shell. */
export function scan(m: Machine, d: Dialect, code: Val | Field, io: Io): Val {
  const of = m.subjects.length - 1;
  if (of < 0) return EMPTY;
  const scanner = new Scanner(m, d, of, code, io);
  scanner.read(tokens(code.text, d.lexis));
  scanner.end();
  return EMPTY;
}

class Scanner {
  private readonly vars = new Map<string, { text: string | undefined; taint: number }>();
  private readonly stack: Call[] = [newCall("")];
  private host: Word | undefined;
  private ranShell = false;
  /** Where code was fetched from, and whether what runs code was handed over to be called later: `.then(eval)`. */
  private fetched: Word | undefined;
  private handsEval = false;
  private readonly m: Machine;
  private readonly d: Dialect;
  private readonly of: number;
  private readonly code: Val | Field;
  private readonly io: Io;
  private readonly roles: Map<string, Role>;

  constructor(m: Machine, d: Dialect, of: number, code: Val | Field, io: Io) {
    this.m = m;
    this.d = d;
    this.of = of;
    this.code = code;
    this.io = io;
    this.roles = rolesOf(d);
  }

  read(list: Token[]): void {
    for (let i = 0; i < list.length; i++) {
      if (i % 8 === 0) this.m.step();
      this.one(list, i);
    }
    while (this.stack.length > 0) this.close();
  }

  end(): void {
    if (this.host && this.ranShell) this.m.wired(this.of, this.host);
    const { fetched: host } = this;
    if (host && this.handsEval) this.m.flow(this.of, { ...EMPTY, taint: NETWORK, origin: { host } }, "interpreter");
  }

  private get top(): Call {
    return this.stack.at(-1) ?? newCall("");
  }

  private one(list: Token[], i: number): void {
    const t = list[i]!;
    const next = list[i + 1];
    if (t.kind === "command") this.shell([t.text], 0);
    else if (t.kind === "string") this.string(t.text, list, i);
    else if (t.kind === "number") this.number(t.text);
    else if (t.kind === "name") this.name(t.text, next, list, i);
    else this.mark(t.text, list[i - 1]);
  }

  private mark(text: string, before: Token | undefined): void {
    if (text === "(") {
      if (before?.kind !== "name") this.stack.push(newCall(before?.text === ")" ? "()" : "("));
    } else if (text === ")") this.close();
    else if (text === "[" || text === "{") this.top.list = true;
    else if (text === "+" || text === "." || text === "%") this.top.joins = this.top.strings.length > 0;
    else if (text === "\n" || text === ";") this.statement();
    else this.top.joins = false;
  }

  /** Ends calls that were written without parentheses: `system "rm"` in perl and ruby. */
  private statement(): void {
    if (this.stack.length === 2 && this.stack[1]!.name.startsWith(" ")) this.close();
    if (this.stack.length === 1) this.stack[0] = newCall("");
  }

  private string(text: string, list: Token[], i: number): void {
    if (this.d.pipes && this.piped(text, list, i)) return;
    const call = this.top;
    if (call.joins && call.strings.length > 0) call.strings[call.strings.length - 1] += text;
    else call.strings.push(text);
    call.joins = false;
    const assigned = list[i - 1]?.text === "=" && list[i - 2]?.kind === "name" ? list[i - 2] : undefined;
    if (assigned) this.vars.set(assigned.text, { text, taint: 0 });
  }

  /** awk: `"cmd" | getline`, `print | "cmd"`, `print > "file"`, `"/inet/tcp/…"`. */
  private piped(text: string, list: Token[], i: number): boolean {
    const before = list[i - 1]?.text;
    const after = list[i + 1]?.text;
    if (/^\/inet\d?\/(tcp|udp)\//.test(text)) {
      this.host = this.word(text.split("/")[4] ?? "");
      this.ranShell = true;
      return true;
    }
    if (before === ">" && list[i - 2]?.kind !== "number") {
      if (text.startsWith("/") || text.startsWith("~")) this.file("write", text);
      return true;
    }
    const pipe = before === "|" || (before === "&" && list[i - 2]?.text === "|");
    if (!pipe && !(after === "|" && list[i + 2]?.text.includes("getline"))) return false;
    this.shell([text], 0);
    return true;
  }

  private number(text: string): void {
    if (this.top.name.endsWith("chr") || this.top.name.endsWith("fromCharCode")) {
      this.top.strings.push(String.fromCharCode(Number(text) & 0xffff));
    }
  }

  private name(text: string, next: Token | undefined, list: Token[], i: number): void {
    if (next?.text === "(") {
      this.stack.push(newCall(text));
      return;
    }
    const role = this.roles.get(last(text));
    if (role === "evals" && next?.text === ")") this.handsEval = true;
    const bare = next?.kind === "string" || (next?.kind === "name" && role === "runs");
    if (role && bare && list[i - 1]?.text !== "." && this.stack.length < 40) {
      this.stack.push(newCall(` ${text}`));
      return;
    }
    const held = this.vars.get(text);
    if (!held) {
      this.top.other = true;
      return;
    }
    this.top.taint |= held.taint;
    if (held.text === undefined) this.top.other = true;
    else if (this.top.joins) this.top.strings[this.top.strings.length - 1] += held.text;
    else this.top.strings.push(held.text);
  }

  private close(): void {
    const call = this.stack.pop();
    if (!call) return;
    const result = this.call(call);
    const parent = this.stack.at(-1);
    if (!parent) return;
    parent.taint |= result.taint;
    parent.list ||= call.name === "(" && call.list;
    if (result.text === undefined) parent.other = true;
    else if (call.name === "(" && call.strings.length > 1) parent.strings.push(...call.strings);
    else if (parent.joins && parent.strings.length > 0) parent.strings[parent.strings.length - 1] += result.text;
    else parent.strings.push(result.text);
  }

  /** What a call does, and what it yields. */
  private call(call: Call): { text: string | undefined; taint: number } {
    const name = last(call.name.trimStart());
    const { strings, taint } = call;
    if (/^(chr|fromCharCode|join|str|String|decode|encode|bytes|b|toString|strip|\(|)$/.test(name)) {
      return { text: strings.length > 0 ? strings.join(name === "(" || name === "" ? " " : "") : undefined, taint };
    }
    switch (this.roles.get(call.name.trimStart()) ?? this.roles.get(name)) {
      case "runs":
        this.run(call);
        return { text: undefined, taint: taint | UNKNOWN };
      case "execs":
        this.ranShell ||= isShellName(strings[0] ?? "");
        this.program([strings[0] ?? "", ...strings.slice(2)], call);
        return { text: undefined, taint };
      case "evals":
        return this.evaluated(call);
      case "deletes":
      case "removesTrees":
        return this.remove(name, call);
      case "reads":
        return this.reading(call);
      case "writes":
        this.file("write", strings[0]);
        return { text: undefined, taint };
      case "opens":
        return this.opening(call);
      case "fetches":
        return this.fetch(call);
      case "sockets":
        return this.connect(call);
      case "decodes":
        return this.decode(name, call);
      default:
        return { text: undefined, taint };
    }
  }

  private remove(name: string, call: Call): { text: undefined; taint: number } {
    const recursive = this.roles.get(name) === "removesTrees";
    for (const path of call.strings) if (!/^(recursive|force|utf-?8)$/.test(path)) this.file("delete", path, recursive);
    return { text: undefined, taint: call.taint };
  }

  private run(call: Call): void {
    const { strings } = call;
    if (this.host && (call.other || strings.some(s => /[$#]\{?\w/.test(s)))) this.ranShell = true;
    if (strings.length === 0) {
      this.ranShell = true;
      this.flow(call.taint, "shell");
      return;
    }
    this.flow(call.taint, "shell");
    if (call.list || strings.length > 1) this.program(strings, call);
    else this.shell(strings, call.taint);
  }

  private shell(strings: string[], taint: number): void {
    const text = strings[0]!;
    if (isShellName(text.trim().split(/\s/)[0]!) || /[$#%{]/.test(text)) this.ranShell = true;
    this.flow(taint, "shell");
    if (/\$@\s*\|\s*(ba|da|z)?sh\b/.test(text))
      this.m.facts.push({ kind: "flow", of: this.of, from: "shell", to: "executed" });
    this.asSpawned(() => runText(this.m, this.field(text), `${this.d.names.split(" ")[0]} code`, this.io));
  }

  private program(strings: string[], call: Call): void {
    const words = strings.filter(s => s !== "");
    if (words.length === 0 || /\s/.test(words[0]!)) {
      if (words.length > 0) this.shell([words[0]!], call.taint);
      return;
    }
    if (isShellName(words[0]!)) this.ranShell = true;
    const via = `${this.d.names.split(" ")[0]} code`;
    this.asSpawned(() =>
      this.m.within(via, () =>
        invoke(
          this.m,
          words.map(w => this.field(w)),
          this.io,
        ),
      ),
    );
  }

  private asSpawned(body: () => unknown): void {
    const before = this.m.spawned;
    this.m.spawned = true;
    this.m.subshell(body);
    this.m.spawned = before;
  }

  private evaluated(call: Call): { text: undefined; taint: number } {
    this.flow(call.taint, "interpreter");
    for (const text of call.strings) {
      if (text.length > 8) runCode(this.m, this.d.names.split(" ")[0]!, literal(text), "eval", this.io);
    }
    return { text: undefined, taint: call.taint };
  }

  private opening(call: Call): { text: string | undefined; taint: number } {
    const [path, mode] = call.strings;
    const piped = /^\s*\||\|\s*$/.test(path ?? "") ? path : undefined;
    if (piped !== undefined) this.shell([piped.replace(/^\s*\||\|\s*$/g, "")], call.taint);
    else if (path !== undefined && /[wax+>]/.test(mode ?? ""))
      this.file(
        "write",
        mode?.includes(">") || /^[wax+rbt]+$/.test(mode ?? "")
          ? mode?.startsWith(">")
            ? call.strings.at(-1)
            : path
          : path,
      );
    else return this.reading(call);
    return { text: undefined, taint: call.taint };
  }

  private reading(call: Call): { text: undefined; taint: number } {
    const path = call.strings[0];
    if (path === undefined) return { text: undefined, taint: call.taint };
    const place = this.file("read", path);
    return { text: undefined, taint: call.taint | (isSecret(place) ? SECRET : 0) };
  }

  private fetch(call: Call): { text: undefined; taint: number } {
    const url = call.strings.find(s => /^(https?|ftp):\/\//.test(s));
    if (url === undefined && !call.name.includes("fetch") && !call.name.includes("urlopen")) {
      return call.name.includes("file_get_contents") ? this.reading(call) : { text: undefined, taint: call.taint };
    }
    const host = this.word(url === undefined ? "" : hostOf(url));
    this.fetched ??= host;
    const uploads = /post|put/i.test(call.name) || (call.taint & SECRET) !== 0;
    this.m.facts.push({ kind: "net", of: this.of, does: uploads ? "upload" : "download", host });
    if ((call.taint & SECRET) !== 0) this.flow(SECRET, "network");
    return { text: undefined, taint: (call.taint & ~SECRET) | NETWORK };
  }

  private connect(call: Call): { text: undefined; taint: number } {
    const host = call.strings.find(s => /[.:\w]/.test(s) && s.length > 1);
    if (host !== undefined || /connect|fsockopen|TCPSocket|INET|socket/.test(call.name))
      this.host ??= this.word(host ?? "");
    if (host !== undefined) this.m.facts.push({ kind: "net", of: this.of, does: "connect", host: this.word(host) });
    return { text: undefined, taint: call.taint | NETWORK };
  }

  private decode(name: string, call: Call): { text: string | undefined; taint: number } {
    const text = call.strings.length > 0 ? decoded(name, call.strings) : undefined;
    const plain = (name === "from" || name === "pack" || name === "unpack") && text === undefined;
    return { text, taint: call.taint | (plain ? 0 : DECODED) };
  }

  private flow(taint: number, to: "shell" | "interpreter" | "network"): void {
    if (taint !== 0)
      this.m.flow(
        this.of,
        { ...EMPTY, taint: taint & ~UNKNOWN, origin: this.host ? { host: this.host } : undefined },
        to,
      );
  }

  private file(does: "read" | "write" | "delete", path: string | undefined, recursive = false): string {
    if (!path) return "";
    const place = this.m.places.of(path, this.m.state.cwd);
    this.m.file(this.of, does, { ...this.word(place) }, recursive);
    return place;
  }

  private word(text: string): Word {
    return { text, known: text !== "", ...("span" in this.code ? { span: this.code.span } : undefined) };
  }

  private field(text: string): Field {
    return field(literal(text), "span" in this.code ? this.code.span : (this.m.base ?? [0, 0]));
  }
}

const last = (name: string): string =>
  name.slice(Math.max(name.lastIndexOf("."), name.lastIndexOf(":"), name.lastIndexOf(">")) + 1);

const isShellName = (text: string): boolean =>
  /^(\/\S*\/)?(ba|da|z|k|a|c|tc|fi)?sh$|^cmd(\.exe)?$|^powershell/.test(text);

function decoded(name: string, strings: readonly string[]): string | undefined {
  const text = strings[0]!;
  if (name === "from" && !strings.includes("base64") && !strings.includes("hex")) return undefined;
  if (name === "unhexlify" || name === "fromhex" || name === "hex2bin" || strings.includes("hex"))
    return hexDecode(text);
  return base64Decode(text);
}
