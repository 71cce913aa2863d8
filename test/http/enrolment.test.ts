import { afterAll, beforeAll, expect, test } from "bun:test";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const keys = async (method: string, path = "", body?: object) =>
  world.call(method, `/api/auth/enrolment-keys${path}`, { token: await world.admin(), body });
const enrol = (key: string, more: object = {}) =>
  world.call("POST", "/api/auth/enrol", { body: { key, name: "runner", ...more } });

test("a key connects as many agents as it says, each with a token of its own", async () => {
  const made = (await keys("POST", "", { name: "ci", uses: 2 })).json;
  expect(made.key).toStartWith("ghe_");
  expect(made).toMatchObject({ name: "ci", uses_left: 2 });
  const [one, two] = [await enrol(made.key), await enrol(made.key, { hostname: "b.local" })];
  expect(one.json).toMatchObject({ token_type: "Bearer", scope: "agent", agent: { name: "runner" } });
  expect((await world.call("GET", "/api/agents/self", { token: two.json.access_token })).json).toMatchObject({
    hostname: "b.local",
  });
  const third = await enrol(made.key);
  expect([third.status, third.json.error]).toEqual([401, "invalid_credentials"]);
  expect((await keys("GET")).json.items).toMatchObject([{ id: made.id, uses_left: 0 }]);
});

test("the same installation stays the same agent", async () => {
  const { key } = (await keys("POST", "", { name: "mdm", uses: 5 })).json;
  const first = (await enrol(key, { installation_id: "host-1" })).json;
  const again = (await enrol(key, { installation_id: "host-1" })).json;
  expect(again.agent.id).toBe(first.agent.id);
  expect((await world.call("GET", "/api/agents/self", { token: first.access_token })).status).toBe(401);
  expect((await world.call("GET", "/api/agents/self", { token: again.access_token })).status).toBe(200);
});

test("a key is one use for a week unless said; revoked or wrong it is nothing", async () => {
  const made = (await keys("POST", "", { name: "default" })).json;
  expect(made.uses_left).toBe(1);
  expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(7 * 86_400_000);
  expect((await keys("DELETE", `/${made.id}`)).status).toBe(204);
  expect((await enrol(made.key)).status).toBe(401);
  expect((await enrol("ghe_nonsense")).status).toBe(401);
  for (const body of [{}, { name: "x", uses: 0 }, { name: "x", uses: 10_001 }, { name: "x", expires_in_days: 367 }])
    expect((await keys("POST", "", body)).status).toBe(422);
  for (const role of ["member", "auditor"] as const)
    expect((await world.call("GET", "/api/auth/enrolment-keys", { token: await world.person(role) })).status).toBe(403);
});
