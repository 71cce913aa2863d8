/**
 * YAML text → a typed pack or policy, or the list of what is wrong and where. Only plain YAML passes: anchors,
 * aliases, tags, merge keys, duplicate keys and several documents are refused, because a reviewer overlooks them.
 */
import { Value } from "@sinclair/typebox/value";
import { isMap, isNode, isPair, isScalar, LineCounter, type Node, parseAllDocuments, visit } from "yaml";
import type { TSchema } from "@sinclair/typebox";
import { type Fault, faultsOf } from "./problems.ts";
import { meaningFaults } from "./meaning.ts";
import { Pack, Policy } from "./schema.ts";

/** `path` is a JSON pointer, `line` and `column` count from 1. */
export interface Problem extends Fault {
  line: number;
  column: number;
}
/** `locate` gives the place of a JSON pointer, or of the deepest node on the way to it. */
export type Parsed<T> =
  | { ok: true; value: T; locate: (path: string) => { line: number; column: number } }
  | { ok: false; problems: Problem[] };

const textMax = 1024 * 1024;
const depthMax = 24;

/** A pack named `file` (without `.yaml`) must carry that name; pass undefined to accept any. */
export function parsePack(text: string, file?: string): Parsed<Pack> {
  const parsed = parse<Pack>(text, Pack, value => meaningFaults.pack(value, file));
  return parsed;
}

export function parsePolicy(text: string): Parsed<Policy> {
  return parse<Policy>(text, Policy, meaningFaults.policy);
}

function parse<T>(text: string, schema: TSchema, meaning: (value: T) => Fault[]): Parsed<T> {
  const at = (path: string, message: string, line = 1, column = 1): Parsed<T> => ({
    ok: false,
    problems: [{ path, message, line, column }],
  });
  if (text.length > textMax) return at("", `must have at most ${textMax} characters`);
  if (tooDeep(text)) return at("", "is nested too deeply");
  try {
    return read(text, schema, meaning);
  } catch {
    return at("", "could not be read as YAML");
  }
}

function read<T>(text: string, schema: TSchema, meaning: (value: T) => Fault[]): Parsed<T> {
  const lines = new LineCounter();
  const documents = parseAllDocuments(text, { lineCounter: lines, uniqueKeys: false, merge: false, version: "1.2" });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(Math.min(offset, text.length));
    return { line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const document = documents[0];
  if (!document || ("empty" in documents && documents.empty)) {
    return { ok: false, problems: [{ path: "", message: "is empty", line: 1, column: 1 }] };
  }
  const syntax = [...document.errors, ...document.warnings].map(error => ({
    path: "",
    message: yamlSentence(error.code, error.message),
    ...place(error.pos[0]),
  }));
  if (syntax.length > 0) return { ok: false, problems: syntax };
  if (documents.length > 1) {
    const second = documents[1]!.range?.[0] ?? 0;
    return { ok: false, problems: [{ path: "", message: "must be one document", ...place(second) }] };
  }
  const fancy = refused(document.contents).map(({ offset, message }) => ({ path: "", message, ...place(offset) }));
  if (fancy.length > 0) return { ok: false, problems: fancy };

  const value: unknown = document.toJS({ maxAliasCount: 0 });
  const located = (fault: Fault): Problem => ({ ...fault, ...place(offsetOf(document.contents, fault.path)) });
  if (!Value.Check(schema, value)) return { ok: false, problems: faultsOf(schema, value).map(located) };
  const wrong = meaning(value as T);
  if (wrong.length > 0) return { ok: false, problems: wrong.map(located) };
  return { ok: true, value: value as T, locate: path => place(offsetOf(document.contents, path)) };
}

/** Nesting costs the reader a stack frame a level, so it is bounded before anything is parsed. */
function tooDeep(text: string): boolean {
  let flow = 0;
  for (const char of text) {
    if (char === "[" || char === "{") flow++;
    else if (char === "]" || char === "}") flow = Math.max(0, flow - 1);
    else if (char === "\n") flow = 0;
    if (flow > depthMax) return true;
  }
  return /^ {64}|^(- ?){24}/m.test(text);
}

function refused(contents: Node | null): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = [];
  const say = (node: Node, message: string) => found.push({ offset: node.range?.[0] ?? 0, message });
  visit(contents, {
    Alias: (_, node) => void say(node, "aliases (`*name`) are not allowed; quote patterns that start with `*`"),
    Node: (_, node) => {
      if ("anchor" in node && node.anchor)
        say(node, "anchors (`&name`) are not allowed; quote text that starts with `&`");
      if (node.tag) say(node, "tags (`!name`) are not allowed; quote patterns that start with `!`");
    },
    // The parser itself compares every key with every other.
    Map: (_, map) => {
      const keys = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (keys.has(key.value)) say(key, "this key is there twice");
        keys.add(key.value);
      }
    },
    Pair: (_, pair) => {
      if (isScalar(pair.key) && pair.key.value === "<<") say(pair.key, "merge keys are not allowed");
      if (!isScalar(pair.key) || typeof pair.key.value !== "string") {
        if (isNode(pair.key)) say(pair.key, "keys must be plain text");
      }
    },
  });
  return found;
}

function yamlSentence(code: string, message: string): string {
  if (code === "TAG_RESOLVE_FAILED") return "tags (`!name`) are not allowed; quote patterns that start with `!`";
  if (code === "BAD_ALIAS") return "quote patterns that start with `*`";
  const first = message.split("\n")[0] ?? "";
  return first.replace(/ at line \d+, column \d+:?$/, "");
}

/** Offset of the deepest node a JSON pointer reaches; for an unknown or missing member, of its mapping's key. */
function offsetOf(contents: Node | null, path: string): number {
  let node: unknown = contents;
  let offset = contents?.range?.[0] ?? 0;
  for (const part of path.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (isMap(node)) {
      const pair = node.items.find(item => isScalar(item.key) && String(item.key.value) === key);
      if (!pair || !isPair(pair)) return offset;
      offset = (pair.key as Node).range?.[0] ?? offset;
      node = pair.value;
    } else if (node && typeof node === "object" && "items" in node) {
      node = (node as { items: unknown[] }).items[Number(key)];
      if (!isNode(node)) return offset;
      offset = node.range?.[0] ?? offset;
    } else return offset;
  }
  return offset;
}
