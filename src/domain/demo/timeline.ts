import type { Scenario, ScenarioAgent, ScenarioCall, ScenarioChange, ScenarioScan } from "./scenario.ts";

/** One thing that happens in the demo's company. `at_ms`: Unix ms. */
export type Happening = { at_ms: number } & (
  | { kind: "founded" }
  | { kind: "joined"; member: Scenario["members"][number] }
  | { kind: "registered"; agent: ScenarioAgent }
  | { kind: "changed"; change: ScenarioChange }
  | { kind: "called"; agent: ScenarioAgent; call: ScenarioCall; client: string; session: string; first: boolean }
  | { kind: "scanned"; scan: ScenarioScan }
);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Everything that happens up to `now_ms`, in order. `random` gives numbers in [0, 1): the same ones, the same story. */
export function timeline(scenario: Scenario, now_ms: number, random: () => number): Happening[] {
  const ago = (days: number) => now_ms - days * DAY_MS;
  const happenings: Happening[] = [
    { at_ms: ago(scenario.organisation.days) - HOUR_MS, kind: "founded" },
    ...scenario.members.map(member => ({ at_ms: ago(member.days_ago), kind: "joined" as const, member })),
    ...scenario.agents.map(agent => ({
      at_ms: ago(agent.days_ago) + HOUR_MS / 2,
      kind: "registered" as const,
      agent,
    })),
    ...scenario.changes.map(change => ({ at_ms: ago(change.days_ago), kind: "changed" as const, change })),
    ...scenario.scans.map(scan => ({ at_ms: ago(scan.days_ago), kind: "scanned" as const, scan })),
    ...scenario.agents.flatMap(agent => [...work(scenario, agent, now_ms, random)]),
  ];
  return happenings.sort((a, b) => a.at_ms - b.at_ms);
}

/** An agent's sessions: a few calls each, a minute or so apart, mostly on weekdays. */
function* work(scenario: Scenario, agent: ScenarioAgent, now_ms: number, random: () => number): Generator<Happening> {
  const { clients, calls_per_day, days_ago, last_seen_min } = agent;
  if (clients.length === 0 || calls_per_day === 0 || last_seen_min === null) return;
  const choices = scenario.calls.filter(call => canCall(call, agent));
  const end_ms = now_ms - last_seen_min * 60_000;
  const start_ms = now_ms - days_ago * DAY_MS + HOUR_MS;
  for (let day = Math.floor(start_ms / DAY_MS); day * DAY_MS < end_ms; day++) {
    const wanted = Math.round(calls_per_day * (isWeekend(day) ? 0.15 : 0.6 + 0.8 * random()));
    for (let made = 0, sessions = 0; made < wanted; sessions++) {
      const length = Math.min(wanted - made, 2 + Math.floor(random() * 5));
      const client = pick(clients, random);
      const session = `${agent.name}-${day}-${sessions}`;
      let at_ms = day * DAY_MS + (6 + 13 * random()) * HOUR_MS;
      for (let index = 0; index < length; index++, at_ms += (5 + 100 * random()) * 1000) {
        const call = weighted(choices, random);
        if (at_ms > start_ms && at_ms < end_ms)
          yield { at_ms: Math.floor(at_ms), kind: "called", agent, call, client, session, first: index === 0 };
      }
      made += length;
    }
  }
}

/** Calls of a server it has, or calls that are said to be its own. */
function canCall(call: ScenarioCall, agent: ScenarioAgent): boolean {
  if (call.agents) return call.agents.includes(agent.name);
  return "shell" in call || agent.servers.includes(call.server);
}

/** 1970-01-01 was a Thursday. */
const isWeekend = (day: number) => [2, 3].includes(day % 7);

const pick = <V>(values: readonly V[], random: () => number): V => values[Math.floor(random() * values.length)]!;

function weighted(calls: readonly ScenarioCall[], random: () => number): ScenarioCall {
  let left = random() * calls.reduce((sum, { weight }) => sum + weight, 0);
  return calls.find(({ weight }) => (left -= weight) < 0) ?? calls[0]!;
}
