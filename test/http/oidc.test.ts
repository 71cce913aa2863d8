import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { CLIENT_ID, forge, startProvider, type TestProvider } from "../identity-provider.ts";
import { inProcess } from "../target.ts";
import { ADMIN, createWorld, type World } from "../world.ts";

// The real provider, the real server: what the dashboard does when sign-in is delegated.
let provider: TestProvider;
let world: World;
beforeAll(async () => {
  provider = await startProvider();
  world = await createWorld({ GATEHOUSE_OIDC_ISSUER: provider.issuer, GATEHOUSE_OIDC_CLIENT_ID: CLIENT_ID });
});
afterAll(async () => {
  await world.close();
  await provider.close();
});

const ada = { sub: "idp|ada", email: ADMIN.email, email_verified: true };
const org = (token: string) => world.call("GET", "/api/org", { token });

test("the sign-in page is told where to go", async () => {
  expect((await world.call("GET", "/api/auth/providers")).json).toEqual({
    password: true,
    oidc: { issuer: provider.issuer, client_id: CLIENT_ID, audience: CLIENT_ID },
  });
});

test("the provider's token works as a bearer token, with the role held here", async () => {
  const token = await provider.signIn(ada);
  expect((await org(token)).json).toMatchObject({ name: "Acme", role: "admin" });
  expect((await world.call("GET", "/api/auth/session", { token })).json.account.email).toBe(ADMIN.email);
});

test("strangers stay out; who is invited comes in, and the log says so", async () => {
  const bob = { sub: "idp|bob", email: "bob@example.org", email_verified: true };
  const stranger = await org(await provider.signIn(bob));
  expect([stranger.status, stranger.json.error]).toEqual([403, "forbidden"]);
  const admin = await world.admin();
  await world.call("POST", "/api/org/members", { token: admin, body: { email: bob.email, role: "auditor" } });
  expect((await org(await provider.signIn({ ...bob, email_verified: false }))).status).toBe(403);
  expect((await org(await provider.signIn(bob))).json).toMatchObject({ role: "auditor" });
  const { items } = (await world.call("GET", "/api/audit?type=member.joined", { token: admin })).json;
  const joined = items.find((one: { attributes: { email: string } }) => one.attributes.email === bob.email);
  expect(joined.attributes.role).toBe("auditor");
});

test.skipIf(!inProcess)("a person of two organisations moves to the second with the provider's token", async () => {
  const carol = { sub: "idp|carol", email: "carol@example.com", email_verified: true };
  const admin = await world.admin();
  await world.call("POST", "/api/org/members", { token: admin, body: { email: carol.email, role: "member" } });
  const token = await provider.signIn(carol);
  const first = (await org(token)).json;
  const { directory } = world.gatehouse.parts;
  const second = directory.organisations.create("Second", "team");
  const invited_by = directory.accounts.byEmail(ADMIN.email)!.id;
  directory.invitations.create({ org: second.id, email: carol.email, role: "auditor", invited_by });
  expect((await org(token)).json.id).toBe(first.id);
  const { memberships } = (await world.call("GET", "/api/auth/session", { token })).json;
  expect(memberships.map((one: { id: string }) => one.id)).toEqual([first.id, second.id]);
  const move = (organisation: string) => world.call("POST", "/api/auth/session", { token, body: { organisation } });
  const moved = await move(second.id);
  expect((await org(moved.json.token)).json).toMatchObject({ id: second.id, role: "auditor" });
  expect((await org(token)).json.id).toBe(first.id);
  const entries = await world.call("GET", "/api/audit?type=member.joined", { token: moved.json.token });
  expect(entries.json.items.map((one: { attributes: { role: string } }) => one.attributes.role)).toEqual(["auditor"]);
  expect((await move("org_of_somebody_else")).status).toBe(403);
});

test("forged tokens are 401, like any other wrong token", async () => {
  const now = Math.floor(Date.now() / 1000);
  const claims = { iss: provider.issuer, aud: CLIENT_ID, sub: ada.sub, iat: now, exp: now + 300 };
  const kid = provider.key().kid!;
  const good = await forge(provider.key(), { alg: "RS256", kid }, claims);
  expect((await org(good)).status).toBe(200);
  const none = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${good.split(".")[1]}.`;
  for (const token of [
    none,
    await forge(new TextEncoder().encode(JSON.stringify(provider.key())), { alg: "HS256" }, claims),
    await forge(provider.key(), { alg: "RS256", kid }, { ...claims, aud: "other" }),
    await forge(provider.key(), { alg: "RS256", kid }, { ...claims, iss: "https://other.example" }),
    await forge(provider.key(), { alg: "RS256", kid }, { ...claims, iat: now - 400, exp: now - 100 }),
  ]) {
    const refused = await org(token);
    expect([refused.status, refused.json.error]).toEqual([401, "invalid_token"]);
  }
});

test.skipIf(!inProcess)("an account with two-factor shows its code here as well, and then has a session", async () => {
  const token = await provider.signIn(ada);
  const local = await world.admin();
  const { secret } = (await world.call("POST", "/api/auth/2fa/setup", { token: local })).json;
  const code = () => generateSync({ secret, epoch: Math.floor(world.gatehouse.parts.now() / 1000) });
  await world.call("POST", "/api/auth/2fa/enable", { token: local, body: { code: code() } });
  world.advance(30_000);
  const asked = await org(token);
  expect([asked.status, asked.json.error]).toEqual([403, "two_factor_required"]);
  const { challenge, expires_in } = asked.json.two_factor;
  expect([challenge.slice(0, 4), expires_in]).toEqual(["ghc_", 300]);
  const body = { challenge, code: code() };
  const verified = await world.call("POST", "/api/auth/2fa/verify", { body });
  expect((await org(verified.json.token)).json).toMatchObject({ role: "admin" });
});
