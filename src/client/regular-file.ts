import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";

/**
 * Text of a regular file, else nothing. A pipe put in its place would be waited for, a device never end; agents may write
 * wherever a hook looks.
 */
export function readRegular(path: string, bytes_max: number): string | undefined {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = fstatSync(file);
    return stat.isFile() && stat.size <= bytes_max ? readFileSync(file, "utf8") : undefined;
  } catch {
    return undefined;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
