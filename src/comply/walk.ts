import { lstatSync, readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { join } from "node:path";
import type { FileKind } from "./check.ts";
import { globMatcher, type Scope, type SourceFile } from "./source.ts";
import { UnreadableFile } from "./tree.ts";

export const fileBytesMax = 2 * 1024 * 1024;
export const filesMax = 100_000;

/** Folders that hold other people's code or build output; `.git` is entered for its `config` alone. */
const skipped = new Set([
  "node_modules",
  ".git",
  "vendor",
  "target",
  "dist",
  "build",
  ".venv",
  "venv",
  "__pycache__",
  ".next",
  ".cache",
]);

/** Where a path lies instead of below the root; undefined: there. */
export type Moved = (path: string) => string | undefined;

export interface Walked {
  files: SourceFile[];
  /** Folders that could not be read and whether the walk was cut: what was not looked at. */
  unread: string[];
}

/**
 * The files of a project or home that some kind names. A home is not walked through, nor a project when all kinds name
 * their folders: only those are looked at. A link that stands for a named file is read, as agents do (`CLAUDE.md` → `AGENTS.md`,
 * dotfiles); links to folders are not followed.
 */
export function walk(root: string, scope: Scope, kinds: Record<string, FileKind>, moved?: Moved): Walked {
  const globs = Object.values(kinds).flatMap(kind => kind[scope] ?? []);
  const wanted = globMatcher(globs);
  const named = scope !== "project" || !globs.some(glob => glob.startsWith("*"));
  const roots = named ? [...new Set(globs.map(fixedPart))] : [""];
  const walked: Walked = { files: [], unread: [] };
  const seen = new Set<string>();
  let count = 0;
  const visit = (path: string): void => {
    const full = moved?.(path) ?? join(root, path);
    const found = statOf(full);
    const stat = found?.isSymbolicLink() ? (wanted(path) ? linkedFile(full) : undefined) : found;
    if (!stat || seen.has(path)) return;
    seen.add(path);
    if (stat.isFile()) {
      if (++count > filesMax) return;
      if (wanted(path)) walked.files.push({ scope, path, mode: stat.mode, read: () => readBounded(full, stat.size) });
      return;
    }
    if (stat.isDirectory())
      for (const name of namesIn(full, path, walked)) visit(path === "" ? name : `${path}/${name}`);
  };
  for (const start of roots) visit(start);
  if (scope === "project") visit(".git/config");
  if (count > filesMax) walked.unread.push(`more than ${filesMax} files`);
  return walked;
}

/** Nothing where a part of the way is a file: `.git` is one in linked worktrees. */
function statOf(full: string): Stats | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function linkedFile(full: string): Stats | undefined {
  try {
    const stat = statSync(full, { throwIfNoEntry: false });
    return stat?.isFile() ? stat : undefined;
  } catch {
    return undefined;
  }
}

function namesIn(full: string, path: string, walked: Walked): string[] {
  try {
    return readdirSync(full)
      .sort()
      .filter(name => !skipped.has(name));
  } catch {
    walked.unread.push(path === "" ? "." : path);
    return [];
  }
}

function readBounded(full: string, size: number): string {
  if (size > fileBytesMax) throw new UnreadableFile(`larger than ${fileBytesMax >> 20} MiB`);
  return readFileSync(full, "utf8");
}

/** The folders of a glob before its first wildcard: `.claude/skills` of `.claude/skills/**` + `/SKILL.md`. */
function fixedPart(glob: string): string {
  const parts = glob.split("/");
  const wild = parts.findIndex(part => part.includes("*"));
  return (wild < 0 ? parts : parts.slice(0, wild)).join("/");
}
