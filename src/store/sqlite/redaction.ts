import { besides, keywords, redactJson } from "../../domain/audit/redact.ts";
import { hmacSha256 } from "../crypto.ts";
import { isState } from "./columns.ts";
import type { Pending } from "./pending.ts";

const tagDigits = 12;
const shortest = keywords.filter(keyword => !keywords.some(other => other !== keyword && keyword.includes(other)));
const anyOf = (words: readonly string[]) =>
  new RegExp(words.map(word => besides[word]?.source ?? RegExp.escape(word)).join("|"));
const anyKeyword = anyOf(shortest);
/** Part of a quarter of all keywords: three searches instead of thirteen, and a closer look at what they hit. */
const key = ["key", "Key", "KEY"];
const needles = [
  ...key.map(part => ({ bytes: Buffer.from(part), besides: anyOf(shortest.filter(word => word.includes(part))) })),
  ...shortest
    .filter(word => !key.some(part => word.includes(part)))
    .map(word => ({ bytes: Buffer.from(word), besides: besides[word] })),
];
const underBun = "Bun" in globalThis;

/** Redacts what is pending, telemetry only: plain searches over all bodies at once first, detectors where one hit. */
export function redactPending(pending: Pending, key: Uint8Array): void {
  const suspects = underBun ? suspectsByBytes(pending) : suspectsByText(pending);
  if (suspects.size === 0) return;
  const tag = (secret: string) => hmacSha256(key, secret).toHex().slice(0, tagDigits);
  const changed = new Map<number, string>();
  for (const i of suspects) {
    const body = pending.body(i);
    const clean = redactJson(body, tag);
    if (clean !== body) changed.set(i, clean);
  }
  if (changed.size > 0) pending.replace(changed);
}

/** Twice as fast as a pattern where the runtime searches bytes natively. */
export function suspectsByBytes(pending: Pending): Set<number> {
  const suspects = new Set<number>();
  for (const needle of needles) addHits(suspects, pending, needle);
  return suspects;
}

/** Under Deno, whose searches of bytes are JavaScript, 20 times as fast. */
export function suspectsByText(pending: Pending): Set<number> {
  const suspects = new Set<number>();
  for (let i = 0; i < pending.n; i++)
    if (!isState(pending.flags(i)) && anyKeyword.test(pending.body(i))) suspects.add(i);
  return suspects;
}

function addHits(suspects: Set<number>, pending: Pending, needle: (typeof needles)[number]): void {
  const { bytes } = pending;
  for (let at = bytes.indexOf(needle.bytes); at >= 0; ) {
    const i = pending.holding(at);
    if (!isState(pending.flags(i)) && needle.besides?.test(pending.body(i)) !== false) suspects.add(i);
    if (i + 1 === pending.n) return;
    at = bytes.indexOf(needle.bytes, pending.offsets[i + 1]);
  }
}
