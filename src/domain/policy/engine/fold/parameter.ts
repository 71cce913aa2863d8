/** Parameter expansion: `$x`, `${x:-y}`, `${x#p}`, `${!x}`, `${x[@]}` and the rest of bash's operations. */
import type { ParameterExpansionPart, ParameterOperation, Word } from "unbash";
import { parse } from "../parse.ts";
import type { Machine } from "../run/machine.ts";
import { UNKNOWN, UNSET } from "../taint.ts";
import { EMPTY, join, literal, merged, unknown, type Val } from "../value.ts";
import { decodeEscapes } from "./ansi-c.ts";
import { evaluateText } from "./arithmetic.ts";
import { remove, replace } from "./cut.ts";
import { expandOne } from "./word.ts";

const NONE: readonly Val[] = [];

/** `$name`, `$1`, `$@`, `$?` … */
export function simple(m: Machine, text: string, quoted: boolean): readonly Val[] {
  return lookup(m, text.slice(1), quoted);
}

function lookup(m: Machine, name: string, quoted: boolean): readonly Val[] {
  const { state } = m;
  const c = name.charCodeAt(0);
  if (c === 64 || c === 42) {
    if (quoted && c === 42) return [join(state.positional, state.get("IFS")?.text[0] ?? "")];
    return state.positional;
  }
  if (c >= 48 && c <= 57) return [name === "0" ? state.zero : (state.positional[Number(name) - 1] ?? EMPTY)];
  if (c === 35) return [literal(String(state.positional.length))];
  if (c === 63 || c === 36 || c === 33 || c === 45) return [unknown(0)];
  if (c === 95 && name === "_") return [m.last ?? unknown()];
  return [state.get(name) ?? neverSet(name)];
}

/** Systems that run jobs and desktops set these for every program. */
const given =
  /^(CI|GITHUB|RUNNER|CIRCLE|TRAVIS|JENKINS|BITBUCKET|BUILDKITE|CODEBUILD|DRONE|XDG|HOMEBREW)_|^(WORKSPACE|AGENT_\w*DIRECTORY|BUILD_\w*DIRECTORY|PIPELINE_WORKSPACE|OLDPWD|USER|LOGNAME|HOSTNAME|TMP|TEMP|GOPATH|GOROOT|CONDA_PREFIX|VIRTUAL_ENV|APPDATA|LOCALAPPDATA|USERPROFILE)$/;

const neverSet = (name: string): Val => unknown(given.test(name) ? UNKNOWN : UNKNOWN | UNSET);

/** `${…}` with its operation. */
export function parameter(m: Machine, part: ParameterExpansionPart, quoted: boolean): readonly Val[] {
  if (part.prefix === "!" && part.operation?.type === "Names") {
    return m.state.names(part.parameter).map(literal);
  }
  const values = base(m, part, quoted);
  if (part.prefix === "#") return [length(part, values)];
  const indirect = part.prefix === "!" && part.index === undefined ? values.flatMap(v => deref(m, v, quoted)) : values;
  if (part.operation === undefined) return indirect;
  return (indirect[0]?.text.startsWith("$repo") && part.parameter === "PWD") ||
    (part.parameter === "OLDPWD" && indirect[0]?.known === false)
    ? [ofDirectory(m, part, part.operation)]
    : operate(m, part, part.operation, indirect);
}

/** `${PWD%%[!/]*}`: known where it comes to the same whatever the directory is. */
function ofDirectory(m: Machine, part: ParameterExpansionPart, operation: ParameterOperation): Val {
  const { cwd } = m.world;
  const [one, other] = (cwd === undefined ? ["/a/bcd", "/ef/g"] : [cwd, cwd]).map(directory =>
    m.subshell(() => {
      m.state.set(part.parameter, literal(directory));
      return operate(m, part, operation, [literal(directory)])[0] ?? EMPTY;
    }),
  );
  return one!.text === other!.text ? one! : unknown(0);
}

/** `${!name}`: the variable whose name `name` holds. */
function deref(m: Machine, v: Val, quoted: boolean): readonly Val[] {
  if (!v.known) return [v];
  const item = /^(\w+)\[(.+)\]$/.exec(v.text);
  if (!item) return lookup(m, v.text, quoted);
  const items = m.state.variable(item[1]!)?.items;
  if (item[2] === "@" || item[2] === "*") return items ? [...items.values()] : NONE;
  return [items?.get(item[2]!) ?? unknown()];
}

function base(m: Machine, part: ParameterExpansionPart, quoted: boolean): readonly Val[] {
  const { index, parameter: name } = part;
  if (!index) return lookup(m, name, quoted);
  const held = m.state.variable(name);
  if (index.value === "@" || index.value === "*") {
    if (part.prefix === "!") return held?.items ? [...held.items.keys()].map(literal) : NONE;
    const all = held?.items ? [...held.items.values()] : held ? [held.val] : [m.state.get(name) ?? unknown()];
    return quoted && index.value === "*" ? [join(all, m.state.get("IFS")?.text[0] ?? "")] : all;
  }
  if (held?.items) return [item(m, held.items, index) ?? EMPTY];
  expandOne(m, index);
  return [m.state.get(name) ?? unknown()];
}

function item(m: Machine, items: Map<string, Val>, index: Word): Val | undefined {
  const key = expandOne(m, index);
  const direct = items.get(key.text);
  if (direct) return direct;
  const n = evaluateText(m, key.text);
  if (n === undefined) return key.known ? undefined : unknown();
  return items.get(String(n < 0 ? items.size + n : n));
}

function length(part: ParameterExpansionPart, values: readonly Val[]): Val {
  const all =
    part.index?.value === "@" || part.index?.value === "*" || part.parameter === "@" || part.parameter === "*";
  if (all) return literal(String(values.length));
  const only = values[0] ?? EMPTY;
  return only.known ? literal(String(only.text.length)) : unknown(0);
}

function operate(
  m: Machine,
  part: ParameterExpansionPart,
  op: ParameterOperation,
  values: readonly Val[],
): readonly Val[] {
  switch (op.type) {
    case "Default":
      return [byDefault(m, part, op.operator, op.operand, values)];
    case "Remove": {
      const pattern = expandOne(m, op.operand);
      return values.map(v =>
        mapped(v, pattern, text => remove(text, pattern.text, op.operator, chars => m.work(chars))),
      );
    }
    case "Replace": {
      const pattern = expandOne(m, op.pattern);
      const by = expandOne(m, op.replacement);
      const known = pattern.known && by.known ? pattern : by;
      const changed = values.map(v =>
        mapped(v, known, text => replace(text, pattern.text, by.text, op.operator, chars => m.work(chars))),
      );
      return by.taint === 0 ? changed : changed.map(v => ({ ...v, taint: v.taint | by.taint }));
    }
    case "Slice":
      return slice(m, part, op.offset, op.length, values);
    case "CaseModification":
      return values.map(v => ({ ...v, text: v.known ? changeCase(v.text, op.operator) : v.text }));
    case "Transform":
      return values.map(v => transform(m, v, op.operand.value));
    default:
      return [unknown(merged(values).taint | UNKNOWN)];
  }
}

function mapped(v: Val, operand: { known: boolean; text: string }, change: (text: string) => string | undefined): Val {
  if (!v.known) return v;
  const text = operand.known ? change(v.text) : v.text;
  return text === undefined ? unknown(v.taint | UNKNOWN, v.origin) : { ...v, text, known: operand.known };
}

function byDefault(
  m: Machine,
  part: ParameterExpansionPart,
  operator: string,
  operand: Word,
  values: readonly Val[],
): Val {
  const v = join(values, " ");
  const name = part.parameter;
  const unset = v.known
    ? v.text === "" && (operator.startsWith(":") || !m.state.variable(name))
    : m.state.get(name) === undefined;
  if (operator.endsWith("+")) return unset && v.known ? EMPTY : one(m, operand);
  if (operator.endsWith("?")) return { ...v, taint: v.taint & ~UNSET };
  if (!unset) return v;
  const fallback = one(m, operand);
  if (operator.endsWith("=")) m.state.set(name, fallback);
  return fallback;
}

function one(m: Machine, w: Word): Val {
  const f = expandOne(m, w);
  return { text: f.text, known: f.known, taint: f.taint, origin: f.origin };
}

function slice(
  m: Machine,
  part: ParameterExpansionPart,
  offset: Word,
  size: Word | undefined,
  values: readonly Val[],
): readonly Val[] {
  const from = evaluateText(m, expandOne(m, offset).text.trim() || "0");
  const length = size ? evaluateText(m, expandOne(m, size).text.trim()) : undefined;
  if (from === undefined || (size && length === undefined)) return [unknown(merged(values).taint | UNKNOWN)];
  const list =
    part.parameter === "@" || part.parameter === "*" || part.index?.value === "@" || part.index?.value === "*";
  if (list) {
    const all = part.index ? values : [m.state.zero, ...values];
    const start = from < 0 ? all.length + from : from;
    return all.slice(start, length === undefined ? undefined : start + length);
  }
  return values.map(v => {
    if (!v.known) return v;
    const start = from < 0 ? Math.max(0, v.text.length + from) : from;
    const end = length === undefined ? undefined : length < 0 ? v.text.length + length : start + length;
    return { ...v, text: v.text.slice(start, end) };
  });
}

function changeCase(text: string, operator: string): string {
  if (operator === "^^") return text.toUpperCase();
  if (operator === ",,") return text.toLowerCase();
  const head = text.slice(0, 1);
  return (operator === "^" ? head.toUpperCase() : head.toLowerCase()) + text.slice(1);
}

/** `${x@E}` decodes escapes, `@U @L @u` change case, `@P` expands a prompt (and runs what is in it). */
function transform(m: Machine, v: Val, kind: string): Val {
  if (!v.known) return v;
  if (kind === "U") return { ...v, text: v.text.toUpperCase() };
  if (kind === "L") return { ...v, text: v.text.toLowerCase() };
  if (kind === "u") return { ...v, text: changeCase(v.text, "^") };
  if (kind === "E") return { ...v, text: decodeEscapes(v.text) };
  return kind === "P" ? expandText(m, v) : v;
}

/** Text that is expanded once more as if in double quotes. */
function expandText(m: Machine, v: Val): Val {
  const node = parse(m, `: "${v.text.replaceAll('"', '\\"')}"`).commands[0]?.command;
  const first = node?.type === "Command" ? node.suffix[0] : undefined;
  return first?.type === "Word" ? one(m, first) : v;
}
