import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { PageQuery, StoredEntry } from "../../src/store/log.ts";
import type { OrgStore } from "../../src/store/org-store.ts";
import { event, finish, openMemory, startMs, storeWorld } from "./fixture.ts";

const hour = 3_600_000;
const kinds = ["shell.exec", "mcp.call", "file.write"];
const decisions = [undefined, "ALLOW", "WARN", "BLOCK"] as const;

/** 600 entries over some hours, in commits of any size, some merged. */
function build(): { store: OrgStore; all: StoredEntry[] } {
  const world = storeWorld();
  const store = openMemory(world);
  for (let n = 0; n < 600; ) {
    const batch = 1 + ((n * 7) % 40);
    world.clock.ms += (n % 3) * 601_000;
    store.commit(() => {
      for (const end = n + batch; n < end; n++) append(store, n);
    });
    if (n % 4 === 0) store.log.tidy();
  }
  return { store, all: [...store.log.read()] };
}

function append(store: OrgStore, n: number): void {
  const decision = decisions[n % 4];
  const body = JSON.stringify({
    id: `evt-${n}`,
    session_id: `s-${n % 9}`,
    command: n % 13 === 0 ? "Make ÄPFEL" : "ls",
  });
  store.log.append(
    event(n, {
      kind: kinds[n % 3]!,
      body,
      stream: n % 17 === 0 ? "state" : "telemetry",
      ...(decision ? { decision } : {}),
      facets: {
        ...(n % 2 ? { client: n % 5 ? "codex" : "cursor" } : {}),
        ...(n % 6 === 0 ? { rules: ["a.b", `r-${n % 4}`] } : {}),
        ...(n % 3 === 1 ? { server: `srv-${n % 2}`, tool: `t-${n % 5}` } : {}),
        ...(n % 8 === 0 ? { echo: true } : {}),
      },
    }),
  );
}

const { store, all } = build();

function matches(entry: StoredEntry, query: PageQuery): boolean {
  const body = JSON.parse(entry.body!);
  return (
    (query.from_ms === undefined || entry.ts >= query.from_ms) &&
    (query.to_ms === undefined || entry.ts < query.to_ms) &&
    (query.kind === undefined || entry.kind === query.kind) &&
    (query.agent === undefined || entry.agent === query.agent) &&
    (query.decision === undefined || entry.decision === query.decision) &&
    (query.stream === undefined || entry.stream === query.stream) &&
    (query.rule === undefined || (entry.facets.rules ?? []).includes(query.rule)) &&
    (query.client === undefined || entry.facets.client === query.client) &&
    (query.session_id === undefined || body.session_id === query.session_id) &&
    (query.q === undefined || entry.body!.toLowerCase().includes(query.q.toLowerCase()))
  );
}

const ms = fc.integer({ min: -1, max: 12 }).map(h => startMs + h * hour + 1);
const query = fc.record(
  {
    from_ms: ms,
    to_ms: ms,
    kind: fc.constantFrom(...kinds, "none"),
    agent: fc.constantFrom("agt_0", "agt_1", "nobody"),
    decision: fc.constantFrom("ALLOW", "BLOCK", "ASK"),
    stream: fc.constantFrom("state", "telemetry"),
    rule: fc.constantFrom("a.b", "r-2", "r-9"),
    client: fc.constantFrom("codex", "cursor", "gemini"),
    session_id: fc.constantFrom("s-3", "s"),
    q: fc.constantFrom("äpfel", "EVT-1", "zzz"),
    order: fc.constantFrom("asc", "desc"),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<PageQuery>;

describe("pages", () => {
  test("walked to their end they hold exactly what matches, in order, whatever the size of a page", () => {
    fc.assert(
      fc.property(query, fc.integer({ min: 1, max: 90 }), (wanted, limit) => {
        const expected = all.filter(entry => matches(entry, wanted));
        if (wanted.order !== "asc") expected.reverse();
        const found: StoredEntry[] = [];
        let cursor: string | null = "";
        while (cursor !== null) {
          const page = store.log.page({ ...wanted, limit, ...(cursor ? { cursor } : {}) });
          expect(page.entries.length).toBeLessThanOrEqual(limit);
          found.push(...page.entries);
          cursor = page.next;
        }
        expect(found.map(entry => entry.seq)).toEqual(expected.map(entry => entry.seq));
        expect(found).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  });

  test("do not move when entries are appended", () => {
    const own = build().store;
    const first = own.log.page({ limit: 10 });
    own.commit(() => append(own, 9_999));
    const second = own.log.page({ limit: 10, cursor: first.next! });
    expect(second.entries[0]!.seq).toBe(first.entries.at(-1)!.seq - 1);
  });

  test.each(["", "x", "e", "e-1", "e1.5", "eZZ", "e9999999999999999"])(
    "a cursor of another kind is refused: %j",
    cursor => {
      if (cursor === "") return;
      expect(() => store.log.page({ cursor })).toThrow(expect.objectContaining({ code: "invalid" }));
    },
  );
});

describe("statistics", () => {
  test("count what the entries say, for any stretch of time", () => {
    fc.assert(
      fc.property(fc.option(ms, { nil: undefined }), fc.option(ms, { nil: undefined }), (from_ms, to_ms) => {
        const range = { ...(from_ms === undefined ? {} : { from_ms }), ...(to_ms === undefined ? {} : { to_ms }) };
        const inside = all.filter(entry => matches(entry, range));
        const stats = store.audit.stats(range);
        expect(stats.total).toBe(inside.length);
        expect(stats.by_type).toEqual(countBy(inside.map(entry => entry.kind)));
        expect(stats.by_client).toEqual(countBy(inside.flatMap(entry => entry.facets.client ?? [])));
        const decided = countBy(inside.flatMap(entry => (entry.facets.echo ? [] : (entry.decision ?? []))));
        expect(stats.by_decision).toEqual({ ALLOW: 0, WARN: 0, ASK: 0, BLOCK: 0, ...decided });
        const rules = countBy(inside.flatMap(entry => entry.facets.rules ?? []));
        expect(Object.fromEntries(stats.by_rule.map(({ rule, count }) => [rule, count]))).toEqual(rules);
        const agents = countBy(inside.map(entry => entry.agent!));
        expect(Object.fromEntries(stats.by_agent.map(({ agent_id, count }) => [agent_id, count]))).toEqual(agents);
        expect(stats.series.reduce((sum, point) => sum + point.total, 0)).toBe(inside.length);
        for (const { t, total } of store.audit.stats({ ...range, bucket: "day" }).series)
          expect(total).toBe(inside.filter(entry => Math.floor(entry.ts / (24 * hour)) * 24 * hour === t).length);
      }),
      { numRuns: 40 },
    );
  });

  test("MCP servers are what was called, echoes not counted", () => {
    const calls = all.filter(entry => entry.facets.server === "srv-0" && !entry.facets.echo);
    const observed = store.audit.mcpServers().find(server => server.name === "srv-0")!;
    expect(observed).toMatchObject({
      calls: calls.length,
      agents: new Set(calls.map(entry => entry.agent)).size,
      first_seen_ms: calls[0]!.ts,
      last_seen_ms: calls.at(-1)!.ts,
    });
    const tools = countBy(calls.map(entry => entry.facets.tool!));
    expect(Object.fromEntries(observed.tools.map(tool => [tool.name, tool.calls]))).toEqual(tools);
  });

  test("are the same after a rebuild", () => {
    const answers = () => [store.audit.stats({}), store.audit.mcpServers()];
    const before = answers();
    finish(store.rebuild());
    expect(answers()).toEqual(before);
  });
});

function countBy(values: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const value of values) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}
