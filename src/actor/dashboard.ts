import type { People } from "../domain/compliance/evidence.ts";
import { iso } from "../domain/time.ts";
import type { Stats } from "../store/audit-stats.ts";
import { type Context, long } from "./answer.ts";
import { cover } from "./compliance.ts";

const HOUR_MS = 3_600_000;
const TOP_RULES = 10;

/** `GET /dashboard`: the numbers of the Overview page. */
export const numbers = long(function* (context, { people }: { people: People }) {
  const { store, now } = context;
  const { figures, frameworks, drift, agents } = yield* cover(context, { people });
  const day = store.audit.stats({ from_ms: now() - 24 * HOUR_MS, bucket: "hour", by_agent: false });
  const week = store.audit.stats({ from_ms: now() - 7 * 24 * HOUR_MS, bucket: "day", by_agent: false });
  const { total, active, stale } = agents;
  return {
    agents: { total, active, stale, unhooked_calls_24h: figures.agents?.unhooked_calls ?? 0 },
    events: { last_24h: day.total, last_7d: week.total, hourly: hourly(context, day) },
    decisions_24h: lower(day.by_decision),
    top_rules: day.by_rule.slice(0, TOP_RULES),
    compliance: frameworks.map(([, { framework, summary }]) => ({ framework, ...summary })),
    drift: { open: drift.low + drift.medium + drift.high + drift.critical, high: drift.high },
    chain: {
      size: store.log.head().size,
      last_checkpoint_at: iso(store.log.head().ts),
      valid: figures.chain?.valid ?? false,
    },
    enforcement_mode: figures.mode,
  };
});

const lower = (by: Record<string, number>) => ({
  allow: by["ALLOW"] ?? 0,
  warn: by["WARN"] ?? 0,
  ask: by["ASK"] ?? 0,
  block: by["BLOCK"] ?? 0,
});

/** 24 hours without gaps, the oldest first, so that a chart needs no arithmetic. */
function hourly({ now }: Context, { series }: Stats) {
  const known = new Map(series.map(point => [point.t, point]));
  const newest = Math.floor(now() / HOUR_MS) * HOUR_MS;
  return Array.from({ length: 24 }, (_, i) => {
    const t = newest - (23 - i) * HOUR_MS;
    const { total = 0, ...by } = known.get(t) ?? {};
    return { t: iso(t), total, ...lower(by as Record<string, number>) };
  });
}
