/**
 * The index keys of a description, derived and never authored. A call's facts are looked up by key, so a rule about
 * `git` costs nothing when the call is about `npm`.
 */
import {
  type EnvFact,
  type Fact,
  type FileFact,
  fileActs,
  flowSinks,
  flowSources,
  type Invocation,
  netActs,
  type Subject,
  sqlActs,
} from "../facts.ts";
import type { Match } from "./schema.ts";

export const many = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

/** `*` in place of a name: asked for every fact of that kind. No key at all: asked for every call. */
export function keysOf(match: Match): string[] {
  if (match.run !== undefined) return unique(many(match.run).map(runKey));
  if (match.flow !== undefined) return unique(many(match.flow).map(flow => `flow:${flow}`));
  if (match.sql !== undefined) return unique(many(match.sql).map(act => `sql:${act}`));
  if (match.env !== undefined) return unique(many(match.env).map(envKey));
  if (match.does !== undefined) return unique(many(match.does).map(act => `file:${act}`));
  if (match.grants !== undefined) return ["file:permissions"];
  if (match.path !== undefined || match.recursive !== undefined) return fileActs.map(act => `file:${act}`);
  if (match.net !== undefined) return unique(many(match.net).map(act => `net:${act}`));
  if (match.host !== undefined) return netActs.map(act => `net:${act}`);
  if (match.mcp !== undefined || match.input !== undefined || match.hints !== undefined) return ["mcp:*"];
  if (match.interactive === true) return ["interactive"];
  return [];
}

export const firstWord = (pattern: string): string => pattern.split(" ", 1)[0]!;

/** `run:git push`: the program and, where it is plain, the first word after it. */
function runKey(pattern: string): string {
  const [name = "", second] = pattern.split(" ", 2);
  if (openEnded(name)) return "run:*";
  return second === undefined || second.includes("*") || second.startsWith("re:")
    ? `run:${name}`
    : `run:${name} ${second}`;
}

/** A first word that cannot be looked up by name: a glob, or the place a program is started from. */
export const openEnded = (name: string): boolean => name.includes("*") || name.includes("/") || name.startsWith("re:");

function envKey(pattern: string): string {
  const name = pattern.split("=", 1)[0]!;
  return `env:${openEnded(name) ? "*" : name}`;
}

const unique = (keys: string[]): string[] => (keys.length < 2 ? keys : [...new Set(keys)]);

/** Words behind a program that may be its subcommand, where the program table does not say. */
const wordsMax = 6;

/** Operands that may be a subcommand, each once. */
export function wordsBehind({ args, flags }: Invocation): string[] {
  const words: string[] = [];
  const most = Math.min(args.length, flags.length + 1, wordsMax);
  for (let at = 0; at < most; at++) {
    const { text } = args[at]!;
    if (!words.includes(text)) words.push(text);
  }
  return words;
}

/** Names under which rules are entered that may speak of a call. */
export function subjectKeys(subject: Subject): string[] {
  if (subject.kind === "mcp") return ["mcp:*", "all"];
  const { program, subcommands } = subject;
  const words = subcommands[0] === undefined ? wordsBehind(subject) : [subcommands[0]];
  const keys = ["all", "run:*", `run:${program}`, ...words.map(word => `run:${program} ${word}`)];
  if (subject.interactive) keys.push("interactive");
  return keys;
}

/** Names under which rules are entered that may speak of a fact. */
export function factKeys(fact: Fact): string[] {
  if (fact.kind === "file") return [`file:${fact.does}`];
  if (fact.kind === "env") return [`env:${fact.name}`, "env:*"];
  return [factKey(fact)];
}

/** The one name for facts of which there are few kinds. */
export function factKey(fact: Exclude<Fact, FileFact | EnvFact>): string {
  if (fact.kind === "flow") return (fact.both ? wired : flows)[fact.from][fact.to];
  return fact.kind === "net" ? net[fact.does] : sql[fact.does];
}

/** Written out beforehand: a text put together for each fact would have to be hashed each time. */
const keysFor = (arrow: "->" | "<->") =>
  named(flowSources, from => named(flowSinks, to => `flow:${from} ${arrow} ${to}`));
const flows = keysFor("->");
const wired = keysFor("<->");
const net = named(netActs, act => `net:${act}`);
const sql = named(sqlActs, act => `sql:${act}`);

function named<K extends string, V>(names: readonly K[], value: (name: K) => V): Record<K, V> {
  return Object.fromEntries(names.map(name => [name, value(name)])) as Record<K, V>;
}
