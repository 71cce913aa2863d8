import { statSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { readRegular } from "./regular-file.ts";

export interface Worktree {
  /** `owner/name` of the remote `origin`, as policies scope rules by it. */
  repo?: string;
  branch?: string;
}

const bytesMax = 1024 * 1024;
const read = (path: string): string | undefined => readRegular(path, bytesMax);

/** Repository and branch of a folder, read from `.git` itself: starting git would take longer than the verdict. */
export function worktreeOf(cwd: string): Worktree {
  const gitdir = findGitdir(cwd);
  if (!gitdir) return {};
  const branch = /^ref: refs\/heads\/(.+)$/m.exec(read(join(gitdir, "HEAD")) ?? "")?.[1];
  const common = read(join(gitdir, "commondir"))?.trim();
  const config = read(join(common ? resolve(gitdir, common) : gitdir, "config"));
  const repo = config && remoteName(config);
  return { ...(repo ? { repo } : {}), ...(branch ? { branch: branch.trim() } : {}) };
}

function findGitdir(cwd: string): string | undefined {
  if (!isAbsolute(cwd)) return undefined;
  for (let folder = cwd; ; folder = dirname(folder)) {
    const found = gitdirIn(folder);
    if (found || folder === dirname(folder)) return found;
  }
}

function gitdirIn(folder: string): string | undefined {
  const path = join(folder, ".git");
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return path;
  const linked = stat?.isFile() ? /^gitdir: (.+)$/m.exec(read(path) ?? "")?.[1] : undefined;
  return linked ? resolve(folder, linked.trim()) : undefined;
}

/** `git@host:owner/name.git`, `https://host/group/owner/name` → `owner/name`. */
function remoteName(config: string): string | undefined {
  const section = /^\[remote "origin"\]([^[]*)/m.exec(config)?.[1];
  const url = section && /^[ \t]*url[ \t]*=[ \t]*(\S+)/m.exec(section)?.[1];
  return url ? /(?<![^/:])[^/:]+\/[^/:]+$/.exec(url.replace(/(?:\.git)?\/?$/, ""))?.[0] : undefined;
}
