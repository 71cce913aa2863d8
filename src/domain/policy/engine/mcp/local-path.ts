/** Paths in arguments of tools. */
import { windowsPath } from "../windows-path.ts";

/**
 * The spellings under which a path argument is judged: `file:` URIs decoded, backslashes turned, drives and profile
 * variables replaced; and in lower case, where a file system that ignores case would reach a known place.
 */
export function localPath(text: string): string[] {
  let path = text.trim().replace(/^view-source:/i, "");
  if (/^file:/i.test(path)) path = decode(path.replace(/^file:(\/\/(localhost)?)?/i, "")) || "/";
  else if (/%[0-9a-f]{2}/i.test(path)) path = decode(path);
  path = windowsPath(path);
  const lower = path.toLowerCase();
  const folded =
    lower !== path &&
    /^(\/(etc|root|proc|usr|var|bin|boot|dev|system|library|private)(\/|$)|~\/\.|\/(users|home)\/[^/]+\/\.)/.test(
      lower,
    );
  return folded ? [path, lower] : [path];
}

/** Decoded until nothing changes: `%252e` is `%2e` is `.`. */
export function decode(text: string, rounds = 3): string {
  try {
    const plain = decodeURIComponent(text);
    return plain === text || rounds === 0 ? plain : decode(plain, rounds - 1);
  } catch {
    return text;
  }
}
