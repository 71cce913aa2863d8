import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  hkdfSync,
  type KeyObject,
  sign,
} from "node:crypto";

/** `session` signs session tokens, `log` and `packs` are Ed25519 seeds, `vault` seals TOTP secrets, `redaction` tags secrets in logs. */
export const keyNames = ["session", "log", "packs", "vault", "redaction"] as const;
export type KeyName = (typeof keyNames)[number];

/** 32 bytes and when they came to be (Unix ms): plain data, so that a worker thread can be given just the one it needs. */
export interface Key {
  bytes: Uint8Array;
  created_at: number;
}
export type Keys = Record<KeyName, Key>;

/** Of every key. */
export const KEY_BYTES = 32;

/** HKDF-SHA256 (RFC 5869) without salt: one key, many purposes that say nothing about each other. */
export function derive(key: Uint8Array, info: string): Uint8Array {
  return new Uint8Array(hkdfSync("sha256", key, new Uint8Array(), info, KEY_BYTES));
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
