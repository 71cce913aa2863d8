import { afterAll, beforeAll, expect, test } from "bun:test";
import * as client from "openid-client";
import { inProcess } from "../target.ts";
import { createWorld, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const start = async (body: object = {}) => (await world.call("POST", "/api/auth/device-code", { body })).json;
const poll = (device_code: string) => world.call("POST", "/api/auth/device-token", { body: { device_code } });
const verify = async (body: object, token?: string) =>
  world.call("POST", "/api/auth/device-verify", { token: token ?? (await world.admin()), body });

test("a standard OAuth client drives the whole flow, form-encoded", async () => {
  const config = await client.discovery(new URL(world.url), "gatehouse-cli", undefined, client.None(), {
    algorithm: "oauth2",
    execute: [client.allowInsecureRequests],
  });
  const asked = await client.initiateDeviceAuthorization(config, { scope: "agent" });
  expect(asked).toMatchObject({ expires_in: 600, interval: 5, verification_uri: `${world.url}/device` });
  expect(asked.user_code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  const approved = await verify({ user_code: asked.user_code, action: "approve" });
  expect(approved.json).toMatchObject({ status: "approved", agent: { status: "never_seen" } });
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...asked, interval: 0.01 });
  expect(tokens.access_token).toMatch(/^gha_/);
  const self = await world.call("GET", "/api/agents/self", { token: tokens.access_token });
  expect(self.json.id).toBe(approved.json.agent.id);
});

test.skipIf(!inProcess)("pending, slow_down, denied, used, expired and unknown codes each say so", async () => {
  const asked = await start({ name: "one" });
  expect((await poll(asked.device_code)).json.error).toBe("authorization_pending");
  expect((await poll(asked.device_code)).json.error).toBe("slow_down");
  world.advance(11_000);
  expect((await poll(asked.device_code)).json.error).toBe("authorization_pending");
  expect((await verify({ user_code: asked.user_code, action: "deny" })).json).toEqual({ status: "denied" });
  const denied = await poll(asked.device_code);
  expect([denied.status, denied.json.error]).toEqual([400, "access_denied"]);

  const used = await start();
  await verify({ user_code: used.user_code.toLowerCase().replace("-", ""), action: "approve" });
  expect((await poll(used.device_code)).status).toBe(200);
  expect((await poll(used.device_code)).json.error).toBe("invalid_grant");
  expect((await verify({ user_code: used.user_code, action: "approve" })).status).toBe(404);

  const late = await start();
  world.advance(601_000);
  expect((await poll(late.device_code)).json.error).toBe("expired_token");
  expect((await verify({ user_code: late.user_code, action: "approve" })).status).toBe(404);
  expect((await poll("nonsense")).json.error).toBe("invalid_grant");
  const grant = await world.call("POST", "/api/auth/device-token", {
    body: { device_code: "x", grant_type: "password" },
  });
  expect([grant.status, grant.json.error]).toEqual([400, "unsupported_grant_type"]);
  expect((await world.call("POST", "/api/auth/device-token", { body: {} })).json.error).toBe("invalid_request");
});

test("the person sees who asks, from where, before deciding; guessing codes is throttled", async () => {
  const asked = await start({ name: "Ada's laptop", hostname: "mba", platform: "darwin", version: "0.1.0" });
  const token = await world.person("member");
  const shown = await world.call("GET", `/api/auth/device-verify?user_code=${asked.user_code}`, { token });
  expect(shown.json).toMatchObject({
    user_code: asked.user_code,
    name: "Ada's laptop",
    hostname: "mba",
    platform: "darwin",
    ip: "127.0.0.1",
  });
  const codes = [];
  for (let i = 0; i < 6; i++) codes.push((await verify({ user_code: "BBBB-BBBB", action: "approve" }, token)).status);
  expect(codes).toEqual([404, 404, 404, 404, 404, 429]);
});

test("an installation that connects again is the same agent, and its old token is dead", async () => {
  const connect = async () => {
    const asked = await start({ name: "box", installation_id: "inst-1" });
    await verify({ user_code: asked.user_code, action: "approve" });
    return (await poll(asked.device_code)).json;
  };
  const first = await connect();
  const second = await connect();
  expect(second.agent.id).toBe(first.agent.id);
  expect((await world.call("GET", "/api/agents/self", { token: first.access_token })).status).toBe(401);
  expect((await world.call("GET", "/api/agents/self", { token: second.access_token })).status).toBe(200);
});
