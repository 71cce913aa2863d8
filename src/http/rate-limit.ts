import { LRUCache } from "lru-cache";
import { refusal } from "../errors.ts";
import { lazily } from "../domain/lazily.ts";

/** Sliding window counters (two fixed windows, weighted), bounded in memory: the least recent key is forgotten first. */
export interface RateLimit {
  /** Counts one; throws `rate_limited` past the quota. Both carry the draft-ietf-httpapi-ratelimit-headers. */
  take(key: string): Record<string, string>;
}

interface Window {
  start: number;
  count: number;
  before: number;
}

const KEYS_MAX = 20_000;

export function createRateLimit(name: string, quota: number, window_s: number, now: () => number): RateLimit {
  const windows = lazily(() => new LRUCache<string, Window>({ max: KEYS_MAX }));
  const length = window_s * 1000;
  const current = (key: string): Window => {
    const start = Math.floor(now() / length) * length;
    const known = windows().get(key);
    if (known?.start === start) return known;
    const fresh = { start, count: 0, before: known?.start === start - length ? known.count : 0 };
    windows().set(key, fresh);
    return fresh;
  };
  return {
    take(key) {
      const window = current(key);
      const elapsed = (now() - window.start) / length;
      const used = window.before * (1 - elapsed) + window.count;
      const reset_s = Math.max(1, Math.ceil(window_s * (1 - elapsed)));
      const left = Math.max(0, Math.floor(quota - used - 1));
      const headers = {
        "ratelimit-policy": `"${name}";q=${quota};w=${window_s}`,
        ratelimit: `"${name}";r=${left};t=${reset_s}`,
      };
      if (used + 1 > quota) throw refusal("rate_limited", { retry_after_s: reset_s, headers });
      window.count++;
      return headers;
    },
  };
}
