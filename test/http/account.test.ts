import { afterAll, beforeEach, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { inProcess } from "../target.ts";
import { ADMIN, createWorld, type Reply, type World } from "../world.ts";

const DEMO = { email: "demo@example.com", password: "try me" };
let world: World;
let people = 0;
beforeEach(async () => {
  world ??= await createWorld({ GATEHOUSE_DEMO_EMAIL: DEMO.email, GATEHOUSE_DEMO_PASSWORD: DEMO.password });
  if (inProcess) world.advance(20 * 60_000);
});
afterAll(() => world?.close());

const login = (body: object) => world.call("POST", "/api/auth/login", { body });
/** Somebody of their own, so that tests do not share limits. */
async function somebody() {
  const { directory } = world.gatehouse.parts;
  const { id: org } = directory.organisations.all()[0]!;
  const credentials = { email: `p${++people}@example.org`, password: ADMIN.password };
  const account = directory.accounts.create({
    email: credentials.email,
    password_hash: await directory.passwords.hash(ADMIN.password),
  });
  directory.members.add(org, account.id, "member");
  const token: string = (await login(credentials)).json.token;
  const as = (method: string, path: string, body?: unknown) => world.call(method, `/api/auth${path}`, { token, body });
  return { ...credentials, account, token, as };
}
async function withTwoFactor() {
  const person = await somebody();
  const { secret } = (await person.as("POST", "/2fa/setup")).json;
  const code = () => generateSync({ secret, epoch: Math.floor(world.gatehouse.parts.now() / 1000) });
  const { recovery_codes } = (await person.as("POST", "/2fa/enable", { code: code() })).json;
  world.advance(30_000);
  const challenge = async () => (await login(person)).json.two_factor.challenge as string;
  const verify = (body: object) => world.call("POST", "/api/auth/2fa/verify", { body });
  return { ...person, code, recovery_codes, challenge, verify };
}
const works = async (token: string) => (await world.call("GET", "/api/auth/session", { token })).status === 200;
const refused = ({ status, json }: Reply) => [status, json.error];

test.skipIf(!inProcess)("with two-factor on, the password alone opens nothing; a code does, once", async () => {
  const { token, code, challenge, verify, recovery_codes } = await withTwoFactor();
  expect(recovery_codes).toHaveLength(10);
  const open = await challenge();
  expect(await works(open)).toBe(false);
  const right = code();
  expect((await verify({ challenge: open, code: right })).json).toMatchObject({
    token_type: "Bearer",
    account: { two_factor: true },
  });
  expect(refused(await verify({ challenge: open, code: code() }))).toEqual([401, "invalid_code"]);
  expect(refused(await verify({ challenge: await challenge(), code: right }))).toEqual([401, "invalid_code"]);
  expect((await verify({ challenge: await challenge(), code: recovery_codes[0] })).status).toBe(200);
  expect(await works(token)).toBe(true);
});

test.skipIf(!inProcess)("ten codes in ten minutes, whatever the challenge", async () => {
  const { challenge, verify, code } = await withTwoFactor();
  const open = [await challenge(), await challenge(), await challenge()];
  const answers = [];
  for (let i = 0; i < 11; i++)
    answers.push(refused(await verify({ challenge: open[Math.floor(i / 4)], code: "000000" })));
  expect(answers.filter(([status]) => status === 429).length).toBeGreaterThanOrEqual(1);
  const limited = await verify({ challenge: open[2], code: code() });
  expect(limited.status).toBe(429);
  expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0);
});

test.skipIf(!inProcess)("a remembered device skips the code until it is forgotten", async () => {
  const { as, email, password, code, challenge, verify } = await withTwoFactor();
  const { trusted_device } = (await verify({ challenge: await challenge(), code: code(), remember_device: true })).json;
  expect((await login({ email, password, trusted_device })).json.token).toBeString();
  const devices = await as("GET", "/devices");
  expect(devices.text).not.toContain(trusted_device);
  expect(devices.json.items).toHaveLength(1);
  const { id } = devices.json.items[0];
  expect(id).toStartWith("dev_");
  expect((await as("DELETE", `/devices/${id}`)).status).toBe(204);
  expect((await login({ email, password, trusted_device })).json.two_factor).toBeDefined();
});

test.skipIf(!inProcess)("turning it off takes a code", async () => {
  const { as, email, password, code } = await withTwoFactor();
  expect(refused(await as("POST", "/2fa/setup"))).toEqual([409, "conflict"]);
  expect(refused(await as("POST", "/2fa/disable", { code: "000000" }))).toEqual([422, "invalid"]);
  expect((await as("POST", "/2fa/disable", { code: code() })).status).toBe(204);
  expect((await login({ email, password })).json.token).toBeString();
});

test.skipIf(!inProcess)("a new password ends every other session", async () => {
  const { as, email, password, token } = await somebody();
  const other = (await login({ email, password })).json.token;
  expect(refused(await as("POST", "/password", { current: "wrong", new: "another long password" }))).toEqual([
    422,
    "invalid",
  ]);
  expect(refused(await as("POST", "/password", { current: password, new: "short" }))).toEqual([422, "invalid"]);
  expect((await as("POST", "/password", { current: password, new: "another long password" })).status).toBe(204);
  expect([await works(token), await works(other)]).toEqual([true, false]);
  expect(refused(await login({ email, password }))).toEqual([401, "invalid_credentials"]);
  expect((await login({ email, password: "another long password" })).status).toBe(200);
});

test.skipIf(!inProcess)("sessions are listed and ended, one's own only", async () => {
  const { as, email, password, token } = await somebody();
  const other = (await login({ email, password })).json.token;
  const { items } = (await as("GET", "/sessions")).json;
  expect(items).toHaveLength(2);
  expect(items.filter((one: { current: boolean }) => one.current)).toHaveLength(1);
  const { id } = items.find((one: { current: boolean }) => !one.current);
  const stranger = await somebody();
  expect((await stranger.as("DELETE", `/sessions/${id}`)).status).toBe(404);
  expect((await as("DELETE", `/sessions/${id}`)).status).toBe(204);
  expect([await works(token), await works(other)]).toEqual([true, false]);
});

test.skipIf(!inProcess)(
  "a person of two organisations goes from one to the other; the session before ends",
  async () => {
    const { as, account, token } = await somebody();
    const { directory } = world.gatehouse.parts;
    const second = directory.organisations.create(`Second of ${account.id}`, "team");
    expect(refused(await as("POST", "/session", { organisation: second.id }))).toEqual([403, "forbidden"]);
    directory.members.add(second.id, account.id, "auditor");
    const moved = (await as("POST", "/session", { organisation: second.id })).json;
    expect(moved.organisation).toEqual({ id: second.id, name: second.name, role: "auditor" });
    expect([await works(token), await works(moved.token)]).toEqual([false, true]);
    expect((await world.call("GET", "/api/auth/session", { token: moved.token })).json.memberships).toHaveLength(2);
  },
);

test.skipIf(!inProcess)("a named token acts as its person, changes no account, and ends", async () => {
  const { as, account } = await somebody();
  const made = (await as("POST", "/tokens", { name: "export", expires_in_days: 1 })).json;
  expect(made.token).toStartWith("ghp_");
  expect(made).toMatchObject({ name: "export", last_used_at: null });
  const session = (await world.call("GET", "/api/auth/session", { token: made.token })).json;
  expect(session).toMatchObject({ account: { id: account.id }, role: "member" });
  for (const [method, path, body] of [
    ["POST", "/tokens", { name: "more" }],
    ["POST", "/session", { organisation: "any" }],
    ["POST", "/password", { current: ADMIN.password, new: "another long password" }],
    ["POST", "/2fa/setup", undefined],
    ["GET", "/sessions", undefined],
    ["DELETE", `/tokens/${made.id}`, undefined],
  ] as const)
    expect(refused(await world.call(method, `/api/auth${path}`, { token: made.token, body }))).toEqual([
      403,
      "wrong_caller",
    ]);
  const [listed] = (await as("GET", "/tokens")).json.items;
  expect(listed.id).toBe(made.id);
  expect(Date.parse(listed.last_used_at)).toBeGreaterThanOrEqual(Date.parse(made.created_at));
  world.advance(86_400_000);
  expect(await works(made.token)).toBe(false);
  expect((await (await somebody()).as("DELETE", `/tokens/${made.id}`)).status).toBe(404);
});

test.skipIf(!inProcess)("the demo account looks at everything and changes nothing, least of all itself", async () => {
  const { token, organisation } = (await login(DEMO)).json;
  expect(organisation).toMatchObject({ name: "Demo", role: "auditor" });
  expect(await works(token)).toBe(true);
  for (const [method, path, body] of [
    ["POST", "/auth/password", { current: DEMO.password, new: "another long password" }],
    ["POST", "/auth/2fa/setup", undefined],
    ["POST", "/auth/2fa/enable", { code: "000000" }],
    ["POST", "/auth/2fa/disable", { code: "000000" }],
    ["POST", "/auth/tokens", { name: "stay" }],
    ["GET", "/auth/sessions", undefined],
    ["GET", "/auth/devices", undefined],
  ] as const)
    expect({ path, refused: refused(await world.call(method, `/api${path}`, { token, body })) }).toEqual({
      path,
      refused: [403, "demo_account"],
    });
  for (const [method, path, body] of [
    ["POST", "/org/members", { email: "x@example.org", role: "member" }],
    ["PATCH", "/org", { name: "Mine" }],
    ["PUT", "/org/plan", { plan: "enterprise" }],
    ["POST", "/auth/enrolment-keys", { name: "k" }],
  ] as const)
    expect({ path, refused: refused(await world.call(method, `/api${path}`, { token, body })) }).toEqual({
      path,
      refused: [403, "forbidden"],
    });
  expect((await world.call("GET", "/api/org/members", { token })).json.items).toHaveLength(1);
});

test.skipIf(!inProcess)("an unknown address and a wrong password get the same answer, ten a minute", async () => {
  const { email } = await somebody();
  world.advance(10 * 60_000);
  for (const address of [email, "nobody@example.org"]) {
    const answers = [];
    for (let i = 0; i < 11; i++)
      answers.push(await login({ email: i % 2 ? address : address.toUpperCase(), password: "wrong" }));
    expect(answers.slice(0, 10).map(refused)).toEqual(Array(10).fill([401, "invalid_credentials"]));
    expect(refused(answers[10]!)).toEqual([429, "rate_limited"]);
  }
});
