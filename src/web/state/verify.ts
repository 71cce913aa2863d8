import { sha256 as digest } from "@noble/hashes/sha2.js";
import { decodeLeaf } from "../../domain/audit/leaf.ts";
import type { Sha256 } from "../../domain/audit/merkle.ts";
import { verifyWindow, type WindowVerdict } from "../../domain/audit/window.ts";
import { ApiError, raw } from "./api.ts";

/** Verification in this browser, from the raw bytes, with the code an outsider would use: the server is not believed. */
const sha256: Sha256 = (bytes, into) => {
  const hash = digest(bytes);
  into?.set(hash);
  return into ?? hash;
};

export interface BrowserVerdict {
  verdict: WindowVerdict;
  bytes: number;
  took_ms: number;
  vkey: string;
  checkpoint: string;
}

/** Sequence numbers or times; none is the whole log. */
export interface WindowAsked {
  from?: string | undefined;
  to?: string | undefined;
}

interface Proof {
  hashes: string[];
  checkpoint: string;
}

/** The key that signs the log's checkpoints, as outside tools take it (C2SP signed note verifier key). */
export async function logKey(): Promise<string> {
  const { keys } = (await (await raw("/posture/keys")).json()) as { keys: { vkey: string }[] };
  return keys[0]!.vkey;
}

/** Fetches the raw proof of a window (its leaves, the path of its last one, the signed root) and checks it here. */
export async function verifyHere(asked: WindowAsked, onProgress: (bytes: number) => void): Promise<BrowserVerdict> {
  const vkey = await logKey();
  const query = new URLSearchParams({ format: "leaves" });
  for (const [name, value] of Object.entries(asked)) if (value) query.set(name, value);
  const text = await bodyOf(await raw(`/audit/export?${query}`), onProgress);
  const lines = text.split("\n").filter(line => line !== "");
  if (lines.length === 0)
    throw new ApiError(404, { error: "not_found", message: "The log has no entry in this window." });
  const last = decodeLeaf(lines.at(-1)!)?.seq ?? 0;
  const { hashes, checkpoint } = (await (await raw(`/posture/proof?seq=${last}`)).json()) as Proof;
  const started = performance.now();
  const numbers = { ...seqOf("from", asked.from), ...seqOf("to", asked.to) };
  // The signature is checked by the browser's own Ed25519, which answers later than the pure code asks.
  const signed: { key: Uint8Array; message: Uint8Array; signature: Uint8Array }[] = [];
  const verify = (key: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
    signed.push({ key, message, signature }) > 0;
  const leaves = leavesOf(lines, new TextEncoder());
  let verdict = verifyWindow({ sha256, verify }, { leaves, hashes, checkpoint }, vkey, numbers);
  const honest = await Promise.all(signed.map(signedBy));
  if (verdict.valid && !(honest.length > 0 && honest.every(Boolean))) verdict = { valid: false, flaw: "bad_signature" };
  return { verdict, bytes: text.length, took_ms: performance.now() - started, vkey, checkpoint };
}

const seqOf = (name: "from" | "to", text: string | undefined) =>
  text !== undefined && /^\d+$/.test(text) ? { [name]: Number(text) } : {};

function* leavesOf(lines: string[], encoder: TextEncoder): Generator<Uint8Array> {
  for (const line of lines) yield encoder.encode(line);
}

async function signedBy({
  key,
  message,
  signature,
}: {
  key: Uint8Array;
  message: Uint8Array;
  signature: Uint8Array;
}): Promise<boolean> {
  const own = (bytes: Uint8Array) => new Uint8Array(bytes);
  const imported = await crypto.subtle.importKey("raw", own(key), { name: "Ed25519" }, false, ["verify"]);
  return crypto.subtle.verify({ name: "Ed25519" }, imported, own(signature), own(message));
}

async function bodyOf(response: Response, onProgress: (bytes: number) => void): Promise<string> {
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  const parts: string[] = [];
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return parts.join("") + decoder.decode();
    bytes += value.byteLength;
    onProgress(bytes);
    parts.push(decoder.decode(value, { stream: true }));
  }
}
