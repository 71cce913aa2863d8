import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { parse } from "yaml";
import type { ComplianceRule } from "../domain/compliance/rule.ts";

const closed = { additionalProperties: false };
const Words = Type.String({ minLength: 1, maxLength: 600 });
const Scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);
const Path = Type.Union([Type.String(), Type.Array(Type.String())]);

/** RE2 syntax, searched unanchored. */
const Pattern = Type.String({ minLength: 1, maxLength: 2000 });

/**
 * One place to look. It fails where a value, a line or a file is found that fits everything said here; with `missing`,
 * where none is; with `nowhere`, only if no file of these kinds has one. Exactly one of `at`, `line`, `exists`, `exposed`.
 */
export const Look = Type.Object(
  {
    files: Type.Array(Type.String(), { minItems: 1 }),
    scope: Type.Optional(Type.Union([Type.Literal("project"), Type.Literal("home")])),
    /** Look at each declared MCP server or each hook command; `at` then starts there. */
    each: Type.Optional(Type.Union([Type.Literal("server"), Type.Literal("hook")])),
    /** Members by name, `*` any, `**` any depth; `$line` is command and arguments of a server or hook as one line. */
    at: Type.Optional(Path),
    key: Type.Optional(Pattern),
    is: Type.Optional(Type.Array(Scalar, { minItems: 1 })),
    matches: Type.Optional(Pattern),
    unless: Type.Optional(Pattern),
    line: Type.Optional(Pattern),
    exists: Type.Optional(Type.Literal(true)),
    /** The file can be read or written by others than its owner. */
    exposed: Type.Optional(Type.Literal(true)),
    /** With `line`: its first group is a path, and counts only where it leads out of the project. */
    leaves: Type.Optional(Type.Literal(true)),
    missing: Type.Optional(Type.Literal(true)),
    nowhere: Type.Optional(Type.Literal(true)),
    /** What was found, in the report; never the value itself where that may be a secret. */
    says: Words,
  },
  closed,
);
export type Look = Static<typeof Look>;

const Files = Type.Record(Type.String(), Type.Unknown());
export const Case = Files;

/** How a compliance rule is checked in files. What the rule means stands in `seeds/compliance`, under the same id. */
export const CheckEntry = Type.Object(
  {
    id: Type.String({ pattern: "^GH-[A-Z]+-[0-9]{3}$" }),
    /** Absent: only the server can tell (`from`), the scanner leaves it unevaluated. */
    look: Type.Optional(Type.Array(Look, { minItems: 1 })),
    from: Type.Optional(Words),
    /** Paths and their content (an object is written as JSON, `{$mode: 420}` is a file of that mode); `~/` is the home. */
    cases: Type.Optional(
      Type.Object({ fail: Type.Array(Case, { minItems: 1 }), pass: Type.Array(Case, { minItems: 1 }) }, closed),
    ),
  },
  closed,
);
export type CheckEntry = Static<typeof CheckEntry>;
export type Check = CheckEntry & ComplianceRule;

/** A kind of file the scanner knows: where it lies, how it reads, where MCP servers and hooks stand in it. */
export const FileKind = Type.Object(
  {
    agent: Type.Optional(Type.String()),
    format: Type.Union(["json", "yaml", "toml", "gitconfig", "env", "text"].map(name => Type.Literal(name))),
    /** Agents started in a folder below read their files there: these count at any depth, unless `top` says otherwise. */
    project: Type.Optional(Type.Array(Type.String())),
    top: Type.Optional(Type.Literal(true)),
    home: Type.Optional(Type.Array(Type.String())),
    /** Relative to the root of the file system. */
    managed: Type.Optional(Type.Array(Type.String())),
    servers: Type.Optional(Type.Array(Path)),
    hooks: Type.Optional(Type.Array(Path)),
  },
  closed,
);
export type FileKind = Static<typeof FileKind>;

const CheckFile = Type.Object({ area: Words, checks: Type.Array(CheckEntry, { minItems: 1 }) }, closed);
const KindFile = Type.Object(
  {
    /** Names for several kinds at once. */
    groups: Type.Record(Type.String(), Type.Array(Type.String())),
    kinds: Type.Record(Type.String(), FileKind),
  },
  closed,
);

/** A shipped file of checks that is not one; the message names file and place. */
export class CheckError extends Error {
  override readonly name = "CheckError";
}

export interface Catalogue {
  checks: Check[];
  kinds: Record<string, FileKind>;
}

/** `kinds.yaml` alone, for who only wants to know where agents keep their files in a folder itself. */
export const readKinds = (text: string): Record<string, FileKind> => read(KindFile, text, "kinds.yaml").kinds;

/** `texts`: the files of `seeds/checks` by name; `kinds.yaml` says which files there are, the others what to look for. */
export function readCatalogue(texts: Record<string, string>, rules: readonly ComplianceRule[]): Catalogue {
  const meaning = new Map(rules.map(rule => [rule.id, rule]));
  const { "kinds.yaml": kindText = "", ...rest } = texts;
  const { kinds, groups } = read(KindFile, kindText, "kinds.yaml");
  const spread = (look: Look): Look => ({ ...look, files: look.files.flatMap(name => groups[name] ?? [name]) });
  const checks = Object.entries(rest)
    .flatMap(([name, text]) => read(CheckFile, text, name).checks)
    .map(check => ({ ...explained(check, meaning), ...(check.look ? { look: check.look.map(spread) } : {}) }));
  for (const check of checks) validate(check, kinds);
  const twice = checks.find((check, n) => checks.findIndex(other => other.id === check.id) !== n);
  if (twice) throw new CheckError(`${twice.id} appears twice`);
  return { checks, kinds: Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, atAnyDepth(kind)])) };
}

function atAnyDepth(kind: FileKind): FileKind {
  if (kind.top || !kind.project) return kind;
  return { ...kind, project: kind.project.map(glob => (glob.startsWith("**/") ? glob : `**/${glob}`)) };
}

function read<T extends typeof CheckFile | typeof KindFile>(schema: T, text: string, name: string): Static<T> {
  const value: unknown = parse(text, { uniqueKeys: true, maxAliasCount: 0 });
  if (Value.Check(schema, value)) return value as Static<T>;
  const first = Value.Errors(schema, value).First();
  throw new CheckError(`${name}: ${first?.path ?? "/"}: ${first?.message ?? "not valid"}`);
}

function explained(check: CheckEntry, meaning: ReadonlyMap<string, ComplianceRule>): Check {
  const rule = meaning.get(check.id);
  if (!rule) throw new CheckError(`${check.id} is not a compliance rule`);
  return { ...rule, ...check };
}

function validate({ id, look, from, cases }: CheckEntry, kinds: Record<string, FileKind>): void {
  if (!look === !from) throw new CheckError(`${id}: say either where to look or who else can tell`);
  if (look && !cases) throw new CheckError(`${id}: cases are missing`);
  for (const { files, at, line, exists, exposed } of look ?? []) {
    const unknown = files.find(kind => !Object.hasOwn(kinds, kind));
    if (unknown) throw new CheckError(`${id}: ${unknown} is not a kind of file`);
    if ([at, line, exists, exposed].filter(way => way !== undefined).length !== 1)
      throw new CheckError(`${id}: each look needs exactly one of at, line, exists, exposed`);
  }
}
