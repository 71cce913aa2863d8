import { afterAll, beforeAll, expect, test } from "bun:test";
import { inProcess } from "../target.ts";
import { ADMIN, createWorld, type World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());

const password = "a very long password";
const invite = async (email: string, role = "member", headers = {}) =>
  world.call("POST", "/api/org/members", { token: await world.admin(), body: { email, role }, headers });
const accept = (invitation_url: string, more: object = { password }) => {
  const token = new URL(invitation_url).searchParams.get("token");
  return world.call("POST", "/api/auth/accept-invitation", { body: { token, ...more } });
};
const logged = async (type: string) => {
  const token = await world.admin();
  return (await world.call("GET", `/api/audit?type=${type}`, { token })).json.items;
};

test("invite, accept, be a member; every step stands in the log", async () => {
  const invited = await invite("Bob@Example.org");
  expect(invited.status).toBe(201);
  expect(invited.json).toMatchObject({ email: "bob@example.org", role: "member", status: "invited", name: "" });
  expect(invited.json.id).toStartWith("inv_");
  expect(Date.parse(invited.json.expires_at) - Date.parse(invited.json.created_at)).toBe(7 * 86_400_000);
  const joined = await accept(invited.json.invitation_url, { password, name: "Bob" });
  expect(joined.json).toMatchObject({
    token_type: "Bearer",
    account: { name: "Bob" },
    organisation: { name: "Acme", role: "member" },
  });
  const { json } = await world.call("GET", "/api/org/members", { token: joined.json.token });
  expect(json.items).toMatchObject([
    { email: ADMIN.email, role: "admin" },
    { id: joined.json.account.id, status: "active" },
  ]);
  expect((await accept(invited.json.invitation_url)).json.error).toBe("not_found");
  for (const type of ["member.invited", "member.joined"]) {
    const addresses = (await logged(type)).map((one: { attributes: { email: string } }) => one.attributes.email);
    expect(addresses).toContain("bob@example.org");
  }
  expect(JSON.stringify(await logged("member.invited"))).not.toContain("ghi_");
});

test("inviting is for admins, with an address and a role", async () => {
  for (const role of ["member", "auditor"] as const) {
    const token = await world.person(role);
    const refused = await world.call("POST", "/api/org/members", {
      token,
      body: { email: "x@example.org", role: "member" },
    });
    expect([refused.status, refused.json.error]).toEqual([403, "forbidden"]);
    expect((await world.call("GET", "/api/org/members", { token })).status).toBe(200);
  }
  for (const body of [
    {},
    { email: "x@example.org" },
    { email: "x@example.org", role: "owner" },
    { email: "nobody", role: "member" },
  ]) {
    const refused = await world.call("POST", "/api/org/members", { token: await world.admin(), body });
    expect([refused.status, refused.json.error]).toEqual([422, "invalid"]);
    expect(refused.json.details[0].path).toMatch(/^\/(email|role)$/);
  }
  expect((await invite(ADMIN.email)).json.error).toBe("conflict");
});

test("an invitation is used with a good password, once, in seven days, unless withdrawn", async () => {
  const { json } = await invite("carol@example.org");
  expect((await accept(json.invitation_url, {})).json.details).toMatchObject([{ path: "/password" }]);
  expect((await accept(json.invitation_url, { password: "short" })).json).toMatchObject({
    error: "invalid",
    details: [{ path: "/password" }],
  });
  const two = await Promise.all([accept(json.invitation_url), accept(json.invitation_url)]);
  expect(two.map(one => one.status).sort()).toEqual([200, 404]);
  const withdrawn = (await invite("dave@example.org")).json;
  expect((await world.call("DELETE", `/api/org/members/${withdrawn.id}`, { token: await world.admin() })).status).toBe(
    204,
  );
  expect((await accept(withdrawn.invitation_url)).status).toBe(404);
  expect((await logged("invitation.withdrawn"))[0].attributes).toMatchObject({ email: "dave@example.org" });
});

test.skipIf(!inProcess)("who has an account joins with its password, not with a new one", async () => {
  const { directory } = world.gatehouse.parts;
  const account = directory.accounts.create({
    email: "eve@example.org",
    password_hash: await directory.passwords.hash(password),
  });
  const other = directory.organisations.create("Other", "team");
  directory.members.add(other.id, account.id, "auditor");
  const { json } = await invite("eve@example.org");
  expect((await accept(json.invitation_url, { password: "another long password" })).json.error).toBe(
    "invalid_credentials",
  );
  expect((await accept(json.invitation_url)).json).toMatchObject({
    account: { id: account.id },
    organisation: { name: "Acme", role: "member" },
  });
  expect(directory.members.places(account.id)).toHaveLength(2);
});

test("a changed role and a removal act on the next request", async () => {
  const { json } = await invite("frank@example.org", "admin");
  const { token, account } = (await accept(json.invitation_url)).json;
  const path = `/api/org/members/${account.id}`;
  const asAdmin = async (method: string, body?: object) =>
    world.call(method, path, { token: await world.admin(), ...(body ? { body } : {}) });
  expect((await asAdmin("PATCH", { role: "auditor" })).json).toMatchObject({ role: "auditor", status: "active" });
  expect(
    (await world.call("POST", "/api/org/members", { token, body: { email: "y@example.org", role: "member" } })).json
      .error,
  ).toBe("forbidden");
  expect((await asAdmin("DELETE")).status).toBe(204);
  const dead = await world.call("GET", "/api/org", { token });
  expect([dead.status, dead.json.error]).toEqual([401, "invalid_token"]);
  expect((await asAdmin("DELETE")).status).toBe(404);
  expect((await logged("member.role_changed"))[0].attributes).toMatchObject({ role: "auditor", before: "admin" });
  expect((await logged("member.removed"))[0].attributes).toMatchObject({ account: account.id });
});

test("the last admin stays", async () => {
  const token = await world.admin();
  const { id } = (await world.call("GET", "/api/auth/session", { token })).json.account;
  const admins = (await world.call("GET", "/api/org/members", { token })).json.items.filter(
    (one: { role: string }) => one.role === "admin",
  );
  expect(admins).toHaveLength(1);
  for (const [method, body] of [
    ["DELETE", undefined],
    ["PATCH", { role: "member" }],
  ] as const) {
    const refused = await world.call(method, `/api/org/members/${id}`, { token, body });
    expect([refused.status, refused.json.error]).toEqual([409, "last_admin"]);
  }
});

test("members come in pages that lose nobody", async () => {
  for (let i = 0; i < 5; i++) await invite(`page${i}@example.org`);
  const token = await world.admin();
  const all = (await world.call("GET", "/api/org/members?limit=200", { token })).json.items;
  const seen = [];
  for (let path = "/api/org/members?limit=2"; path; ) {
    const page = await world.call("GET", path, { token });
    expect(page.json.items.length).toBeLessThanOrEqual(2);
    seen.push(...page.json.items);
    path = /<([^>]+)>; rel="next"/.exec(page.headers.get("link") ?? "")?.[1] ?? "";
    expect(path !== "").toBe(page.json.next_cursor !== null);
  }
  expect(seen).toEqual(all);
  for (const cursor of ["x", "W10", Buffer.from('[1,"usr_1"]').toString("base64url")])
    expect((await world.call("GET", `/api/org/members?cursor=${cursor}`, { token })).status).toBe(422);
});

test("the same Idempotency-Key invites once", async () => {
  const headers = { "idempotency-key": "invite-1" };
  const first = await invite("once@example.org", "member", headers);
  const again = await invite("once@example.org", "member", headers);
  expect([again.status, again.json]).toEqual([201, first.json]);
  expect((await invite("other@example.org", "member", headers)).json).toMatchObject({
    error: "invalid",
    details: [{ path: "Idempotency-Key" }],
  });
  expect((await accept(first.json.invitation_url)).status).toBe(200);
});

test.skipIf(!inProcess)("another organisation's members are not there", async () => {
  const { directory } = world.gatehouse.parts;
  const other = directory.organisations.create("Elsewhere", "team");
  const account = directory.accounts.create({ email: "z@example.org" });
  directory.members.add(other.id, account.id, "admin");
  for (const method of ["DELETE", "PATCH"])
    expect(
      (
        await world.call(method, `/api/org/members/${account.id}`, {
          token: await world.admin(),
          body: { role: "member" },
        })
      ).status,
    ).toBe(404);
  expect(directory.members.role(other.id, account.id)).toBe("admin");
});
