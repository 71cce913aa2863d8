import type { Hash, Sha256 } from "./merkle.ts";

/**
 * Checkpoints (C2SP tlog-checkpoint) as signed notes (C2SP signed-note), Ed25519 only, and the verifier keys
 * (`vkey`) of golang.org/x/mod/sumdb/note. Pure: hash and signature functions are injected.
 */
export interface Checkpoint {
  origin: string;
  size: number;
  root: Hash;
}

export interface VerifierKey {
  name: string;
  /** Ed25519, 32 bytes. */
  publicKey: Uint8Array;
}

export type Sign = (message: Uint8Array) => Uint8Array;
export type VerifySignature = (publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array) => boolean;

const ed25519 = 1;
const utf8 = new TextEncoder();

/** First four bytes of SHA-256(name ‖ "\n" ‖ 0x01 ‖ public key). */
function keyId(sha256: Sha256, key: VerifierKey): Uint8Array {
  return sha256(concat(utf8.encode(`${key.name}\n`), Uint8Array.of(ed25519), key.publicKey)).slice(0, 4);
}

/** `name+hex(key id)+base64(0x01 ‖ public key)` */
export function formatVkey(sha256: Sha256, key: VerifierKey): string {
  const encoded = concat(Uint8Array.of(ed25519), key.publicKey).toBase64();
  return `${key.name}+${keyId(sha256, key).toHex()}+${encoded}`;
}

/** Undefined unless the text is a well-formed Ed25519 key whose id fits. */
export function parseVkey(sha256: Sha256, text: string): VerifierKey | undefined {
  const match = /^([^+\s]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text.trim());
  const bytes = match && fromBase64(match[3]!);
  if (!match || bytes?.length !== 33 || bytes[0] !== ed25519) return undefined;
  const key = { name: match[1]!, publicKey: bytes.slice(1) };
  return keyId(sha256, key).toHex() === match[2] ? key : undefined;
}

/** The text that is signed: origin, size, base64 root, each on its line. */
export function checkpointText(checkpoint: Checkpoint): string {
  return `${checkpoint.origin}\n${checkpoint.size}\n${checkpoint.root.toBase64()}\n`;
}

/** A checkpoint signed under `publicKey`; the key's name is the checkpoint's origin. */
export function signCheckpoint(sha256: Sha256, checkpoint: Checkpoint, publicKey: Uint8Array, sign: Sign): string {
  const text = checkpointText(checkpoint);
  const id = keyId(sha256, { name: checkpoint.origin, publicKey });
  return `${text}\n— ${checkpoint.origin} ${concat(id, sign(utf8.encode(text))).toBase64()}\n`;
}

/** The checkpoint of a note, when it is well formed and `key` signed it; otherwise undefined. */
export function openCheckpoint(
  sha256: Sha256,
  note: string,
  key: VerifierKey,
  verify: VerifySignature,
): Checkpoint | undefined {
  const end = note.indexOf("\n\n") + 1;
  if (end === 0 || !note.endsWith("\n")) return undefined;
  const text = note.slice(0, end);
  const id = keyId(sha256, key);
  const signed = note
    .slice(end + 1, -1)
    .split("\n")
    .some(line => {
      const match = /^— (\S+) ([A-Za-z0-9+/]+=*)$/.exec(line);
      const bytes = match?.[1] === key.name ? fromBase64(match[2]!) : undefined;
      if (bytes?.length !== 68 || !id.every((byte, i) => byte === bytes[i])) return false;
      return verify(key.publicKey, utf8.encode(text), bytes.slice(4));
    });
  return signed ? parseCheckpointText(text) : undefined;
}

/** Origin, size and root of a checkpoint's text, signatures unseen. Extension lines are allowed and ignored. */
export function parseCheckpointText(text: string): Checkpoint | undefined {
  const [origin, size, root] = text.split("\n");
  const hash = root === undefined ? undefined : fromBase64(root);
  if (!origin || !/^(0|[1-9]\d{0,15})$/.test(size ?? "") || hash?.length !== 32) return undefined;
  return Number.isSafeInteger(Number(size)) ? { origin, size: Number(size), root: hash } : undefined;
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.fromBase64(text, { lastChunkHandling: "strict" });
  } catch {
    return undefined;
  }
}

function concat(...parts: Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
