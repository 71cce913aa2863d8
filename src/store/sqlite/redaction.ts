import { keywords, redactJson } from "../../domain/audit/redact.ts";
import { hmacSha256 } from "../crypto.ts";
import { isState } from "./columns.ts";
import type { Pending } from "./pending.ts";

const tagDigits = 12;
const needles = keywords.map(keyword => Buffer.from(keyword));

/** Redacts what is pending, telemetry only: plain searches over the whole buffer first, detectors where one hit. */
export function redactPending(pending: Pending, key: Uint8Array): void {
  const suspects = new Set<number>();
  for (const needle of needles) addHits(suspects, pending, needle);
  if (suspects.size === 0) return;
  const tag = (secret: string) => hmacSha256(key, secret).toHex().slice(0, tagDigits);
  const changed = new Map<number, string>();
  for (const i of suspects) {
    const body = pending.body(i).toString();
    const clean = redactJson(body, tag);
    if (clean !== body) changed.set(i, clean);
  }
  if (changed.size > 0) pending.replace(changed);
}

function addHits(suspects: Set<number>, pending: Pending, needle: Uint8Array): void {
  const bytes = pending.bytes.subarray(0, pending.used);
  for (let at = bytes.indexOf(needle); at >= 0; ) {
    const i = holding(pending.offsets, at);
    if (i >= 0 && !isState(pending.entries[i]!.flags)) suspects.add(i);
    const next = pending.offsets[i + 1];
    if (next === undefined) return;
    at = bytes.indexOf(needle, next);
  }
}

/** The last offset at or before `at`. */
function holding(offsets: readonly number[], at: number): number {
  let [low, high] = [0, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! <= at) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
