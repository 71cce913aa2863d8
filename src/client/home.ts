import { chmodSync, existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

import { type Env, folderOf } from "./folder.ts";
import { type Moved, movedBy } from "./moved-homes.ts";
import { readRegular } from "./regular-file.ts";

/** Where an installation keeps its things: `GATEHOUSE_HOME`, else `~/.gatehouse`. Only the owner may enter it. */
export interface Home {
  /** The person's home, where agents' settings lie. */
  user: string;
  /** Folders of agents that a variable has moved out of it. */
  moved: Moved;
  folder: string;
  credentials: string;
  policy: string;
  servers: string;
  spool: string;
}

export function homeOf(env: Env): Home {
  const user = env["HOME"] || env["USERPROFILE"] || homedir();
  const folder = folderOf(env, user);
  return {
    user,
    moved: movedBy(env),
    folder,
    credentials: join(folder, "credentials.json"),
    policy: join(folder, "policy.json"),
    servers: join(folder, "servers.json"),
    spool: join(folder, "spool.sqlite"),
  };
}

export function makeFolder(folder: string): void {
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
}

const jsonBytesMax = 64 * 1024 * 1024;

/** A file of our own as JSON; undefined when it is absent or damaged, which callers treat alike. */
export function readJson<T>(path: string): T | undefined {
  const text = readRegular(path, jsonBytesMax);
  try {
    return text === undefined ? undefined : (JSON.parse(text) as T);
  } catch {
    return undefined;
  }
}

export const writeJson = (path: string, value: unknown): void =>
  writeWhole(path, `${JSON.stringify(value, null, 2)}\n`, 0o600);

/** Written beside and renamed, so that nobody reads half a file. A symbolic link stays one; a known file keeps its mode. */
export function writeWhole(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const target = existsSync(path) ? realpathSync(path) : path;
  const kept = existsSync(target) ? lstatSync(target).mode & 0o777 : mode;
  const beside = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, text, { mode: kept });
    chmodSync(beside, kept);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/** Who this installation is. The token is a secret: the file is for its owner alone. */
export interface Credentials {
  server: string;
  token: string;
  installation_id: string;
  agent: { id: string; name: string };
  /** C2SP verifier keys of the organisation, as first seen at login: policies have to be signed by one of them. */
  signing_keys: string[];
}

export function readCredentials(home: Home): Credentials | undefined {
  const found = readJson<Partial<Credentials>>(home.credentials);
  const whole =
    found && typeof found.server === "string" && typeof found.token === "string" && found.agent !== undefined;
  return whole ? ({ signing_keys: [], installation_id: "", ...found } as Credentials) : undefined;
}
