import { expect, test } from "bun:test";
import { SECOND, someone, testDirectory } from "../../test/directory.ts";

const device = { name: "laptop", hostname: "l.local", platform: "linux", version: "1.0", installation_id: "i-1" };

function begin() {
  const world = testDirectory();
  const { org } = someone(world.directory);
  const started = world.directory.deviceCodes.start(device, "192.0.2.1");
  return { ...world, org, codes: world.directory.deviceCodes, agents: world.directory.agents, ...started };
}

test("from code to token, once", () => {
  const { codes, agents, org, device_code, user_code, expires_in, interval } = begin();
  expect({ expires_in, interval }).toEqual({ expires_in: 600, interval: 5 });
  expect(codes.poll(device_code)).toEqual({ reply: "authorization_pending" });
  expect(codes.describe(user_code.toLowerCase().replace("-", ""))).toMatchObject({
    ...device,
    user_code,
    ip: "192.0.2.1",
  });
  const { code, device: approved } = codes.approve(user_code)!;
  expect(approved).toEqual(device);
  const { agent } = agents.reserve(org, approved.installation_id);
  expect(codes.poll(device_code).reply).toBe("slow_down");
  codes.grant(code, agent);
  const polled = codes.poll(device_code);
  if (polled.reply !== "granted") throw new Error(polled.reply);
  expect(polled).toMatchObject({ agent, org });
  expect(agents.lookup(polled.token)).toMatchObject({ agent, org });
  expect(codes.poll(device_code)).toEqual({ reply: "invalid_grant" });
});

test("a code is decided once", () => {
  const { codes, user_code } = begin();
  expect(codes.deny(user_code)).toBe(true);
  expect(codes.deny(user_code)).toBe(false);
  expect(codes.approve(user_code)).toBeUndefined();
  expect(codes.describe(user_code)).toBeUndefined();
});

test("denied is told, expired is told for an hour, then it is unknown", () => {
  const { codes, device_code, user_code, wait } = begin();
  codes.deny(user_code);
  expect(codes.poll(device_code)).toEqual({ reply: "access_denied" });
  wait(600 * SECOND);
  expect(codes.poll(device_code)).toEqual({ reply: "expired_token" });
  expect(codes.approve(user_code)).toBeUndefined();
  wait(3600 * SECOND + 1);
  codes.sweep();
  expect(codes.poll(device_code)).toEqual({ reply: "invalid_grant" });
});

test("an approval that could not be logged can be given again", () => {
  const { codes, agents, org, device_code, user_code, wait } = begin();
  codes.release(codes.approve(user_code)!.code);
  const { code } = codes.approve(user_code)!;
  codes.grant(code, agents.reserve(org).agent);
  codes.release(code);
  wait(60 * SECOND);
  expect(codes.poll(device_code).reply).toBe("granted");
});

test("an agent removed before the token was fetched leaves no token", () => {
  const { codes, agents, org, device_code, user_code } = begin();
  const { code } = codes.approve(user_code)!;
  const { agent } = agents.reserve(org);
  codes.grant(code, agent);
  agents.remove(org, agent);
  expect(codes.poll(device_code)).toEqual({ reply: "invalid_grant" });
});

test("neither code stands in the database, and nonsense is no code", () => {
  const { codes, device_code, user_code } = begin();
  for (const wrong of ["", "BCDF-GHJK", "x", "'; --", device_code]) expect(codes.describe(wrong)).toBeUndefined();
  for (const wrong of ["", "ghv_x", user_code]) expect(codes.poll(wrong)).toEqual({ reply: "invalid_grant" });
});

test("ten thousand open ones are the limit", () => {
  const { codes, wait } = begin();
  for (let i = 1; i < 10_000; i++) codes.start({}, "192.0.2.1");
  expect(() => codes.start({}, "192.0.2.1")).toThrow("Too many devices");
  wait((600 + 3600) * SECOND + 1);
  expect(codes.start({}, "192.0.2.1").interval).toBe(5);
});
