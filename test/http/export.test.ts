import { afterAll, beforeAll, expect, test } from "bun:test";
import { createWorld, type World } from "../world.ts";

/** What leaves the house as a file is what `/audit` shows for the same filters. */
let world: World;
let admin: string;
let agents: { id: string; token: string }[];
beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  agents = [await world.agent("one"), await world.agent("two")];
  for (const [at, agent] of agents.entries()) {
    const events = Array.from({ length: 40 }, (_, n) => ({
      id: `e${at}-${n}`,
      time: new Date().toISOString(),
      type: n % 2 ? "shell.exec" : "mcp.call",
      session_id: `s${n % 5}`,
      client: n % 3 ? "codex" : "cursor",
      decision: n % 7 ? "ALLOW" : "BLOCK",
      ...(n % 7 ? {} : { rules: ["core.delete"] }),
      action: n % 2 ? { kind: "shell", command: `make ${n}` } : { kind: "mcp", server: "fs", tool: "read" },
    }));
    await world.call("POST", "/api/events", { token: agent.token, body: { events } });
  }
});
afterAll(() => world.close());

const get = (path: string) => world.call("GET", `/api${path}`, { token: admin });

async function listed(filter: string): Promise<number[]> {
  const seqs: number[] = [];
  for (let cursor = ""; ; ) {
    const { json } = await get(`/audit?order=asc&limit=30&${filter}${cursor}`);
    seqs.push(...json.items.map((one: { seq: number }) => one.seq));
    if (json.next_cursor === null) return seqs;
    cursor = `&cursor=${json.next_cursor}`;
  }
}

async function exported(filter: string): Promise<number[]> {
  const { status, text } = await get(`/audit/export?${filter}`);
  expect(status).toBe(200);
  return text
    .split("\n")
    .filter(line => line !== "")
    .map(line => JSON.parse(line).seq);
}

const moment = async (seq: number) => encodeURIComponent((await get(`/audit/${seq}`)).json.received_at);

test("every filter of the list is one of the export", async () => {
  const whole = await listed("");
  const early = await moment(whole.at(-45)!);
  for (const filter of [
    "",
    "type=shell.exec",
    `agent_id=${agents[1]!.id}`,
    "decision=BLOCK",
    "rule=core.delete",
    "session_id=s3",
    "client=cursor",
    "q=make%2013",
    "type=mcp.call&decision=BLOCK&client=codex",
    `from=${early}`,
    `to=${early}`,
    "type=nobody.ever",
  ])
    expect([filter, await exported(filter)]).toEqual([filter, await listed(filter)]);
  expect((await exported("decision=BLOCK")).length).toBe(12);
  expect(await exported("order=desc")).toEqual(whole.toReversed());
});

test("OCSF and CSV are filtered alike", async () => {
  const blocked = await listed("decision=BLOCK");
  const ocsf = (await get("/audit/export?format=ocsf&decision=BLOCK")).text.trimEnd().split("\n");
  expect(ocsf.map(line => JSON.parse(line).metadata.sequence)).toEqual(blocked);
  const csv = (await get("/audit/export?format=csv&decision=BLOCK")).text.trimEnd().split("\r\n");
  expect(csv.slice(1).map(row => Number(row.split(",")[0]))).toEqual(blocked);
});

test("leaves come for a time, in one piece; what would tear holes into the chain is refused", async () => {
  const whole = await listed("");
  const from = await moment(whole.at(-40)!);
  const lines = (await get(`/audit/export?format=leaves&from=${from}`)).text.trimEnd().split("\n");
  expect(lines.map(line => JSON.parse(line).seq)).toEqual(await listed(`from=${from}`));
  for (const filter of ["decision=BLOCK", "type=shell.exec", "order=desc", "q=make"])
    expect((await get(`/audit/export?format=leaves&${filter}`)).status).toBe(422);
  expect((await get("/audit/export?from=yesterday")).status).toBe(422);
  expect((await get("/audit/export?decision=MAYBE")).status).toBe(422);
});

test("a window of the chain is told as it was asked for: sequence numbers include both ends", async () => {
  const size = (await listed("")).length;
  const chain = async (query: string) => (await get(`/posture/attestation-chain${query}`)).json;
  expect(await chain("")).toMatchObject({ valid: true, from: 0, to: size - 1, count: size });
  expect(await chain("?from=5&to=9")).toMatchObject({ valid: true, from: 5, to: 9, count: 5 });
  expect(await chain("?from=7&to=7")).toMatchObject({ valid: true, from: 7, to: 7, count: 1 });
  const { from, to } = await chain(`?from=3&to=${size + 100}`);
  expect([from, to]).toEqual([3, size - 1]);
  expect(await chain(`?from=${from}&to=${to}`)).toMatchObject({ from, to, count: size - 3 });
  expect(await chain(`?from=${size + 5}`)).toMatchObject({ valid: true, count: 0 });
  const later = await moment(size - 1);
  expect(await chain(`?from=0&to=${later}`)).toMatchObject({ from: 0, count: (await listed(`to=${later}`)).length });
  expect((await get("/posture/attestation-chain?from=-1")).status).toBe(422);
});

test("tokens, keys, sessions and devices are lists like any other", async () => {
  const post = (path: string, body: object) => world.call("POST", `/api${path}`, { token: admin, body });
  for (const name of ["a", "b", "c"]) {
    expect((await post("/auth/tokens", { name })).status).toBe(201);
    expect((await post("/auth/enrolment-keys", { name })).status).toBe(201);
    await world.call("POST", "/api/auth/login", {
      body: { email: "ada@example.com", password: "correct horse battery" },
    });
  }
  for (const path of ["/auth/tokens", "/auth/enrolment-keys", "/auth/sessions"]) {
    const all = (await get(path)).json.items.map((one: { id: string }) => one.id);
    expect(all.length).toBeGreaterThanOrEqual(3);
    const seen: string[] = [];
    for (let cursor = ""; ; ) {
      const page = await get(`${path}?limit=2${cursor}`);
      expect(page.json.items.length).toBeLessThanOrEqual(2);
      seen.push(...page.json.items.map((one: { id: string }) => one.id));
      if (page.json.next_cursor === null) break;
      expect(page.headers.get("link")).toContain('rel="next"');
      cursor = `&cursor=${page.json.next_cursor}`;
    }
    expect([path, seen]).toEqual([path, all]);
  }
  for (const path of ["/auth/tokens", "/auth/enrolment-keys", "/auth/sessions", "/auth/devices"]) {
    expect((await get(`${path}?limit=0`)).status).toBe(422);
    expect((await get(`${path}?cursor=nonsense`)).status).toBe(422);
  }
  expect((await get("/auth/devices?limit=1")).json).toEqual({ items: [], next_cursor: null });
});
