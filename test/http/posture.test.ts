import { afterAll, beforeAll, expect, test } from "bun:test";
import { createPublicKey, verify } from "node:crypto";
import { verifyEnvelope } from "../../src/domain/posture/attestation.ts";
import { heldAgainst } from "../schemas.ts";
import { inProcess } from "../target.ts";
import { ADMIN, createWorld, type World } from "../world.ts";

/** What people see of drift, evidence and the fleet; and how the log leaves the house. */
let world: World;
let admin: string;
let agent: { id: string; token: string };
beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  agent = await world.agent("laptop");
});
afterAll(() => world.close());

/** What the server itself notes down comes a moment later: two answers are compared once the log stood still between them. */
async function atRest<T>(ask: () => Promise<T>): Promise<T> {
  for (;;) {
    const before = await size();
    const answer = await ask();
    if ((await size()) === before) return answer;
  }
}
const size = async (): Promise<number> => (await get("/audit?limit=1")).json.items[0].seq + 1;

const get = (path: string) => world.call("GET", `/api${path}`, { token: admin });
const beat = (mcp_servers: unknown[]) =>
  world.call("POST", "/api/heartbeat", { token: agent.token, body: { mcp_servers } });
let drawn = 0;
const event = (more: object) => ({ id: `e${++drawn}`, time: new Date().toISOString(), type: "mcp.call", ...more });
const send = (...events: object[]) => world.call("POST", "/api/events", { token: agent.token, body: { events } });
const call = (server: string, tool: string) => event({ client: "claude-code", action: { kind: "mcp", server, tool } });
const readFileTool = (more: object = {}) => ({
  name: "read_file",
  description: "Reads a file.",
  input_schema: { type: "object", properties: { path: { type: "string" } } },
  annotations: { readOnlyHint: true, destructiveHint: false },
  ...more,
});

test("what was called but not declared, and declared but not called, is drift", async () => {
  expect((await get("/posture/drift")).json).toEqual({ items: [], next_cursor: null });
  await beat([{ name: "fs", tools: [readFileTool()] }, { name: "idle" }]);
  await send(call("fs", "read_file"), call("fs", "delete_file"), call("evil", "steal"), call("evil", "steal"));
  const { items } = (await get("/posture/drift")).json;
  expect(items.map((d: { kind: string; severity: string }) => [d.kind, d.severity])).toEqual([
    ["undeclared_server", "high"],
    ["undeclared_tool", "medium"],
    ["unused_server", "low"],
  ]);
  expect(items[0]).toEqual({
    kind: "undeclared_server",
    severity: "high",
    agent_id: agent.id,
    server: "evil",
    detail: expect.any(String),
    first_seen_at: expect.stringMatching(/Z$/),
    last_seen_at: expect.stringMatching(/Z$/),
    count: 2,
  });
});

test("a flipped destructiveHint is high, a rewording low, another order of members nothing", async () => {
  const reordered = Object.fromEntries(Object.entries(readFileTool()).reverse());
  await beat([{ name: "fs", tools: [reordered] }, { name: "idle" }]);
  expect((await get("/posture/drift")).json.items).toHaveLength(3);
  const changed = readFileTool({
    description: "Reads one file of the project.",
    annotations: { readOnlyHint: true, destructiveHint: true },
  });
  await beat([{ name: "fs", tools: [changed] }, { name: "idle" }]);
  const found = (await get("/posture/drift")).json.items.filter((d: { tool?: string }) => d.tool === "read_file");
  expect(found).toMatchObject([
    { kind: "annotation_changed", severity: "high", detail: "destructiveHint false → true", count: 1 },
    { kind: "description_changed", severity: "low", detail: "reworded", count: 1 },
  ]);
  expect((await get("/posture/drift?severity=high")).json.items).toHaveLength(2);
  expect((await get("/posture/drift?kind=unused_server")).json.items).toHaveLength(1);
  expect((await get("/posture/drift?kind=nonsense")).status).toBe(422);
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const page: { items: { kind: string }[]; next_cursor: string | null } = (
      await get(`/posture/drift?limit=2${cursor && `&cursor=${cursor}`}`)
    ).json;
    seen.push(...page.items.map(d => d.kind));
    cursor = page.next_cursor;
  }
  expect(seen).toHaveLength(5);
  const strange = ['["high",1]', '["grave",1,1]', '["high",-1,1]', '["high",1,1,1]', "{}"];
  for (const cursor of strange.map(text => Buffer.from(text).toString("base64url")))
    expect((await get(`/posture/drift?cursor=${cursor}`)).status).toBe(422);
});

test("a call that telemetry saw and no hook announced is unhooked, once the hook has had its time", async () => {
  const announced = { client: "claude-code", session_id: "s1", tool_use_id: "t1" };
  await world.call("POST", "/api/policy/check", {
    token: agent.token,
    body: { type: "shell", command: "ls", ...announced },
  });
  const shell = { type: "shell.exec", client: "claude-code", session_id: "s1", attributes: { source: "otlp" } };
  const action = { kind: "shell", command: "ls" };
  await send(event({ ...shell, action, tool_use_id: "t1" }), event({ ...shell, action, tool_use_id: "t2" }));
  const unhooked = async () => (await get("/posture/drift?kind=unhooked_call")).json.items;
  expect(await unhooked()).toEqual([]);
  // What follows needs a clock that can be moved.
  if (!inProcess) return;
  world.advance(200_000);
  expect(await unhooked()).toMatchObject([
    { severity: "high", agent_id: agent.id, server: "", tool: "shell", count: 1 },
  ]);
  expect((await get("/dashboard")).json.agents.unhooked_calls_24h).toBe(1);
});

test("attestations are signed with the key the server publishes, and name the log they rest on", async () => {
  for (const framework of ["soc2", "owasp-agentic"])
    await world.call("POST", "/api/compliance/frameworks", { token: admin, body: { framework } });
  const { keys } = (await get("/posture/keys")).json;
  const raw = Uint8Array.fromBase64(keys[0].vkey.split("+").slice(2).join("+")).slice(1);
  const publicKey = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: raw.toBase64({ alphabet: "base64url", omitPadding: true }) },
    format: "jwk",
  });
  const key = { keyid: keys[0].vkey, verify: (m: Uint8Array, s: Uint8Array) => verify(null, m, publicKey, s) };

  const all = await get("/posture/evidence?framework=owasp-agentic");
  expect(all.json.items).toHaveLength(10);
  for (const attestation of all.json.items)
    expect(await verifyEnvelope(attestation.envelope, [key])).toEqual(attestation.statement);

  const statement = heldAgainst("in-toto-statement-1.json");
  for (const item of all.json.items) expect(statement(item.statement)).toEqual([]);
  const [one, note] = await atRest(async () => [
    await get("/posture/control-evidence?framework=soc2&control=CC7.2"),
    await get("/posture/checkpoint"),
  ]);
  const [attestation] = one.json.items;
  expect(attestation).toMatchObject({ framework: "soc2", control: "CC7.2" });
  const { subject, predicate } = attestation.statement;
  const checkpoint = note.text.split("\n");
  expect(subject[0].name).toBe(`${checkpoint[0]}@${predicate.log.to}`);
  expect(subject[0].digest.sha256).toBe(Uint8Array.fromBase64(checkpoint[2]!).toHex());
  expect(predicate.evidence.every((e: { log: { to: number } }) => e.log.to === predicate.log.to)).toBe(true);
});

test("evidence goes page by page, and unknown controls are not there", async () => {
  const first = await get("/posture/evidence?limit=20");
  expect(first.json.items).toHaveLength(20);
  const second = await get(`/posture/evidence?limit=20&cursor=${first.json.next_cursor}`);
  expect(second.json.next_cursor).toBeNull();
  expect(first.json.items.length + second.json.items.length).toBe(28);
  expect((await get("/posture/control-evidence?framework=soc2&control=CC99")).status).toBe(404);
  expect((await get("/posture/control-evidence?framework=soc9&control=CC1.1")).status).toBe(404);
  expect((await get("/posture/control-evidence?framework=soc2")).status).toBe(422);
  expect((await get("/posture/evidence?framework=nope")).status).toBe(422);
});

test("observed MCP servers come with their tools, and whether anybody declares them", async () => {
  const { items } = (await get("/audit/mcp-servers")).json;
  expect(items.map((s: { name: string; declared: boolean }) => [s.name, s.declared])).toEqual([
    ["evil", false],
    ["fs", true],
  ]);
  expect(items[0]).toEqual({
    name: "evil",
    agents: 1,
    calls: 2,
    tools: [{ name: "steal", calls: 2, last_seen_at: expect.stringMatching(/Z$/) }],
    first_seen_at: expect.stringMatching(/Z$/),
    last_seen_at: expect.stringMatching(/Z$/),
    declared: false,
  });
  const page = await get("/audit/mcp-servers?limit=1");
  const next = await get(`/audit/mcp-servers?limit=1&cursor=${page.json.next_cursor}`);
  expect([next.json.items[0].name, next.json.next_cursor]).toEqual(["fs", null]);
});

test("the dashboard's numbers agree with the lists behind them", async () => {
  const [{ json }, listed, newest] = await atRest(async () => [
    await get("/dashboard"),
    await get("/posture/drift?limit=200"),
    await get("/audit?limit=1"),
  ]);
  expect(json).toMatchObject({
    agents: { total: 1, stale: expect.any(Number) },
    decisions_24h: { allow: 1, warn: 0, ask: 0, block: 0 },
    chain: { valid: true, last_checkpoint_at: expect.stringMatching(/Z$/) },
    enforcement_mode: "enforce",
  });
  expect(json.events.hourly).toHaveLength(24);
  expect(Object.keys(json.events.hourly[23]).sort()).toEqual(["allow", "ask", "block", "t", "total", "warn"]);
  expect(json.compliance.map((c: { framework: string }) => c.framework)).toEqual(["soc2", "owasp-agentic"]);
  const drift = listed.json.items;
  expect(json.drift.open).toBe(drift.length);
  expect(json.drift.high).toBe(drift.filter((d: { severity: string }) => d.severity === "high").length);
  expect(json.chain.size).toBe(newest.json.items[0].seq + 1);
});

test("the log is exported as OCSF and CSV, one line an entry", async () => {
  const [ocsf, csv] = await atRest(async () => [
    await get("/audit/export?format=ocsf"),
    await get("/audit/export?format=csv"),
  ]);
  const entries = await size();
  const events = ocsf.text
    .trimEnd()
    .split("\n")
    .map(line => JSON.parse(line));
  expect(events).toHaveLength(entries);
  expect(new Set(events.map(e => e.class_uid))).toEqual(new Set([3004, 6003, 1007]));
  expect(events.flatMap(heldAgainst("ocsf-1.8.0.json"))).toEqual([]);
  expect(csv.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(csv.text.startsWith("seq,received_at,")).toBe(true);
  expect(csv.text.endsWith("\r\n")).toBe(true);
  expect(csv.text.match(/\r\n\d+,/g)).toHaveLength(entries);
  expect((await get("/audit/export?format=xml")).status).toBe(422);
});

test("leaves are exported for a window: numbers with both ends, times without the later one", async () => {
  const lines = async (query: string) => (await get(`/audit/export?format=leaves${query}`)).text.trimEnd().split("\n");
  const whole = await lines("");
  expect(await lines("&from=1&to=3")).toEqual(whole.slice(1, 4));
  expect(await lines("&from=2")).toEqual(whole.slice(2));
  expect(await lines(`&from=${whole.length + 5}`)).toEqual([""]);
  const { ts } = JSON.parse(whole.at(-1)!) as { ts: number };
  const earlier = whole.filter(line => (JSON.parse(line) as { ts: number }).ts < ts);
  expect(await lines(`&to=${new Date(ts).toISOString()}`)).toEqual(earlier.length > 0 ? earlier : [""]);
  expect(await lines(`&from=${new Date(ts).toISOString()}`)).toEqual(whole.slice(earlier.length));
  for (const query of ["format=leaves&from=yesterday", "format=csv&from=1"])
    expect((await get(`/audit/export?${query}`)).status).toBe(422);
});

/** Reads server-sent events until `enough` says so. */
async function listen(
  headers: Record<string, string>,
  query: string,
  enough: (text: string) => boolean,
  act?: () => void,
) {
  const stop = new AbortController();
  const response = await fetch(`${world.url}/api/audit/stream${query}`, {
    headers: { authorization: `Bearer ${admin}`, ...headers },
    signal: stop.signal,
  });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true });
    if (act && text.includes("retry:")) act();
    act = undefined;
    if (enough(text)) break;
  }
  stop.abort();
  return text;
}
const ids = (text: string) => [...text.matchAll(/^id: (\d+)\nevent: entry$/gm)].map(m => Number(m[1]));

test("the live tail sends what comes, and goes on where a client left off", async () => {
  const before = (await get("/audit?limit=1")).json.items[0].seq;
  const live = await listen(
    {},
    "",
    text => ids(text).length >= 1,
    () => void send(call("fs", "read_file")),
  );
  expect(ids(live)[0]).toBe(before + 1);
  expect(live).toContain('"type":"mcp.call"');
  const resumed = await listen({ "last-event-id": "2" }, "", text => ids(text).length >= 3);
  expect(ids(resumed).slice(0, 3)).toEqual([3, 4, 5]);
  const filtered = await listen({ "last-event-id": "-1" }, "?type=mcp.call", text => ids(text).length >= 2);
  expect(filtered).not.toContain('"type":"agent.changed"');
  const ahead = await listen(
    { "last-event-id": "999999999999" },
    "",
    text => ids(text).length >= 1,
    () => void send(call("fs", "read_file")),
  );
  expect(ids(ahead)[0]).toBe((await get("/audit?limit=1")).json.items[0].seq);
  const wrong = await world.call("GET", "/api/audit/stream", { token: admin, headers: { "last-event-id": "x" } });
  expect(wrong.status).toBe(400);
});

test("the live tail ends with the session that opened it, and tells nothing more", async () => {
  const { token } = (await world.call("POST", "/api/auth/login", { body: ADMIN })).json;
  const response = await fetch(`${world.url}/api/audit/stream`, { headers: { authorization: `Bearer ${token}` } });
  const reader = response.body!.getReader();
  let text = new TextDecoder().decode((await reader.read()).value);
  expect(text).toStartWith("retry:");
  expect((await world.call("POST", "/api/auth/logout", { token })).status).toBe(204);
  await send(call("fs", "write_file"));
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += new TextDecoder().decode(next.value);
  expect(text).not.toContain("write_file");
});

test.skipIf(!inProcess)(
  "what was declared over time is rebuilt from the log, and taking a server away hides no change",
  async () => {
    const before = (await get("/posture/drift?limit=200")).json;
    const { directory, dispatch } = world.gatehouse.parts;
    const org = directory.members.places(directory.accounts.byEmail("ada@example.com")!.id)[0]!.id;
    await dispatch.finish(org, "org.rebuild", null);
    expect((await get("/posture/drift?limit=200")).json).toEqual(before);
    await beat([{ name: "idle" }]);
    await beat([{ name: "fs", tools: [readFileTool({ annotations: { readOnlyHint: true } })] }, { name: "idle" }]);
    const kinds = (await get("/posture/drift?kind=annotation_changed")).json.items;
    expect(kinds).toMatchObject([{ severity: "high", server: "fs", tool: "read_file", count: 2 }]);
  },
);

test("an open tail does not keep the server from stopping", async () => {
  const response = await fetch(`${world.url}/api/audit/stream`, { headers: { authorization: `Bearer ${admin}` } });
  const reading = response.text();
  await world.restart();
  expect(await reading).toContain("retry:");
  expect((await get("/posture/drift")).json.items.length).toBeGreaterThan(4);
});
