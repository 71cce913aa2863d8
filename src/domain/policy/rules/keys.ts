/**
 * The index keys of a description, derived and never authored. A call's facts are looked up by key, so a rule about
 * `git` costs nothing when the call is about `npm`.
 */
import type { Match } from "./schema.ts";

export const many = <T>(value: T | T[] | undefined): T[] =>
  value === undefined ? [] : Array.isArray(value) ? value : [value];

export const acts = ["read", "write", "delete", "execute", "permissions", "link"] as const;

/** `*` in place of a name: asked for every fact of that kind. No key at all: asked for every call. */
export function keysOf(match: Match): string[] {
  if (match.run !== undefined) return unique(many(match.run).map(runKey));
  if (match.flow !== undefined) return unique(many(match.flow).map(flow => `flow:${flow}`));
  if (match.sql !== undefined) return unique(many(match.sql).map(act => `sql:${act}`));
  if (match.env !== undefined) return unique(many(match.env).map(envKey));
  if (match.does !== undefined) return unique(many(match.does).map(act => `file:${act}`));
  if (match.grants !== undefined) return ["file:permissions"];
  if (match.path !== undefined || match.recursive !== undefined) return acts.map(act => `file:${act}`);
  if (match.net !== undefined) return unique(many(match.net).map(act => `net:${act}`));
  if (match.host !== undefined) return ["net:connect", "net:upload", "net:download", "net:listen"];
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
