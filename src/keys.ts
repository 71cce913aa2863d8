import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  sign,
} from "node:crypto";
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

/** The keys cannot be used as they are; the message tells the operator what to do. */
export class KeyError extends Error {
  override readonly name = "KeyError";
}

/** `session` signs session tokens, `log` and `packs` are Ed25519 seeds, `vault` seals TOTP secrets, `redaction` tags secrets in logs. */
export const keyNames = ["session", "log", "packs", "vault", "redaction"] as const;
export type KeyName = (typeof keyNames)[number];

/** 32 bytes and when they came to be (Unix ms): plain data, so that a worker thread can be given just the one it needs. */
export interface Key {
  bytes: Uint8Array;
  created_at: number;
}
export type Keys = Record<KeyName, Key>;

const BYTES = 32;

/**
 * Reads the keys, one file each. With `fresh` (there is no directory database yet) missing ones are made; without, only a
 * missing session key is: the others guard what exists and nothing new can stand in for them. Two processes starting
 * at once end up with the same keys. Throws `KeyError`.
 */
export function openKeys(folder: string, options: { fresh: boolean; now: () => number }): Keys {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  refuseOpen(folder, 0o700);
  const entries = keyNames.map(name => {
    const path = join(folder, `${name}.key`);
    if (!exists(path)) {
      if (!options.fresh && name !== "session")
        throw new KeyError(
          `${path} is missing. Restore it from a backup; a new key could not read what the old one guards.`,
        );
      create(path, folder, name, options.now());
    }
    return [name, read(path, name)];
  });
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
function create(path: string, folder: string, name: KeyName, now: number): void {
  const key = randomBytes(BYTES);
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
  syncFolder(folder);
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
  const sound = text?.["kind"] === name && text["check"] === checksum(name, bytes) && bytes.length === BYTES;
  if (!sound || Number.isNaN(created_at)) throw damaged;
  return { bytes: new Uint8Array(bytes), created_at };
}

/** Finds accidents, not attackers: whoever can write the file can write this too. */
function checksum(name: KeyName, key: Uint8Array): string {
  return createHash("sha256").update(`gatehouse/${name}/`).update(key).digest("hex").slice(0, 16);
}

/** HKDF-SHA256 (RFC 5869) without salt: one key, many purposes that say nothing about each other. */
export function derive(key: Uint8Array, info: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), info, BYTES));
}

export interface Signer {
  /** Ed25519 (RFC 8032) over the message itself; 64 bytes. */
  sign(message: Uint8Array): Uint8Array;
  /** The raw 32 bytes. */
  publicKey: Uint8Array;
  /** Unix ms. */
  since: number;
}

/** PKCS #8 around a raw Ed25519 seed (RFC 8410 §7). */
const PKCS8 = Uint8Array.from([0x30, 0x2e, 2, 1, 0, 0x30, 5, 6, 3, 0x2b, 0x65, 0x70, 4, 0x22, 4, 0x20]);

export function signer(seed: Uint8Array, since: number): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: "der", type: "pkcs8" });
  return { sign: message => new Uint8Array(sign(null, message, key)), publicKey: rawPublic(key), since };
}

function rawPublic(key: KeyObject): Uint8Array {
  return new Uint8Array(
    createPublicKey(key as never)
      .export({ format: "der", type: "spki" })
      .subarray(-32),
  );
}

/** The log-signing key of one organisation, from the master key alone: works in any thread that is given `keys.log`. */
export function orgSigner(log: Key, org: string): Signer {
  return signer(derive(log.bytes, `gatehouse/${org}/log/1`), log.created_at);
}

/** Signs rule packs and policies for agents. */
export function packSigner(packs: Key): Signer {
  return signer(derive(packs.bytes, "gatehouse/packs/1"), packs.created_at);
}

/** Secret of one organisation: equal secrets in its log get equal tags, in another's different ones. */
export function orgRedactionKey(redaction: Key, org: string): Uint8Array {
  return derive(redaction.bytes, `gatehouse/${org}/redaction/1`);
}

/** Keeps a small secret at rest. `context` (whose it is, what for) must be the same to open it again. */
export interface Vault {
  seal(secret: Uint8Array, context: string): Uint8Array;
  /** Undefined when it was changed, or sealed for something else or with another key. */
  open(sealed: Uint8Array, context: string): Uint8Array | undefined;
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM (NIST SP 800-38D): nonce ‖ ciphertext ‖ tag, the context authenticated with it. */
export function vault(key: Key, random: (bytes: number) => Uint8Array): Vault {
  const secret = derive(key.bytes, "gatehouse/vault/1");
  return {
    seal(plain, context) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", secret, nonce).setAAD(Buffer.from(context));
      return new Uint8Array(Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]));
    },
    open(sealed, context) {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined;
      const end = sealed.length - TAG_BYTES;
      const options = { authTagLength: TAG_BYTES };
      const decipher = createDecipheriv("aes-256-gcm", secret, sealed.subarray(0, NONCE_BYTES), options)
        .setAAD(Buffer.from(context))
        .setAuthTag(sealed.subarray(end));
      try {
        return new Uint8Array(Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, end)), decipher.final()]));
      } catch {
        return undefined;
      }
    },
  };
}
