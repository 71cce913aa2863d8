import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Call } from "../../src/domain/policy/verdict.ts";
import { type Client, isProblem } from "../../src/hooks/dialect.ts";
import { dialects } from "../../src/hooks/index.ts";
import { createWorld, type World } from "../world.ts";

/** What real agents sent, turned into checks and events, and read back. */
const folder = join(import.meta.dirname, "../fixtures/hooks");
const recordings = readdirSync(folder).map(file => ({
  file,
  client: Object.keys(dialects).find(name => file.startsWith(name)) as Client,
  payloads: readFileSync(join(folder, file), "utf8")
    .trim()
    .split("\n")
    .map(line => JSON.parse(line)),
}));

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

let drawn = 0;
const ambient = { now_ms: Date.UTC(2026, 10, 21), random: () => `r${++drawn}`, servers: [{ name: "demo" }] };

const asked = ({ type, ...call }: Call) =>
  call && type === "shell"
    ? { type, command: (call as { command: string }).command }
    : { type, tool: (call as { tool: string }).tool, args: (call as { args: object }).args };

test("every recorded call gets a verdict and every recorded event comes back, chain valid", async () => {
  expect(recordings.length).toBeGreaterThanOrEqual(9);
  const token = await world.admin();
  for (const { file, client, payloads } of recordings) {
    const agent = await world.agent(file);
    const readings = payloads.map(payload => dialects[client].parse(payload, ambient));
    const events = [];
    let checks = 0;
    for (const reading of readings) {
      if (isProblem(reading)) throw new Error(`${file}: ${reading.problem}`);
      events.push(reading.event);
      for (const call of reading.phase === "before" ? reading.calls : []) {
        const verdict = await world.call("POST", "/api/policy/check", {
          token: agent.token,
          body: { ...asked(call), client },
        });
        expect([verdict.status, verdict.json.policy_version]).toEqual([200, 1]);
        checks++;
      }
    }
    const sent = await world.call("POST", "/api/events", { token: agent.token, body: { events } });
    const ids = new Set(events.map(event => event.id));
    expect([sent.status, sent.json.accepted, sent.json.rejected]).toEqual([200, ids.size, []]);
    const audit = await world.call("GET", `/api/audit?agent_id=${agent.id}&limit=200&order=asc`, { token });
    const back = audit.json.items.filter((item: { type: string; id: string }) => ids.has(item.id));
    expect(back.length).toBe(ids.size);
    const [first] = events;
    expect(back[0]).toMatchObject({ ...first, agent_id: agent.id });
    expect(audit.json.items.filter((item: { type: string }) => item.type === "policy.decision").length).toBe(checks);
  }
  const chain = await world.call("GET", "/api/posture/attestation-chain", { token });
  expect(chain.json).toMatchObject({ valid: true, from: 0 });
});
