import { sha256 as digest } from "@noble/hashes/sha2.js";
import { type ExportVerdict, verifyExport } from "../../domain/audit/export.ts";
import type { Sha256 } from "../../domain/audit/merkle.ts";
import { raw } from "./api.ts";

/** Verification in this browser, from the raw bytes, with the code an outsider would use: the server is not believed. */
const sha256: Sha256 = (bytes, into) => {
  const hash = digest(bytes);
  into?.set(hash);
  return into ?? hash;
};

export interface BrowserVerdict {
  verdict: ExportVerdict;
  leaves: number;
  bytes: number;
  took_ms: number;
  vkey: string;
  checkpoint: string;
}

export async function verifyHere(onProgress: (bytes: number) => void): Promise<BrowserVerdict> {
  const checkpoint = await (await raw("/posture/checkpoint")).text();
  const { keys } = (await (await raw("/posture/keys")).json()) as { keys: { vkey: string }[] };
  const text = await bodyOf(await raw("/audit/export?format=leaves"), onProgress);
  const started = performance.now();
  const encoder = new TextEncoder();
  const lines = text.split("\n").filter(line => line !== "");
  const vkey = keys[0]!.vkey;
  // The signature is checked by the browser's own Ed25519, which answers later than the pure code asks.
  const signed: { key: Uint8Array; message: Uint8Array; signature: Uint8Array }[] = [];
  const verify = (key: Uint8Array, message: Uint8Array, signature: Uint8Array) =>
    signed.push({ key, message, signature }) > 0;
  let verdict = verifyExport({ sha256, verify }, leavesOf(lines, encoder), checkpoint, vkey);
  const honest = await Promise.all(signed.map(signedBy));
  if (verdict.valid && !(honest.length > 0 && honest.every(Boolean))) verdict = { valid: false, flaw: "bad_signature" };
  return { verdict, leaves: lines.length, bytes: text.length, took_ms: performance.now() - started, vkey, checkpoint };
}

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
