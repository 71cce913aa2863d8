import { afterAll, beforeAll, expect, test } from "bun:test";
import { createHash, createPublicKey, verify } from "node:crypto";
import { createWorld, type World } from "../world.ts";

let world: World;
let admin: string;
let agent: { id: string; token: string };
beforeAll(async () => {
  world = await createWorld();
  admin = await world.admin();
  agent = await world.agent();
});
afterAll(() => world.close());

const yaml = { "content-type": "application/yaml" };
const put = (text: string, headers: Record<string, string> = {}) =>
  world.call("PUT", "/api/policy/yaml", { token: admin, body: text, headers: { ...yaml, ...headers } });
const check = (command: string) =>
  world.call("POST", "/api/policy/check", { token: agent.token, body: { type: "shell", command } });

const rule = `policy: 1
rules:
  - id: acme.deploy
    what: deploys to production
    why: Friday deployments have cost us two outages.
    instead: Merge to the main branch; the pipeline deploys.
    decision: BLOCK
    severity: high
    when: {run: deployctl apply}
    cases: {block: [deployctl apply], allow: [deployctl plan]}
`;

test("a new policy judges the next call, and its text comes back to the byte", async () => {
  expect((await check("deployctl apply")).json.decision).toBe("ALLOW");
  const changed = await put(rule);
  expect(changed.json).toMatchObject({ version: 2, hash: createHash("sha256").update(rule).digest("hex") });
  const after = await check("sudo deployctl apply");
  expect(after.json).toMatchObject({
    decision: "BLOCK",
    rules: expect.arrayContaining(["acme.deploy"]),
    policy_version: 2,
  });
  const own = after.json.matched.find((match: { rule: string }) => match.rule === "acme.deploy");
  expect(own).toMatchObject({ severity: "high", via: expect.arrayContaining(["sudo"]) });
  const back = await world.call("GET", "/api/policy/yaml", { token: agent.token });
  expect([back.text, back.headers.get("content-type"), back.headers.get("etag")]).toEqual([
    rule,
    "application/yaml",
    changed.headers.get("etag"),
  ]);
});

test("a text that is not valid changes nothing and is told by line and column", async () => {
  const before = await world.call("GET", "/api/policy/yaml", { token: admin });
  const refused = await put("policy: 1\nruels: []\n");
  expect([refused.status, refused.json.error]).toEqual([422, "invalid"]);
  expect(refused.json.details[0]).toMatchObject({ line: 2, message: expect.any(String) });
  expect((await world.call("GET", "/api/policy/yaml", { token: admin })).text).toBe(before.text);
  expect((await put("")).status).toBe(422);
  expect((await put("{}", { "content-type": "text/plain" })).status).toBe(415);
});

test("If-Match keeps one editor from undoing another's work", async () => {
  const { headers } = await world.call("GET", "/api/policy/yaml", { token: admin });
  const tag = headers.get("etag")!;
  expect((await put("policy: 1\nno_match: WARN\n", { "if-match": tag })).status).toBe(200);
  const late = await put("policy: 1\n", { "if-match": tag });
  expect([late.status, late.json.error]).toEqual([412, "precondition_failed"]);
  expect((await put("policy: 1\n", { "if-match": "nonsense" })).status).toBe(412);
});

test("history, one version's text, and going back to it", async () => {
  const history = await world.call("GET", "/api/policy/history?limit=1", { token: admin });
  expect(history.json.items.length).toBe(1);
  expect(history.headers.get("link")).toContain('rel="next"');
  const next = await world.call("GET", `/api/policy/history?limit=1&cursor=${history.json.next_cursor}`, {
    token: admin,
  });
  expect(next.json.items[0].version).toBe(history.json.items[0].version - 1);
  const second = await world.call("GET", "/api/policy/history/2", { token: admin });
  expect(second.json.yaml).toBe(rule);
  expect((await world.call("GET", "/api/policy/history/99", { token: admin })).status).toBe(404);
  expect((await put(second.json.yaml)).json.version).toBe(history.json.items[0].version + 1);
});

test("a draft is validated and replayed without touching what is in force", async () => {
  const draft = "policy: 1\nno_match: ASK\n";
  const examined = await world.call("POST", "/api/policy/validate", { token: admin, body: { yaml: "policy: 2\n" } });
  expect(examined.json).toMatchObject({ valid: false, problems: [{ line: 1 }] });
  await check("deployctl apply");
  const replayed = await world.call("POST", "/api/policy/replay", { token: admin, body: { yaml: draft, last: 10 } });
  expect(replayed.json.replayed).toBeGreaterThanOrEqual(3);
  const deploys = replayed.json.changed.filter(
    (one: { action: { command: string } }) => one.action.command === "deployctl apply",
  );
  expect(deploys[0]).toMatchObject({
    before: { decision: "BLOCK", rules: ["acme.deploy"] },
    after: { decision: "ASK" },
  });
  expect((await check("deployctl apply")).json.decision).toBe("BLOCK");
});

test("the signature covers version, text and mode, and its key is told to agents", async () => {
  const [policy, config] = await Promise.all([
    world.call("GET", "/api/policy", { token: agent.token }),
    world.call("GET", "/api/agent/config", { token: agent.token }),
  ]);
  const { version, hash, enforcement_mode, signature } = policy.json;
  const key = Buffer.from(config.json.signing_keys[0].split("+").slice(2).join("+"), "base64").subarray(1);
  const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), key]);
  const publicKey = createPublicKey({ key: spki, format: "der", type: "spki" });
  const holds = (mode: string) =>
    verify(
      null,
      Buffer.from(`gatehouse-policy-v1\n${version}\n${hash}\n${mode}\n`),
      publicKey,
      Buffer.from(signature, "base64"),
    );
  expect([holds(enforcement_mode), holds("audit-only")]).toEqual([true, false]);
});

test("packs: listed, fetched with their content, pulled with an ETag, names that leave the folder unknown", async () => {
  const all = await world.call("GET", "/api/packs?limit=200", { token: agent.token });
  expect(all.json.items.length).toBeGreaterThan(5);
  const [{ name, sha256 }] = all.json.items;
  const one = await world.call("GET", `/api/packs/${name}`, { token: agent.token });
  expect(createHash("sha256").update(one.json.content).digest("hex")).toBe(sha256);
  const again = await world.call("GET", `/api/packs/${name}`, {
    token: agent.token,
    headers: { "if-none-match": one.headers.get("etag")! },
  });
  expect(again.status).toBe(304);
  for (const bad of ["..%2F..%2Fpolicy", "%2e%2e", "Core", "core.yaml", "x".repeat(65), "nope"])
    expect((await world.call("GET", `/api/packs/${bad}`, { token: agent.token })).json.error).toBe("not_found");
  const page = await world.call("GET", "/api/packs?limit=2", { token: admin });
  const rest = await world.call("GET", `/api/packs?limit=200&cursor=${page.json.next_cursor}`, { token: admin });
  expect([...page.json.items, ...rest.json.items]).toEqual(all.json.items);
});

test("a plan without packs refuses them at once, and its calls are judged by the community's", async () => {
  expect((await world.call("PUT", "/api/org/plan", { token: admin, body: { plan: "free" } })).status).toBe(200);
  const refused = await world.call("GET", "/api/packs", { token: agent.token });
  expect([refused.status, refused.json.error]).toEqual([403, "plan_required"]);
  expect((await world.call("GET", "/api/agent/config", { token: agent.token })).json.packs).toEqual([]);
  expect((await check("rm -rf /")).json.decision).toBe("BLOCK");
  expect((await world.call("PUT", "/api/org/plan", { token: admin, body: { plan: "team" } })).status).toBe(200);
  expect((await world.call("GET", "/api/packs", { token: agent.token })).status).toBe(200);
});

test("If-Match takes the ETag of the form that was read, one of several, and never a weak one", async () => {
  const tagOf = async (path: string) => (await world.call("GET", path, { token: admin })).headers.get("etag")!;
  const putJson = (no_match: string, tag: string) =>
    world.call("PUT", "/api/policy", { token: admin, body: { policy: 1, no_match }, headers: { "if-match": tag } });
  const read = await tagOf("/api/policy");
  const changed = await putJson("WARN", read);
  expect(changed.status).toBe(200);
  expect(changed.headers.get("etag")).toBe(await tagOf("/api/policy"));
  expect((await putJson("ASK", read)).status).toBe(412);
  const text = await tagOf("/api/policy/yaml");
  expect((await put("policy: 1\n", { "if-match": `W/${text}` })).status).toBe(412);
  expect((await put("policy: 1\n", { "if-match": `"other", ${text}` })).status).toBe(200);
});

test("HEAD tells the length of what GET would send", async () => {
  for (const path of ["/api/policy", "/api/policy/yaml", "/api/org"]) {
    const got = await world.call("GET", path, { token: admin });
    const head = await world.call("HEAD", path, { token: admin });
    expect([head.text, head.headers.get("content-length")]).toEqual(["", String(Buffer.byteLength(got.text))]);
  }
});
