import type { ScanReader, ScanResult } from "./scan.ts";

/** A result with what identifies it beside rule and path: a redacted snippet, else the message; never stored. */
export type Unmarked = Omit<ScanResult, "fingerprint"> & {
  anchor?: string;
  /** The producer's own line hash (`partialFingerprints.primaryLocationLineHash`), taken as it is. */
  lineHash?: string;
};

/** 128 bits: enough to tell findings apart, and half the room. */
const DIGITS = 32;

/**
 * SHA-256 over tool, rule, path and anchor; equal ones are numbered in order of line. Line numbers do not enter, so a
 * finding that only moved stays the same finding.
 */
export function withFingerprints(results: readonly Unmarked[], reader: ScanReader): ScanResult[] {
  const counts = new Map<string, number>();
  const marked = new Map<Unmarked, ScanResult>();
  for (const result of results.toSorted(byLine)) {
    const { anchor, lineHash, ...rest } = result;
    const path = result.location?.path ?? "";
    const key = [result.tool, result.rule_id, path, lineHash ?? normalise(anchor ?? result.message ?? "")].join("\n");
    const nth = counts.get(key) ?? 0;
    counts.set(key, nth + 1);
    marked.set(result, { ...rest, fingerprint: reader.hash(nth === 0 ? key : `${key}\n${nth}`).slice(0, DIGITS) });
  }
  return results.map(result => marked.get(result)!);
}

const byLine = (a: Unmarked, b: Unmarked): number => (a.location?.line ?? 0) - (b.location?.line ?? 0);

/** Indentation, line breaks and digits (line numbers, counters) do not make another finding. */
function normalise(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ").replace(/\d+/g, "0").trim();
}
