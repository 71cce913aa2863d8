import { afterAll, beforeAll, expect, test } from "bun:test";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld({ GATEHOUSE_PLAN: "free" });
});
afterAll(() => world.close());

const get = async (path: string) => (await world.call("GET", `/api${path}`, { token: await world.admin() })).json;
const change = async (plan: string) =>
  world.call("PUT", "/api/org/plan", { token: await world.admin(), body: { plan } });
const invite = async (email: string) =>
  world.call("POST", "/api/org/members", { token: await world.admin(), body: { email, role: "member" } });

test("the catalogue and the plan one is on, for people and agents", async () => {
  const { items } = await get("/plans");
  expect(items.map((plan: { id: string }) => plan.id)).toEqual(["free", "team", "enterprise"]);
  for (const plan of items) expect(plan.entitlements).toContain("api");
  expect(await get("/org/plan")).toEqual({ ...items[0], usage: { seats: 1, agents: 0 } });
  const agent = await world.agent();
  expect((await world.call("GET", "/api/org/plan", { token: agent.token })).json.usage.agents).toBe(1);
});

test("past the seats of the plan nobody is invited, past its agents none connects", async () => {
  const { seats, agents } = (await get("/plans")).items[0];
  for (let i = 1; i < seats; i++) expect((await invite(`m${i}@example.org`)).status).toBe(201);
  const refused = await invite("toomany@example.org");
  expect([refused.status, refused.json.error]).toEqual([403, "plan_limit"]);
  for (let i = 1; i < agents; i++) await world.agent();
  await expect(world.agent()).rejects.toThrow("plan_limit");
  expect((await get("/org/plan")).usage).toEqual({ seats, agents });
  expect((await change("team")).json).toMatchObject({ id: "team", seats: null });
  expect((await invite("toomany@example.org")).status).toBe(201);
  expect((await world.agent()).token).toStartWith("gha_");
});

test("down to a plan that is too small is refused; who is no admin changes nothing", async () => {
  expect((await change("free")).json).toMatchObject({ error: "plan_limit" });
  expect((await change("gold")).json).toMatchObject({ error: "invalid", details: [{ path: "/plan" }] });
  const token = await world.person("member");
  expect((await world.call("PUT", "/api/org/plan", { token, body: { plan: "enterprise" } })).status).toBe(403);
  expect(await get("/org")).toMatchObject({ plan: { id: "team", name: "Team" } });
  expect((await get("/audit?type=org.plan_changed")).items[0].attributes).toEqual({ plan: "team", before: "free" });
});

test("the organisation is renamed by its admin", async () => {
  const rename = async (token: string, body: object) => world.call("PATCH", "/api/org", { token, body });
  expect((await rename(await world.admin(), { name: "Acme Ltd" })).json).toMatchObject({
    name: "Acme Ltd",
    role: "admin",
  });
  expect((await rename(await world.person("auditor"), { name: "X" })).status).toBe(403);
  for (const body of [{}, { name: "" }, { name: "x".repeat(201) }, { name: "A", plan: "enterprise" }])
    expect((await rename(await world.admin(), body)).status).toBe(422);
});

test("the short lists come in pages too", async () => {
  const token = await world.admin();
  for (const path of ["/api/plans?", "/api/compliance/frameworks?all=true&"]) {
    const whole = (await world.call("GET", `${path}limit=200`, { token })).json;
    const seen: unknown[] = [];
    let next = `${path}limit=2`;
    for (let pages = 0; next && pages < 50; pages++) {
      const { json, headers } = await world.call("GET", next, { token });
      expect(json.items.length).toBeLessThanOrEqual(2);
      seen.push(...json.items);
      next = /<([^>]+)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? "";
    }
    expect([whole.next_cursor, seen]).toEqual([null, whole.items]);
    expect((await world.call("GET", `${path}cursor=WyJ4Il0`, { token })).status).toBe(422);
  }
});

test("the rate that refused is the one that is told", async () => {
  const body = { email: "somebody@example.com", password: "wrong" };
  let last = await world.call("POST", "/api/auth/login", { body });
  for (let tries = 0; tries < 20 && last.status !== 429; tries++)
    last = await world.call("POST", "/api/auth/login", { body });
  expect(last.headers.get("ratelimit")).toStartWith('"account";r=0;');
});
