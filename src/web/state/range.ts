import { signal } from "@preact/signals";
import { useEffect, useLayoutEffect } from "preact/hooks";
import { useSearchParams } from "wouter-preact";

import { dayTime } from "./times.ts";

/** The one time range of all pages: a preset that moves with the clock, or two fixed moments. It stands in the URL. */
export type Range = { preset: Preset } | { from: string; to: string };
export const presets = {
  "1h": "Last hour",
  "24h": "Last 24 hours",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  all: "All time",
};
export type Preset = keyof typeof presets;

const HOUR_MS = 3_600_000;
const lengths: Record<Preset, number> = {
  "1h": HOUR_MS,
  "24h": 24 * HOUR_MS,
  "7d": 168 * HOUR_MS,
  "30d": 720 * HOUR_MS,
  all: 0,
};
const chosen = signal<Range>({ preset: "24h" });

const isPreset = (text: string | null): text is Preset => text !== null && Object.hasOwn(presets, text);
const isTime = (text: string | null): text is string => text !== null && !Number.isNaN(Date.parse(text));

function rangeIn(params: URLSearchParams): Range | undefined {
  const [preset, from, to] = ["range", "from", "to"].map(name => params.get(name)) as [
    string | null,
    string | null,
    string | null,
  ];
  if (isPreset(preset)) return { preset };
  return isTime(from) && isTime(to) ? { from, to } : undefined;
}

export function useRange(): [Range, (range: Range) => void] {
  const [params, setParams] = useSearchParams();
  const written = rangeIn(params);
  const range = written ?? chosen.value;
  useEffect(() => {
    chosen.value = range;
  }, [rangeKey(range)]);
  const set = (next: Range) => {
    chosen.value = next;
    setParams(before => writeRange(new URLSearchParams(before), next));
  };
  return [range, set];
}

/**
 * Writes the range in force into the address of a page that has none, so that every address says what it shows. It is
 * written together with the page: later it could undo a navigation that began meanwhile.
 */
export function useWrittenRange(): void {
  const [params, setParams] = useSearchParams();
  const missing = rangeIn(params) === undefined;
  useLayoutEffect(() => {
    if (missing) setParams(before => writeRange(new URLSearchParams(before), chosen.value), { replace: true });
  }, [missing]);
}

/** The range as a part of an address. */
export const rangeQuery = (range: Range): string => writeRange(new URLSearchParams(), range).toString();

export function writeRange(params: URLSearchParams, range: Range): URLSearchParams {
  for (const name of ["range", "from", "to"]) params.delete(name);
  for (const [name, value] of Object.entries("preset" in range ? { range: range.preset } : range))
    params.set(name, value);
  return params;
}

/** As the API takes it: RFC 3339 moments; nothing for all time. Presets start at a full minute, so that they do not move with every look. */
export function windowOf(range: Range): { from?: string; to?: string } {
  if (!("preset" in range)) return range;
  if (range.preset === "all") return {};
  const minute = Math.floor(Date.now() / 60_000) * 60_000;
  return { from: new Date(minute - lengths[range.preset]).toISOString() };
}

export const bucketOf = (range: Range): "hour" | "day" => {
  if ("preset" in range) return range.preset === "30d" || range.preset === "all" ? "day" : "hour";
  return Date.parse(range.to) - Date.parse(range.from) > 240 * HOUR_MS ? "day" : "hour";
};

export const rangeName = (range: Range): string =>
  "preset" in range ? presets[range.preset].toLowerCase() : `${dayTime(range.from)} – ${dayTime(range.to)}`;

export const rangeKey = (range: Range): string => ("preset" in range ? range.preset : `${range.from}/${range.to}`);
