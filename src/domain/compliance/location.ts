import { scanLimits } from "./scan.ts";

/**
 * The path of a finding relative to its project, with forward slashes, free of `.`, `..` and drive letters.
 * `roots`: absolute folders the project may lie in (file: URIs or paths). Without a matching root an absolute path is
 * cut behind the last folder named like the project, so that fingerprints do not depend on where the project was
 * checked out.
 */
export function relativePath(uri: string, roots: readonly string[], project: string): string {
  const path = plainPath(uri);
  const folder = segments(project).at(-1) ?? "";
  const root = roots
    .map(plainPath)
    .filter(isAbsolute)
    .find(r => isInside(path, r));
  const rest =
    root !== undefined ? path.slice(trimSlash(root).length) : isAbsolute(path) ? cutBehind(path, folder) : path;
  return segments(rest).join("/").slice(0, scanLimits.pathLength);
}

/** Decodes a file: URI (RFC 8089) or takes a path as it is; backslashes become slashes. */
function plainPath(uri: string): string {
  const local = /^file:\/\/(?:localhost)?(\/.*)$/i.exec(uri)?.[1] ?? uri.replace(/^file:\/*/i, "/");
  return decode(local)
    .replaceAll("\\", "/")
    .replace(/^\/?[A-Za-z]:\//, "/");
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isAbsolute = (path: string): boolean => path.startsWith("/");
const trimSlash = (path: string): string => path.replace(/(?<!\/)\/+$/, "");
const isInside = (path: string, root: string): boolean => path.startsWith(`${trimSlash(root)}/`);

function cutBehind(path: string, folder: string): string {
  const at = folder === "" ? -1 : path.lastIndexOf(`/${folder}/`);
  return at < 0 ? path : path.slice(at + folder.length + 2);
}

/** `..` at the top is dropped: a finding never points out of its project. */
function segments(path: string): string[] {
  const kept: string[] = [];
  for (const part of path.replaceAll("\\", "/").split("/")) {
    if (part === "" || part === ".") continue;
    if (part === "..") kept.pop();
    else kept.push(part);
  }
  return kept;
}
