import { afterAll, beforeAll, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { compress } from "../../src/store/zstd.ts";
import { ADMIN, createWorld, type World } from "../world.ts";

/** The main job from end to end: sign in, connect, heartbeat, pull, ask, stream, read back, verify. */
let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const event = (id: string, more: object = {}) => ({
  id,
  time: "2026-11-21T10:00:00.000Z",
  type: "shell.exec",
  ...more,
});

test("an agent's day comes back from the audit log, and its chain is valid", async () => {
  const token = await world.admin();
  const agent = await world.agent("build-box");

  const beat = await world.call("POST", "/api/heartbeat", {
    token: agent.token,
    body: {
      version: "1.0.0",
      hostname: "build",
      platform: "linux",
      hooks: [{ client: "claude-code", installed: true }],
      policy_version: 1,
    },
  });
  expect(beat.status).toBe(200);
  expect(beat.json).toMatchObject({ enforcement_mode: "enforce", policy_version: 1, next_heartbeat_s: 60 });

  const policy = await world.call("GET", "/api/policy", { token: agent.token });
  expect(policy.json).toMatchObject({ version: 1, enforcement_mode: "enforce" });
  expect(policy.headers.get("etag")).toBe(`"${beat.json.policy_etag}"`);
  const unchanged = await world.call("GET", "/api/policy", {
    token: agent.token,
    headers: { "if-none-match": policy.headers.get("etag")! },
  });
  expect([unchanged.status, unchanged.text]).toEqual([304, ""]);

  const blocked = await world.call("POST", "/api/policy/check", {
    token: agent.token,
    body: { type: "shell", command: "sudo rm -rf /", client: "claude-code" },
  });
  expect(blocked.json).toMatchObject({ decision: "BLOCK", enforced: true, mode: "enforce", policy_version: 1 });
  expect(blocked.json.rules.length).toBeGreaterThan(0);
  const fine = await world.call("POST", "/api/policy/check", {
    token: agent.token,
    body: { type: "shell", command: "git status" },
  });
  expect(fine.json.decision).toBe("ALLOW");

  const sent = await world.call("POST", "/api/events", {
    token: agent.token,
    body: {
      events: [event("e1", { action: { kind: "shell", command: "ls" }, exit_code: 0 }), event("e2"), { id: "bad" }],
    },
  });
  expect(sent.status).toBe(200);
  expect(sent.json).toMatchObject({ accepted: 2, duplicates: 0, rejected: [{ index: 2, error: "invalid_event" }] });
  const again = await world.call("POST", "/api/events", {
    token: agent.token,
    body: [event("e1"), event("e2"), event("e3")],
  });
  expect(again.json).toMatchObject({ accepted: 1, duplicates: 2, rejected: [] });

  const audit = await world.call("GET", `/api/audit?agent_id=${agent.id}&order=asc`, { token });
  const types = audit.json.items.map((item: { type: string }) => item.type);
  expect(types).toEqual([
    "agent.registered",
    "agent.changed",
    "policy.decision",
    "policy.decision",
    "shell.exec",
    "shell.exec",
    "shell.exec",
  ]);
  expect(audit.json.items[2]).toMatchObject({
    decision: "BLOCK",
    decision_id: blocked.json.decision_id,
    agent_id: agent.id,
  });

  const chain = await world.call("GET", "/api/posture/attestation-chain", { token });
  expect(chain.json).toMatchObject({ valid: true, from: 0, head: again.json.head });
  expect(chain.json.count).toBe(again.json.head.seq + 1);
});

test("everything is still there after a restart", async () => {
  const token = await world.admin();
  const before = await world.call("GET", "/api/audit?limit=200", { token });
  await world.restart();
  const after = await world.call("GET", "/api/audit?limit=200", { token });
  expect(after.json).toEqual(before.json);
  const chain = await world.call("GET", "/api/posture/attestation-chain", { token });
  expect(chain.json.valid).toBe(true);
});

test("a removed agent's token is dead at once", async () => {
  const token = await world.admin();
  const agent = await world.agent("old-box");
  expect((await world.call("GET", "/api/agents/self", { token: agent.token })).json.id).toBe(agent.id);
  expect((await world.call("DELETE", `/api/agents/${agent.id}`, { token })).status).toBe(204);
  const self = await world.call("GET", "/api/agents/self", { token: agent.token });
  expect([self.status, self.json.error]).toEqual([401, "invalid_token"]);
  expect((await world.call("GET", `/api/agents/${agent.id}`, { token })).status).toBe(404);
  expect((await world.call("DELETE", `/api/agents/${agent.id}`, { token })).status).toBe(404);
});

test("in audit-only the true decision stays visible and is not enforced", async () => {
  const token = await world.admin();
  const agent = await world.agent();
  const tag = (await world.call("GET", "/api/policy", { token })).headers.get("etag");
  const set = await world.call("PUT", "/api/org/enforcement-mode", { token, body: { mode: "audit-only" } });
  expect(set.json.mode).toBe("audit-only");
  const check = await world.call("POST", "/api/policy/check", {
    token: agent.token,
    body: { type: "shell", command: "rm -rf /" },
  });
  expect(check.json).toMatchObject({ decision: "BLOCK", enforced: false, mode: "audit-only" });
  const pulled = await world.call("GET", "/api/policy", { token, headers: { "if-none-match": tag! } });
  expect([pulled.status, pulled.json.enforcement_mode]).toEqual([200, "audit-only"]);
});

test("events without a body are malformed, not of the wrong type; a session begins with its whole twelve hours", async () => {
  const { token } = await world.agent();
  const bare = await fetch(`${world.url}/api/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}` },
  });
  const { error } = (await bare.json()) as { error: string };
  expect([bare.status, error]).toEqual([400, "malformed_json"]);
  const { json } = await world.call("POST", "/api/auth/login", { body: ADMIN });
  expect(json.expires_in).toBe(12 * 60 * 60);
});

test("events packed with gzip or zstd are stored like plain ones, a secret in them under the same tag", async () => {
  const { token } = await world.agent("packer");
  const secret = `ghp_${"a1B2c3D4e5".repeat(4)}`;
  const body = (id: string) =>
    Buffer.from(JSON.stringify([event(id, { action: { kind: "shell", command: `git push https://${secret}@h/x` } })]));
  const packings = {
    identity: body,
    gzip: (id: string) => gzipSync(body(id)),
    zstd: (id: string) => compress(body(id), 3),
  };
  for (const [encoding, pack] of Object.entries(packings)) {
    const headers = { "content-encoding": encoding, "content-type": "application/json" };
    const sent = await world.call("POST", "/api/events", { token, headers, body: pack(`packed-${encoding}`) });
    expect([encoding, sent.status, sent.json.accepted]).toEqual([encoding, 200, 1]);
    const broken = await world.call("POST", "/api/events", { token, headers, body: pack("x").subarray(0, 20) });
    expect([encoding, broken.status]).toEqual([encoding, 400]);
  }
  const { items } = (await world.call("GET", "/api/audit?limit=3&q=packed-", { token: await world.admin() })).json;
  expect(items.map((item: { id: string }) => item.id)).toEqual(["packed-zstd", "packed-gzip", "packed-identity"]);
  const commands = items.map((item: { action: { command: string } }) => item.action.command);
  expect(commands[0]).toMatch(/^git push https:\/\/\[redacted:github-token:[0-9a-f]{12}\]@h\/x$/);
  expect(new Set(commands).size).toBe(1);
});
