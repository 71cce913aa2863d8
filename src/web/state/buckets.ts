/** Log entries of one stretch of time, by decision. */
export interface Slice {
  t: string;
  allow: number;
  warn: number;
  ask: number;
  block: number;
  total: number;
}

export const lengths_ms = { hour: 3_600_000, day: 86_400_000 };
const BUCKETS_MAX = 1000;

/** Every bucket from the start of the window to its end: what nobody logged is shown as nothing. */
export function filled(slices: Slice[], bucket_ms: number, from: string | undefined, to: string | undefined): Slice[] {
  const known = new Map(slices.map(slice => [Date.parse(slice.t), slice]));
  const times = [...known.keys()];
  const floor = (ms: number) => Math.floor(ms / bucket_ms) * bucket_ms;
  const last = Math.max(floor(to ? Date.parse(to) - 1 : Date.now()), ...times);
  const first = Math.min(floor(from ? Date.parse(from) : last - 23 * bucket_ms), ...times);
  const count = Math.min(BUCKETS_MAX, Math.round((last - first) / bucket_ms) + 1);
  return Array.from({ length: count }, (_, at) => {
    const t = last - (count - 1 - at) * bucket_ms;
    return known.get(t) ?? { t: new Date(t).toISOString(), total: 0, allow: 0, warn: 0, ask: 0, block: 0 };
  });
}
