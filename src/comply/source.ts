import type { FileKind } from "./check.ts";
import { type Found, parseTree, type Tree, UnreadableFile } from "./tree.ts";

/** `managed`: what an administrator has set for the whole machine. */
export type Scope = "project" | "home" | "managed";

/** A file handed to the checks. `path` is relative to its scope, with forward slashes; read when first asked for. */
export interface SourceFile {
  scope: Scope;
  path: string;
  /** Permission bits, where the system has them. */
  mode?: number;
  read(): string;
}

export interface Opened {
  file: SourceFile;
  kind: FileKind;
  text: string;
  tree?: Tree;
  error?: string;
}

/** What was found, sorted by kind and parsed once. `scopes`: which of them were looked at. */
export interface Source {
  scopes: ReadonlySet<Scope>;
  of(kinds: readonly string[]): Opened[];
}

export function openSource(
  files: readonly SourceFile[],
  kinds: Record<string, FileKind>,
  scopes: ReadonlySet<Scope>,
): Source {
  const matchers = new Map(Object.entries(kinds).map(([name, kind]) => [name, matcherOf(kind)]));
  const opened = new Map<string, Opened>();
  const open = (file: SourceFile, name: string): Opened => {
    const key = `${file.scope}\n${file.path}\n${kinds[name]!.format}`;
    const known = opened.get(key) ?? openFile(file, kinds[name]!);
    opened.set(key, known);
    return { ...known, kind: kinds[name]! };
  };
  return {
    scopes,
    of: names => names.flatMap(name => files.filter(matchers.get(name)!).map(file => open(file, name))),
  };
}

/** `**` crosses folders, `*` stays within one. */
export function globMatcher(globs: readonly string[]): (path: string) => boolean {
  const patterns = globs.map(glob => {
    const parts = glob.split(/(\*\*\/|\*)/).map(part => {
      if (part === "**/") return "(?:.*/)?";
      return part === "*" ? "[^/]*" : part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&");
    });
    return new RegExp(`^${parts.join("")}$`);
  });
  return path => patterns.some(pattern => pattern.test(path));
}

function matcherOf(kind: FileKind): (file: SourceFile) => boolean {
  const globs = {
    project: globMatcher(kind.project ?? []),
    home: globMatcher(kind.home ?? []),
    managed: globMatcher(kind.managed ?? []),
  };
  return file => globs[file.scope](file.path);
}

function openFile(file: SourceFile, kind: FileKind): Opened {
  try {
    const text = file.read();
    return kind.format === "text"
      ? { file, kind, text }
      : { file, kind, text, tree: parseTree(text, kind.format as "json") };
  } catch (error) {
    const why = error instanceof UnreadableFile ? error.message : "the file could not be read";
    return { file, kind, text: "", error: why };
  }
}

const segments = (path: string | readonly string[]): readonly string[] =>
  typeof path === "string" ? path.split(".").filter(part => part !== "") : path;

/** The values of one server, hook or file; `line` is where that server or hook starts. */
export interface Group {
  line: number | undefined;
  found: Found[];
}

/** The values a look speaks of. With `each`, `at` is taken relative to every server or hook of the file. */
export function valuesAt(opened: Opened, at: string | readonly string[], each?: "server" | "hook"): Group[] {
  if (!opened.tree) return [];
  if (!each) return [{ line: undefined, found: opened.tree.select(segments(at)) }];
  const roots = (each === "server" ? opened.kind.servers : opened.kind.hooks) ?? [];
  return roots
    .flatMap(root => opened.tree!.select(segments(root)))
    .map(element => ({ line: element.line, found: within(element, segments(at)) }));
}

function within(element: Found, path: readonly string[]): Found[] {
  if (path[0] === "$line") return [{ ...element, value: commandLine(element.value) }];
  if (path[0] === "$name") return [{ ...element, value: element.key }];
  const walk = (value: unknown, at: number, key: string): Found[] => {
    if (at === path.length) return value === undefined ? [] : [{ value, key, line: element.line }];
    if (typeof value !== "object" || value === null) return [];
    const segment = path[at]!;
    return Object.entries(value).flatMap(([name, child]) =>
      segment === "*" || segment === name ? walk(child, at + 1, name) : [],
    );
  };
  return walk(element.value, 0, element.key);
}

/** Command and arguments as one line, whatever members the agent spells them with. */
function commandLine(value: unknown): string {
  if (typeof value !== "object" || value === null) return typeof value === "string" ? value : "";
  const fields = value as Record<string, unknown>;
  const parts = [fields["command"] ?? fields["bash"] ?? fields["powershell"] ?? fields["cmd"], fields["args"]];
  return parts
    .flat(2)
    .filter(part => typeof part === "string")
    .join(" ");
}
