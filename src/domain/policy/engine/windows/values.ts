import type { Machine } from "../run/machine.ts";
import { isSecretName } from "../run/state.ts";
import { SECRET, UNKNOWN } from "../taint.ts";
import { concat, EMPTY, join, literal, merged, unknown, type Val } from "../value.ts";
import { block } from "./blocks.ts";
import { characters, elements, flat, indexed, listOf, operated, PART, range, textMethod } from "./lists.ts";
import { items } from "./job.ts";
import { directory } from "./objects.ts";
import { constant, methodCall, property, staticCall, typeName } from "./dotnet.ts";
import { isTable, memberOf } from "./tables.ts";
import { type Piece, pieces, scope } from "./tokens.ts";

/** Runs source in the shell it stands in; given by the caller, because values hold commands and commands values. */
export type Run = (source: string) => Val;

const places: Record<string, string> = {
  home: "~",
  "env:userprofile": "~",
  "env:home": "~",
  "env:homepath": "~",
  "env:temp": "/tmp",
  "env:tmp": "/tmp",
  "env:comspec": "C:\\Windows\\System32\\cmd.exe",
  shellid: "Microsoft.PowerShell",
  verbosepreference: "SilentlyContinue",
  "env:systemroot": "C:\\Windows",
  "env:windir": "C:\\Windows",
  "env:systemdrive": "C:",
  "env:appdata": "~\\AppData\\Roaming",
  "env:localappdata": "~\\AppData\\Local",
  "env:programdata": "C:\\ProgramData",
  "env:programfiles": "C:\\Program Files",
  "env:allusersprofile": "C:\\ProgramData",
  "env:public": "C:\\Users\\Public",
  "env:homedrive": "C:",
  profile: "~\\Documents\\PowerShell\\Microsoft.PowerShell_profile.ps1",
  pwd: ".",
  psscriptroot: ".",
  pshome: "C:\\Windows\\System32\\WindowsPowerShell\\v1.0",
  null: "",
  true: "True",
  false: "False",
};

export function variable(m: Machine, name: string): Val {
  const lower = name.toLowerCase().replace(scope, "");
  const held = m.state.vars?.get(lower)?.val;
  if (held) return held;
  const place = places[lower];
  if (place !== undefined) return literal(place);
  return unknown(lower.startsWith("env:") && isSecretName(name.slice(4)) ? SECRET : UNKNOWN);
}

/** Text in double quotes: `$name` and `$(…)` are replaced. */
function expanded(m: Machine, text: string, run: Run): Val {
  if (!text.includes("$")) return literal(text.replaceAll("\u0001", "$"));
  let out: Val = EMPTY;
  let from = 0;
  const found =
    /\$(\{[^{}]+\}|(?:(?:env|global|script|local|private|using|variable):)?\w+|\((?:[^()]|\([^()]*\))*\))/gi;
  for (const hit of text.matchAll(found)) {
    out = concat(out, literal(text.slice(from, hit.index)));
    const held = hit[1]!.startsWith("(") ? run(hit[1]!.slice(1, -1)) : variable(m, hit[1]!.replace(/[{}]/g, ""));
    out = concat(out, flat(held));
    from = hit.index + hit[0].length;
  }
  out = concat(out, literal(text.slice(from)));
  return { ...out, text: out.text.replaceAll("\u0001", "$") };
}

/** The value of a run of pieces: strings joined by `+`, formatted by `-f`, decoded, fetched by methods of .NET classes. */
export function evaluate(m: Machine, list: readonly Piece[], run: Run, left?: Val): Val {
  m.step();
  const [first, last] = [list[0], list.at(-1)];
  if (first && last) m.work(last.at + last.text.length - first.at);
  const branch = list.findIndex(p => p.kind === "word" && p.text === "?");
  if (branch > 0) return ternary(m, list.slice(branch + 1), run);
  const items: Val[] = [];
  let value = left;
  for (let i = 0; i < list.length; i++) {
    const p = list[i]!;
    const before = value;
    if (p.kind === "mark" && p.text === "+" && i > 0)
      return sum(listOf([...items, value ?? EMPTY]), evaluate(m, list.slice(i + 1), run));
    if (p.kind === "mark" && p.text === ",") {
      if (value !== undefined) items.push(value);
      value = undefined;
    } else if (isOperator(p) && (value || (i === 0 && list.length > 1 && unary.test(p.text))))
      return operator(m, p.text.toLowerCase(), value && listOf([...items, value]), list.slice(i + 1), run);
    else if (p.kind === "word" && p.joined && value !== undefined && /^(\.|::)/.test(p.text)) {
      const behind = spelled(m, p, list[i + 1], run);
      if (behind !== "") i++;
      const name = p.text + behind;
      const args = list[i + 1]?.kind === "group" && list[i + 1]!.joined ? list[++i]! : undefined;
      value = method(m, value, name, args, run);
    } else if (p.kind === "index" && before !== undefined) value = at(m, before, evaluate(m, pieces(p.text), run), run);
    else if (p.kind === "index") return listOf([...items, typed(m, list, i, run)]);
    else value = before === undefined ? atom(m, p, run) : concat(before, atom(m, p, run));
  }
  return listOf(value ? [...items, value] : items);
}

/** `condition ? a : b`: either may be the one. */
function ternary(m: Machine, list: readonly Piece[], run: Run): Val {
  const colon = list.findIndex(p => p.kind === "word" && p.text === ":");
  if (colon < 0) return unknown();
  return listOf([evaluate(m, list.slice(0, colon), run), evaluate(m, list.slice(colon + 1), run)]);
}

/** `$x.$name`, `$x.'name'`: a member's name that is a value. */
const spelled = (m: Machine, p: Piece, next: Piece | undefined, run: Run): string =>
  /[.:]$/.test(p.text) && next?.joined && /^(variable|string|expand|group)$/.test(next.kind)
    ? flat(atom(m, next, run)).text
    : "";

/** `$list[0]`, `$table['name']`. */
const at = (m: Machine, on: Val, key: Val, run: Run): Val =>
  (key.known && isTable(on) && memberOf(m, on, key.text, list => evaluate(m, list, run))) || indexed(on, key);

const unary = /^-[ci]?(join|split)$/i;
const textual = /^-[ci]?(join|split|replace|f)$/i;
const isOperator = (p: Piece): boolean =>
  p.kind === "word" && (p.joined ? textual.test(p.text) : /^-[a-z]/i.test(p.text));

const sum = (a: Val, b: Val): Val => (a.text.includes(PART) && b.text !== "" ? listOf([a, b]) : concat(a, b));

function atom(m: Machine, p: Piece, run: Run): Val {
  switch (p.kind) {
    case "word":
      return literal(range(p.text) ?? p.text);
    case "expand":
      return expanded(m, p.text, run);
    case "variable":
      return variable(m, p.text);
    case "group":
    case "sub":
      return grouped(m, p.text, run);
    case "block":
      return block(p.text);
    case "table":
      return { ...literal(p.text), ...heldBy(m, p.text, run) };
    default:
      return literal(p.text);
  }
}

/** `($x = value)` yields the value. */
function grouped(m: Machine, text: string, run: Run): Val {
  const printed = run(text);
  const name = printed === EMPTY ? /^\s*\$(\w+)\s*=(?!=)/.exec(text)?.[1] : undefined;
  return name === undefined ? printed : variable(m, name);
}

/** What a table's values carry: `@{key = (Get-Content .env)}`. */
function heldBy(m: Machine, text: string, run: Run): { taint: number; origin: Val["origin"] } {
  const inner = /[($]/.test(text) ? pieces(text).filter(p => /^(group|sub|variable)$/.test(p.kind)) : [];
  const { taint, origin } = merged(inner.map(p => atom(m, p, run)));
  return { taint: taint & ~UNKNOWN, origin };
}

/** `left -op right`, and what stands behind; without a left side `-join list`. */
function operator(m: Machine, name: string, left: Val | undefined, rest: readonly Piece[], run: Run): Val {
  const next = rest.findIndex((p, i) => i > 0 && isOperator(p));
  const own = next < 0 ? rest : rest.slice(0, next);
  const right = evaluate(m, own, run);
  if (name === "-as" && left) return right.text === "[type]" ? { ...left, text: typeName(left.text) } : left;
  const done = left ? operated(name, left, right) : operated(name, right, literal(name === "-join" ? "" : " "));
  return next < 0 ? done : evaluate(m, rest.slice(next), run, done);
}

/** `[char]105`, `[Convert]::FromBase64String('…')`, `[Text.Encoding]::UTF8.GetString(…)`, a cast. */
function typed(m: Machine, list: readonly Piece[], i: number, run: Run): Val {
  const type = typeName(list[i]!.text);
  const rest = list.slice(i + 1);
  const stop = rest.findIndex(p => (p.kind === "mark" && /^[+,]$/.test(p.text)) || isOperator(p));
  const own = stop < 0 ? rest : rest.slice(0, stop);
  const made = isMember(own[0]) ? members(m, type, own, run) : cast(m, type, own, run);
  if (stop >= 0 && isOperator(rest[stop]!)) return evaluate(m, rest.slice(stop), run, made);
  if (rest[stop]?.text === ",") return listOf([made, evaluate(m, rest.slice(stop + 1), run)]);
  return stop < 0 ? made : concat(made, evaluate(m, rest.slice(stop + 1), run));
}

const isMember = (p: Piece | undefined): boolean => p?.kind === "word" && p.joined && /^(\.|::)/.test(p.text);

function cast(m: Machine, type: string, list: readonly Piece[], run: Run): Val {
  if (list.length === 0) return literal(type);
  const own = evaluate(m, list, run);
  if (/^\[io\.(directory|file)info\]$/.test(type)) return items(own.text, own.known);
  if (type === "[type]") return { ...own, text: typeName(own.text) };
  if (type === "[adsi]" || type === "[directoryservices.directoryentry]") return directory(own.text);
  return type.startsWith("[char") ? characters(own) : own;
}

/** `[type]::A.B(x).C(y)`: the first call is one of the type, what follows one of its value. */
function members(m: Machine, type: string, list: readonly Piece[], run: Run): Val {
  let name = type;
  let value: Val | undefined;
  for (let i = 0; i < list.length; i++) {
    const p = list[i]!;
    if (p.kind === "mark" && p.text === "=") {
      staticCall(m, name, [evaluate(m, list.slice(i + 1), run)]);
      return EMPTY;
    }
    const behind = spelled(m, p, list[i + 1], run);
    if (behind !== "") i++;
    if (!isMember(p)) return { ...(value ?? unknown(0)), known: false };
    const group = list[i + 1]?.kind === "group" && list[i + 1]!.joined ? list[++i]! : undefined;
    if (value !== undefined) value = method(m, value, p.text + behind, group, run);
    else {
      name += (p.text + behind).toLowerCase();
      if (group)
        value = name === "[array]::reverse" ? reversed(m, group) : staticCall(m, name, argumentsOf(m, group, run));
    }
  }
  return value ?? constant(name) ?? unknown(UNKNOWN);
}

/** `[array]::Reverse($x)` turns round what the variable holds. */
function reversed(m: Machine, group: Piece): Val {
  const [named] = pieces(group.text);
  if (named?.kind !== "variable") return EMPTY;
  const held = variable(m, named.text);
  m.state.set(named.text.toLowerCase(), { ...held, text: elements(held).reverse().join(PART) });
  return EMPTY;
}

/** The arguments of a call, one value each. */
export function argumentsOf(m: Machine, group: Piece, run: Run): Val[] {
  const out: Val[] = [];
  let part: Piece[] = [];
  for (const p of [...pieces(group.text), undefined]) {
    if (p !== undefined && !(p.kind === "mark" && p.text === ",")) part.push(p);
    else if (part.length > 0) {
      out.push(evaluate(m, part, run));
      part = [];
    }
  }
  return out;
}

/** `$t.a.b`, `$t.Item('a')`: what is behind the members of tables is a member of their value. */
function tableMember(m: Machine, on: Val, names: string, group: Piece | undefined, run: Run): Val | undefined {
  const of = (table: Val, name: string) => memberOf(m, table, name, list => evaluate(m, list, run));
  if (group && /^(get_)?item$/i.test(names)) return of(on, argumentsOf(m, group, run)[0]?.text ?? "");
  const [name = "", ...rest] = names.split(".");
  const found = of(on, name);
  if (found === undefined || (rest.length === 0 && (!group || /^getenumerator$/i.test(name)))) return found;
  return rest.length === 0 ? undefined : method(m, found, `.${rest.join(".")}`, group, run);
}

function method(m: Machine, on: Val, name: string, group: Piece | undefined, run: Run): Val {
  const lower = name.toLowerCase().replace(/^(\.|::)/, "");
  const held = isTable(on) ? tableMember(m, on, name.replace(/^\./, ""), group, run) : undefined;
  if (held) return held;
  if (group && name.startsWith("::") && /^\[[\w.]+\]$/.test(on.text))
    return staticCall(m, on.text + name.toLowerCase(), argumentsOf(m, group, run));
  if (!group) {
    const place = property(on, lower);
    if (place) return place;
  }
  const args = group ? argumentsOf(m, group, run) : [];
  const called = group && methodCall(m, on, lower, args);
  if (called) return called;
  const given = join(args, " ");
  const text = group && textMethod(on, lower, args);
  if (text) return text;
  if (/^(toupper|tostring|trim|getstring|invoke|getresponsestream|readtoend|content|getawaiter|getresult)$/.test(lower))
    return on;
  return { ...concat(on, given), known: false, taint: on.taint | given.taint };
}
