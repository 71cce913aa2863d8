import { createHash, randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { type Key, KEY_BYTES, type KeyName, keyNames, type Keys } from "./keys.ts";

/** The keys cannot be used as they are; the message tells the operator what to do. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/**
 * Reads the keys, one file each. With `fresh` (there is no directory database yet) missing ones are made; without, only a
 * missing session key is: the others guard what exists and nothing new can stand in for them. Two processes starting
 * at once end up with the same keys. Throws `KeyError`.
 */
export function openKeys(folder: string, options: { fresh: boolean; now: () => number }): Keys {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseOpen(folder, 0o700);
  let made = false;
  const entries = keyNames.map(name => {
    const path = join(folder, `${name}.key`);
    if (!exists(path)) {
      if (!options.fresh && name !== "session")
        throw new KeyError(
          `${path} is missing. Restore it from a backup; a new key could not read what the old one guards.`,
        );
      create(path, name, options.now());
      made = true;
    }
    return [name, read(path, name)];
  });
  // Before anything is written that needs them.
  if (made) syncFolder(folder);
  return Object.fromEntries(entries) as Keys;
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** POSIX only: Windows has no such bits. */
function refuseOpen(path: string, wanted: number): void {
  if (process.platform === "win32") return;
  const mode = lstatSync(path).mode & 0o777;
  if ((mode & 0o077) !== 0)
    throw new KeyError(
      `${path} can be read by others (mode ${mode.toString(8)}). Run: chmod ${wanted.toString(8)} ${path} – and replace the keys if others have had access.`,
    );
}

/** Whole or not at all, and never over an existing one: written beside, synced, then linked under its name. */
function create(path: string, name: KeyName, now: number): void {
  const key = randomBytes(KEY_BYTES);
  const text = {
    kind: name,
    created_at: new Date(now).toISOString(),
    key: key.toString("base64"),
    check: checksum(name, key),
  };
  const draft = `${path}.${randomBytes(6).toString("hex")}`;
  const file = openSync(draft, "wx", 0o600);
  try {
    writeSync(file, `${JSON.stringify(text)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  chmodSync(draft, 0o600);
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
}

function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function read(path: string, name: KeyName): Key {
  if (!lstatSync(path).isFile()) throw new KeyError(`${path} is not an ordinary file.`);
  refuseOpen(path, 0o600);
  const damaged = new KeyError(`${path} is damaged. Restore it from a backup.`);
  let text: Record<string, unknown>;
  try {
    text = JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>;
  } catch {
    throw damaged;
  }
  const bytes = Buffer.from(String(text?.["key"]), "base64");
  const created_at = Date.parse(String(text?.["created_at"]));
  const sound = text?.["kind"] === name && text["check"] === checksum(name, bytes) && bytes.length === KEY_BYTES;
  if (!sound || Number.isNaN(created_at)) throw damaged;
  return { bytes: new Uint8Array(bytes), created_at };
}

/** Finds accidents, not attackers: whoever can write the file can write this too. */
function checksum(name: KeyName, key: Uint8Array): string {
  return createHash("sha256").update(`gatehouse/${name}/`).update(key).digest("hex").slice(0, 16);
}
