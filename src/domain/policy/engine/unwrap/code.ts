import type { FileAct, Word } from "../../facts.ts";
import { invoke } from "../run/invoke.ts";
import { invocation, type Io, type Machine } from "../run/machine.ts";
import { NETWORK, SECRET, UNKNOWN } from "../taint.ts";
import { EMPTY, type Field, field, literal, type Val } from "../value.ts";
import {
  awkVariables,
  below,
  connect,
  copied,
  decode,
  dumpsEnvironment,
  ended,
  evaluated,
  fetch,
  givenSecret,
  handsDelete,
  imported,
  inputOf,
  opening,
  ownModule,
  piped,
  reading,
  remove,
  wrote,
} from "./acts.ts";
import { printing, sendOff, show } from "./shown.ts";
import {
  type Call,
  home,
  isShellName,
  namesPlace,
  last,
  newCall,
  prints,
  shellCalls,
  standsBeside,
  walks,
  type Yield,
} from "./calls.ts";
import type { Dialect } from "./dialects.ts";
import { withGiven } from "./given.ts";
import { filled, handOver, madeText } from "./made-texts.ts";
import { storeCall } from "./drivers.ts";
import { commandsAmong, forksForEver, phrases, spelled, starts } from "./literals.ts";
import { looksLikeCommand } from "../programs/passed-on.ts";
import { type Role, rolesOf } from "./roles.ts";
import { runText } from "./text.ts";
import { Variables } from "./variables.ts";
import { type Token, tokens } from "./tokens.ts";

/** Calls that yield the text they are given, and parentheses. */
const texts = new Set(["", "(", ..."chr fromCharCode str String decode encode bytes b toString strip".split(" ")]);

/** Reads code of a scripting language for what its calls would do; runs the strings handed to a shell. */
export function scan(m: Machine, d: Dialect, code: Val | Field, io: Io): Val {
  const of = m.subjects.length - 1;
  if (of < 0) return EMPTY;
  const scanner = new Scanner(m, d, of, code, io);
  const list = tokens(code.text, d.lexis);
  scanner.read(withGiven(m, list, code.text));
  scanner.literals(list);
  scanner.end();
  return scanner.printed;
}

export class Scanner {
  private readonly vars = new Variables(chars => this.m.work(chars));
  private readonly stack: Call[] = [newCall("")];
  host: Word | undefined;
  ranShell = false;
  /** Where code was fetched from, and whether what runs code was handed over to be called later: `.then(eval)`. */
  fetched: Word | undefined;
  handsEval = false;
  private readonly ran = new Set<string>();
  /** A tree the code walks through, and whether it deletes what it does not name. */
  walked: string | undefined;
  deletesFound = false;
  /** A credential of the system or of a home that the code reads. */
  secret: string | undefined;
  /** What the code prints: known where all of it is text. */
  printed: Val = EMPTY;
  /** The file opened last for writing. */
  opened: string | undefined;
  /** The variable the running statement sets. */
  private assigning = "";
  /** The variable that will hold what the statement's calls yield: `c = join(…)`. */
  private target = "";
  /** The first name of the running statement: `b, err := os.ReadFile(…)` sets it. */
  private first = "";
  readonly m: Machine;
  readonly d: Dialect;
  readonly of: number;
  readonly code: Val | Field;
  readonly io: Io;
  private readonly roles: Map<string, Role>;

  constructor(m: Machine, d: Dialect, of: number, code: Val | Field, io: Io) {
    this.m = m;
    this.d = d;
    this.of = of;
    this.code = code;
    this.io = io;
    this.roles = rolesOf(d);
    if (d.pipes) for (const [name, text] of awkVariables(m.subjects[of], io)) this.vars.set(name, text);
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
    if (forksForEver.test(this.code.text)) this.m.subject(invocation(this.m, "fork-bomb", this.m.at ?? [0, 0]));
    if (this.walked !== undefined && this.deletesFound) this.file("delete", this.walked, true);
    ended(this);
  }

  /** Runs the texts that are commands and that no call was seen to run. */
  literals(list: readonly Token[]): void {
    const { text: code } = this.code;
    if (!starts.test(code) && !this.d.pipes) return;
    const numbers = list.flatMap(t => (t.kind === "number" && +t.text > 9 && +t.text < 127 ? [Number(t.text)] : []));
    const texts = commandsAmong(phrases(list), code, chars => this.m.work(chars));
    const word = spelled(numbers, code);
    for (const text of word === undefined ? texts : [...texts, word]) {
      if (this.ran.has(text)) continue;
      this.shell([text], 0);
    }
  }

  get top(): Call {
    return this.stack[this.stack.length - 1] ?? newCall("");
  }

  private one(list: Token[], i: number): void {
    const t = list[i]!;
    const next = list[i + 1];
    if (t.kind === "command") this.top.taint |= this.shell([t.text], 0).taint & (SECRET | NETWORK);
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
    else if (text === "=" && this.stack.length === 1 && (before?.kind === "name" || before?.text === ":"))
      this.target = before.kind === "name" ? before.text : this.first;
    else if (text === "/") below(this);
    else this.top.joins = false;
  }

  /** Ends calls that were written without parentheses: `system "rm"` in perl and ruby. */
  private statement(): void {
    if (this.stack.length === 2 && this.stack[1]!.name.startsWith(" ")) this.close();
    if (this.stack.length === 1) {
      const [{ strings, taint }] = this.stack as [Call];
      if (this.target !== "" && (strings.length === 1 || taint !== 0))
        this.vars.set(this.target, strings.length === 1 ? strings[0] : undefined, taint);
      this.stack[0] = newCall("");
    }
    this.assigning = "";
    this.target = "";
    this.first = "";
  }

  private string(text: string, list: Token[], i: number): void {
    if (this.d.pipes && piped(this, text, list, i)) return;
    const call = this.top;
    text = this.vars.interpolated(text, list[i - 1]?.text);
    const before = call.strings.at(-1);
    if (this.d.pipes && standsBeside(list, i)) call.joins = before !== undefined;
    if (call.joins && before !== undefined && list[i - 1]?.text === "%")
      call.strings[call.strings.length - 1] = filled(before, [text]);
    else if (call.joins && before !== undefined) call.strings[call.strings.length - 1] += text;
    else call.strings.push(text);
    call.joins = false;
    if (text === "HOME" && /env|ENV/.test(`${list[i - 2]?.text}${call.name}`))
      call.strings[call.strings.length - 1] = "~";
    const assigned = list[i - 1]?.text === "=" && list[i - 2]?.kind === "name" ? list[i - 2] : undefined;
    if (assigned) this.assigning = assigned.text;
    else if (this.vars.appended(list, i, text)) return;
    if (assigned || this.top.strings.length === 1) this.vars.set(this.assigning, call.strings.at(-1));
  }

  private number(text: string): void {
    if (/(?:chr|fromCharCode)$/.test(this.top.name)) this.top.strings.push(String.fromCharCode(Number(text) & 0xffff));
  }

  private name(text: string, next: Token | undefined, list: Token[], i: number): void {
    if (this.first === "") this.first = text;
    if (next?.text !== "[" && next?.text !== "{" && dumpsEnvironment(text))
      for (const call of this.stack)
        if (this.roles.get(last(call.name)) === "fetches" || printing.test(call.name.trimStart())) call.taint |= SECRET;
    if (next?.text === "(") return void this.stack.push(newCall(text));
    const role = this.roles.get(last(text));
    if (role === "evals" && next?.text === ")") this.handsEval = true;
    handsDelete(this, role, next);
    const bare =
      (text === "exec" && role === "evals" && next?.kind === "name") ||
      next?.kind === "string" ||
      (next?.kind === "name" && (role === "runs" || this.d.lexis.perlQuotes === true));
    const shows = !this.d.pipes && printing.test(text) && (next?.kind === "string" || next?.kind === "name");
    if (((role && bare) || shows) && list[i - 1]?.text !== "." && this.stack.length < 40) {
      this.stack.push(newCall(` ${text}`));
      return;
    }
    if (/^recursive\b/i.test(text)) this.top.recursive = true;
    if (text === "%") {
      this.top.joins = next?.kind !== "number" && this.top.strings.length > 0;
      return;
    }
    if (text === "as" && next && list[i - 1]) this.renames(next.text, last(list[i - 1]!.text));
    const place = home.test(text) ? "~" : undefined;
    if (place !== undefined) return void this.top.strings.push(place);
    if (list[i - 1]?.text === "import") ownModule(this, text);
    // What a variable held before does not matter where it is set anew.
    if (next?.text === "=" && list[i + 2]?.text !== "=") return;
    const held = this.vars.get(text);
    if (!held) return void (this.top.other = true);
    this.top.taint |= held.taint;
    this.m.work(held.text?.length ?? 0);
    if (this.d.pipes && standsBeside(list, i)) this.top.joins = this.top.strings.length > 0;
    if (held.text === undefined) this.top.other = true;
    else if (this.top.joins && list[i - 1]?.text === "%")
      this.top.strings.push(filled(this.top.strings.pop()!, [held.text]));
    else if (this.top.joins) this.top.strings[this.top.strings.length - 1] += held.text;
    else this.top.strings.push(held.text);
  }

  /** `from os import system as s`. */
  private renames(name: string, of: string): void {
    const role = this.roles.get(of);
    if (role) this.vars.set(name, of);
  }

  private close(): void {
    const call = this.stack.pop();
    if (!call) return;
    const result = this.call(call);
    const parent = this.stack[this.stack.length - 1];
    if (!parent) return;
    handOver(call, result, parent);
  }

  /** What a call does, and what it yields. */
  private call(call: Call): Yield {
    const name = last(call.name.trimStart());
    const { strings, taint } = call;
    if (walks.test(name) && strings[0] !== undefined) this.walked ??= strings[0].replace(/\/?\*.*$/s, "") || "/";
    if (/stdin\.read|^input$|STDIN\.read|^gets$/.test(call.name)) return { text: inputOf(this.io), taint };
    if (name === "home" || name === "homedir") return { text: "~", taint };
    if (/^(import|include|include_once|require|require_once)$/.test(name) && /^https?:/.test(strings[0] ?? ""))
      return imported(this, strings[0]!);
    const made = madeText(name, call, this.top, this.vars.receiver(call.name));
    if (made) return made;
    if (namesPlace.test(name)) return { text: strings[0], taint };
    if (texts.has(name)) {
      return { text: strings.length > 0 ? strings.join(name === "(" || name === "" ? " " : "") : undefined, taint };
    }
    if (/^(write|writelines|print|puts|fputs)$/.test(name) && this.opened !== undefined && strings[0] !== undefined)
      this.m.files.set(this.opened, literal(strings.join("")));
    else if (printing.test(call.name.trimStart())) return show(this, call);
    sendOff(this, name, taint);
    if (storeCall(this.m, this.of, name, call, this.code.text)) return { text: undefined, taint };
    const named = this.roles.get(strings[0] ?? "");
    if (named === "deletes" || named === "removesTrees") this.deletesFound = true;
    const own = this.vars.get(call.name.trimStart())?.text;
    switch (this.roles.get(call.name.trimStart()) ?? this.roles.get(name) ?? this.roles.get(own ?? "")) {
      case "runs":
        this.run(call);
        return { text: undefined, taint: taint | UNKNOWN };
      case "execs":
        this.ranShell ||= isShellName(strings[0] ?? "");
        this.program([strings[0] ?? "", ...strings.slice(2)], call);
        return { text: undefined, taint };
      case "evals":
        return evaluated(this, call);
      case "deletes":
      case "removesTrees":
        return remove(this, call, this.roles.get(name) ?? this.roles.get(own ?? ""));
      case "reads":
        // `Path('.env').read_text()`: the name stands before.
        return reading(this, strings.length > 0 ? call : { ...call, strings: this.top.strings.splice(-1) });
      case "copies":
        copied(this, name, call);
        return { text: undefined, taint };
      case "loads":
        this.file("execute", strings[0]?.includes("/") ? strings[0] : undefined);
        return { text: undefined, taint };
      case "writes":
        if (strings.length === 1 && this.top.joins) wrote(this, this.top.strings.at(-1), strings[0]);
        else wrote(this, strings[0], strings[1]);
        return { text: undefined, taint };
      case "opens":
        return opening(this, call);
      case "fetches":
        return fetch(this, call);
      case "sockets":
        return connect(this, call);
      case "decodes":
        return decode(name, call);
      default:
        if (strings.length > 1 && looksLikeCommand(strings.join(" ")) && !prints.test(name))
          this.program(strings, call);
        if (call.hands !== undefined) remove(this, call, call.hands);
        return { text: undefined, taint: taint | givenSecret(this, name, call) };
    }
  }

  private run(call: Call): void {
    const { strings } = call;
    if (this.host && (call.other || strings.some(s => /[$#]\{?\w/.test(s)))) this.ranShell = true;
    if (strings.every(text => text.trim() === "")) {
      this.ranShell = true;
      this.handsEval = true;
      // awk has nothing but text: a field or a variable alone is the whole command.
      if (this.d.pipes && strings.length === 0)
        this.m.facts.push({ kind: "flow", of: this.of, from: "unknown", to: "shell" });
      this.flow(call.taint, "shell");
      if (call.other && shellCalls.test(call.name)) this.m.flow(this.of, { ...EMPTY, taint: UNKNOWN }, "shell");
      return;
    }
    this.flow(call.taint, "shell");
    if (call.list || strings.length > 1) this.program(strings, call);
    else this.shell(strings, call.taint);
  }

  shell(strings: string[], taint: number): Val {
    const text = strings[0]!;
    this.ran.add(text);
    if (isShellName(text.trim().split(/\s/)[0]!) || /[$#%{]/.test(text)) this.ranShell = true;
    this.flow(taint, "shell");
    if (/\$@\s*\|\s*(ba|da|z)?sh\b/.test(text))
      this.m.facts.push({ kind: "flow", of: this.of, from: "shell", to: "executed" });
    return this.asSpawned(() => runText(this.m, this.field(text), `${this.d.names.split(" ")[0]} code`, this.io));
  }

  program(strings: string[], call: Call): void {
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

  private asSpawned<T>(body: () => T): T {
    const before = this.m.spawned;
    this.m.spawned = true;
    const result = this.m.subshell(body);
    this.m.spawned = before;
    return result;
  }

  flow(taint: number, to: "shell" | "interpreter" | "network"): void {
    if (taint !== 0)
      this.m.flow(
        this.of,
        { ...EMPTY, taint: taint & ~UNKNOWN, origin: this.host ? { host: this.host } : undefined },
        to,
      );
  }

  file(does: FileAct, path: string | undefined, recursive = false): string {
    if (!path) return "";
    const place = this.m.place(path);
    this.m.file(this.of, does, this.word(place), recursive);
    return place;
  }

  word(text: string): Word {
    return { text, known: text !== "", ...("span" in this.code ? { span: this.code.span } : undefined) };
  }

  private field(text: string): Field {
    return field(literal(text), "span" in this.code ? this.code.span : (this.m.base ?? [0, 0]));
  }
}
