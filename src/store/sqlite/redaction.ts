import { keywords, redactJson } from "../../domain/audit/redact.ts";
import { hmacSha256 } from "../crypto.ts";
import { isState } from "./columns.ts";
import type { Pending } from "./pending.ts";

const tagDigits = 12;
const isShortest = (keyword: string) => !keywords.some(other => other !== keyword && keyword.includes(other));
const needles = keywords.filter(isShortest).map(keyword => Buffer.from(keyword));

/** Redacts what is pending, telemetry only: plain searches over all bodies at once first, detectors where one hit. */
export function redactPending(pending: Pending, key: Uint8Array): void {
  const suspects = new Set<number>();
  for (const needle of needles) addHits(suspects, pending, needle);
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

function addHits(suspects: Set<number>, pending: Pending, needle: Uint8Array): void {
  const { bytes } = pending;
  for (let at = bytes.indexOf(needle); at >= 0; ) {
    const i = pending.holding(at);
    if (!isState(pending.flags(i))) suspects.add(i);
    if (i + 1 === pending.n) return;
    at = bytes.indexOf(needle, pending.offsets[i + 1]);
  }
}
