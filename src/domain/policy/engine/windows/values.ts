import type { Machine } from "../run/machine.ts";
import { isSecretName } from "../run/state.ts";
import { SECRET, UNKNOWN } from "../taint.ts";
import { concat, EMPTY, join, literal, unknown, type Val } from "../value.ts";
import { methodCall, property, staticCall, typeName } from "./dotnet.ts";
import { type Piece, pieces } from "./tokens.ts";

/** Runs source in the shell it stands in; given by the caller, because values hold commands and commands values. */
export type Run = (source: string) => Val;

const places: Record<string, string> = {
  home: "~",
  "env:userprofile": "~",
  "env:home": "~",
  "env:temp": "/tmp",
  "env:tmp": "/tmp",
  "env:comspec": "cmd",
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
  pshome: "C:\\Windows\\System32\\WindowsPowerShell\\v1.0",
  null: "",
  true: "True",
  false: "False",
};

export function variable(m: Machine, name: string): Val {
  const lower = name.toLowerCase();
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
  const found = /\$(\{[^{}]+\}|(?:env:)?\w+|\((?:[^()]|\([^()]*\))*\))/gi;
  for (const hit of text.matchAll(found)) {
    out = concat(out, literal(text.slice(from, hit.index)));
    out = concat(out, hit[1]!.startsWith("(") ? run(hit[1]!.slice(1, -1)) : variable(m, hit[1]!.replace(/[{}]/g, "")));
    from = hit.index + hit[0].length;
  }
  out = concat(out, literal(text.slice(from)));
  return { ...out, text: out.text.replaceAll("\u0001", "$") };
}

/** The value of a run of pieces: strings joined by `+`, formatted by `-f`, decoded, fetched by methods of .NET classes. */
export function evaluate(m: Machine, list: readonly Piece[], run: Run): Val {
  m.step();
  const items: Val[] = [];
  let value: Val | undefined;
  for (let i = 0; i < list.length; i++) {
    const p = list[i]!;
    const before = value;
    if (p.kind === "mark" && p.text === "+" && i > 0) {
      const right = evaluate(m, list.slice(i + 1), run);
      return join([...items, concat(value ?? EMPTY, right)], " ");
    }
    if (p.kind === "mark" && p.text === ",") {
      items.push(value ?? EMPTY);
      value = undefined;
    } else if (p.kind === "word" && /^-[a-z]/i.test(p.text) && value)
      return operator(m, p.text.toLowerCase(), join([...items, value], "\0"), list.slice(i + 1), run);
    else if (p.kind === "word" && p.joined && value !== undefined && /^(\.|::)/.test(p.text)) {
      const args = list[i + 1]?.kind === "group" && list[i + 1]!.joined ? list[++i]! : undefined;
      value = method(m, value, p.text, args, run);
    } else if (p.kind === "index") value = before === undefined ? typed(m, list, i, run) : indexed(before);
    else value = before === undefined ? atom(m, p, run) : concat(before, atom(m, p, run));
    if (p.kind === "index" && before === undefined) return join([...items, value ?? EMPTY], " ");
  }
  return join(value ? [...items, value] : items, " ");
}

const indexed = (v: Val): Val => ({ ...v, known: false });

function atom(m: Machine, p: Piece, run: Run): Val {
  switch (p.kind) {
    case "string":
    case "word":
      return literal(p.text);
    case "expand":
      return expanded(m, p.text, run);
    case "variable":
      return variable(m, p.text);
    case "group":
    case "sub":
      return run(p.text);
    case "block":
      return literal(p.text);
    default:
      return literal(p.text);
  }
}

function operator(m: Machine, name: string, left: Val, rest: readonly Piece[], run: Run): Val {
  const right = evaluate(m, rest, run);
  const taint = { taint: left.taint | right.taint, origin: left.origin ?? right.origin };
  if (!left.known || !right.known) return { ...unknown(), ...taint };
  if (name === "-join") return { text: left.text.split("\0").join(right.text), known: true, ...taint };
  if (name === "-f") return { text: format(left.text, right.text.split(" ")), known: true, ...taint };
  if (/^-[ci]?replace$/.test(name)) {
    const [from, to] = right.text.split(" ");
    return { text: left.text.split(from ?? "").join(to ?? ""), known: true, ...taint };
  }
  if (/^-[ci]?split$/.test(name)) return { text: left.text.split(right.text).join("\0"), known: true, ...taint };
  return { ...unknown(0), ...taint };
}

const format = (text: string, args: readonly string[]): string =>
  text.replace(/\{(\d+)\}/g, (_, n) => args[Number(n)] ?? "");

/** `[char]105`, `[Convert]::FromBase64String('…')`, `[Text.Encoding]::UTF8.GetString(…)`, a cast. */
function typed(m: Machine, list: readonly Piece[], i: number, run: Run): Val {
  const type = typeName(list[i]!.text);
  const rest = list.slice(i + 1);
  const stop = rest.findIndex(p => p.kind === "mark" && p.text === "+");
  const own = stop < 0 ? rest : rest.slice(0, stop);
  const made = isMember(own[0]) ? members(m, type, own, run) : cast(m, type, own, run);
  return stop < 0 ? made : concat(made, evaluate(m, rest.slice(stop + 1), run));
}

const isMember = (p: Piece | undefined): boolean => p?.kind === "word" && p.joined && /^(\.|::)/.test(p.text);

function cast(m: Machine, type: string, list: readonly Piece[], run: Run): Val {
  if (list.length === 0) return unknown(0);
  const own = evaluate(m, list, run);
  if (!type.startsWith("[char")) return own;
  const text = own.text
    .split(/[\s,]+/)
    .map(n => (/^(0x)?[0-9a-f]+$/i.test(n) ? String.fromCharCode(Number(n)) : n))
    .join("");
  return { ...own, text };
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
    if (!isMember(p)) return { ...(value ?? unknown(0)), known: false };
    const group = list[i + 1]?.kind === "group" && list[i + 1]!.joined ? list[++i]! : undefined;
    if (value !== undefined) value = method(m, value, p.text, group, run);
    else {
      name += p.text.toLowerCase();
      if (group) value = staticCall(m, name, argumentsOf(m, group, run));
    }
  }
  return value ?? unknown(UNKNOWN);
}

/** The arguments of a call, one value each. */
function argumentsOf(m: Machine, group: Piece, run: Run): Val[] {
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

function method(m: Machine, on: Val, name: string, group: Piece | undefined, run: Run): Val {
  const lower = name.toLowerCase().replace(/^(\.|::)/, "");
  if (!group) {
    const place = property(on, lower);
    if (place) return place;
  }
  const args = group ? argumentsOf(m, group, run) : [];
  const called = group && methodCall(m, on, lower, args);
  if (called) return called;
  const given = join(args, " ");
  if (lower === "replace" && on.known && given.known)
    return { ...on, text: on.text.split(args[0]?.text ?? "").join(args[1]?.text ?? "") };
  if (lower === "tolower") return { ...on, text: on.text.toLowerCase() };
  if (/^(toupper|tostring|trim|getstring|invoke|getresponsestream|readtoend|content|getawaiter|getresult)$/.test(lower))
    return on;
  return { ...concat(on, given), known: false, taint: on.taint | given.taint };
}
