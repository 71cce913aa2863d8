import { afterAll, beforeAll, expect, test } from "bun:test";
import { createPublicKey } from "node:crypto";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { CLIENT_ID, forge, startProvider, type TestProvider } from "../../test/identity-provider.ts";
import { createDiscovery } from "./oidc-discovery.ts";
import { createOidc, type OidcSettings } from "./oidc.ts";

const ada = { sub: "ada", email: "ada@example.org", email_verified: true };
let provider: TestProvider;
beforeAll(async () => void (provider = await startProvider()));
afterAll(() => provider.close());

const open = (more: Partial<OidcSettings> = {}) =>
  createOidc({
    issuer: provider.issuer,
    audience: CLIENT_ID,
    now: Date.now,
    retry_ms: 0,
    keys_cooldown_ms: 0,
    ...more,
  });
const claims = (more: object = {}) => {
  const now = Math.floor(Date.now() / 1000);
  return { iss: provider.issuer, aud: CLIENT_ID, sub: "ada", iat: now, exp: now + 300, ...more };
};
const signed = (more: object = {}, header: object = {}) =>
  forge(provider.key(), { alg: "RS256", kid: provider.key().kid!, ...header }, claims(more));
const base64url = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

test("a person who signed in with code and PKCE is known by the provider's word", async () => {
  const token = await provider.signIn(ada);
  const oidc = open();
  expect(oidc.claims(token)).toBe(true);
  expect(await oidc.verify(token)).toEqual({ issuer: provider.issuer, ...ada });
  const unproved = await provider.signIn({ ...ada, email_verified: false });
  expect(await oidc.verify(unproved)).toMatchObject({ email_verified: false });
});

test("a well-made token is taken, with exactly one thing wrong it is not", async () => {
  const oidc = open();
  const now = Math.floor(Date.now() / 1000);
  expect(await oidc.verify(await signed())).toBeDefined();
  expect(await oidc.verify(await signed({ aud: ["other", CLIENT_ID] }))).toBeDefined();
  expect(await oidc.verify(await signed({}, { typ: "at+jwt" }))).toBeDefined();
  for (const [wrong, token] of [
    ["issuer", await signed({ iss: "https://evil.example" })],
    ["issuer with a slash", await signed({ iss: `${provider.issuer}/` })],
    ["audience", await signed({ aud: "other" })],
    ["no audience", await signed({ aud: undefined })],
    ["expired", await signed({ iat: now - 400, exp: now - 61 })],
    ["no expiry", await signed({ exp: undefined })],
    ["not yet", await signed({ nbf: now + 90 })],
    ["issued in the future", await signed({ iat: now + 90 })],
    ["no subject", await signed({ sub: undefined })],
    ["empty subject", await signed({ sub: "" })],
    ["logout token", await signed({}, { typ: "logout+jwt" })],
    ["event token", await signed({ events: {} })],
  ] as const)
    expect({ wrong, person: await oidc.verify(token) }).toEqual({ wrong, person: undefined });
});

test("a minute of skew either way is forgiven, more is not", async () => {
  const oidc = open();
  const now = Math.floor(Date.now() / 1000);
  expect(await oidc.verify(await signed({ iat: now - 100, exp: now - 50 }))).toBeDefined();
  expect(await oidc.verify(await signed({ iat: now + 50, nbf: now + 50 }))).toBeDefined();
});

test("no algorithm, a symmetric one with the public key, another's key: nobody comes in", async () => {
  const oidc = open();
  const none = `${base64url({ alg: "none" })}.${base64url(claims())}.`;
  const publicPem = createPublicKey({ key: provider.key() as never, format: "jwk" }).export({
    type: "spki",
    format: "pem",
  });
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  const stranger: JWK = { ...(await exportJWK(privateKey)), alg: "RS256" };
  const good = await signed();
  const [header, , signature] = good.split(".") as [string, string, string];
  for (const [wrong, token] of [
    ["alg none", none],
    ["alg none, any case", none.replace(/^[^.]+/, base64url({ alg: "nOnE" }))],
    [
      "HS256 with the public key",
      await forge(Buffer.from(publicPem), { alg: "HS256", kid: provider.key().kid! }, claims()),
    ],
    ["a stranger's key", await forge(stranger, { alg: "RS256", kid: provider.key().kid! }, claims())],
    ["other claims under the signature", `${header}.${base64url(claims({ sub: "root" }))}.${signature}`],
    ["no signature", `${header}.${good.split(".")[1]}.`],
    [
      "an algorithm the key is not for",
      await forge({ ...provider.key(), alg: "PS256" }, { alg: "PS256", kid: provider.key().kid! }, claims()),
    ],
  ] as const)
    expect({ wrong, person: await oidc.verify(token) }).toEqual({ wrong, person: undefined });
  for (const text of ["", "a.b.c", "....", "x".repeat(5000)]) {
    expect(oidc.claims(text)).toBe(false);
    expect(await oidc.verify(text)).toBeUndefined();
  }
});

test("a new key is found by itself, an old one is forgotten, and nothing is asked twice for nothing", async () => {
  const oidc = open();
  const before = await signed();
  expect(await oidc.verify(before)).toBeDefined();
  await provider.rotate("key-2");
  expect(await oidc.verify(await provider.signIn(ada))).toBeDefined();
  expect(await open().verify(before)).toBeUndefined();
  const asked = provider.asked.length;
  await Promise.all(Array.from({ length: 20 }, async () => oidc.verify(await signed())));
  expect(provider.asked.length).toBe(asked);
});

test("unknown key ids do not make this server hammer the provider", async () => {
  const oidc = open({ keys_cooldown_ms: 30_000 });
  await oidc.verify(await signed());
  const asked = provider.asked.length;
  for (let i = 0; i < 20; i++) expect(await oidc.verify(await signed({}, { kid: `made-up-${i}` }))).toBeUndefined();
  expect(provider.asked.length - asked).toBeLessThanOrEqual(1);
});

test("a token taken is taken again without asking, but no longer than five minutes or its end", async () => {
  let offset = 0;
  const oidc = open({ now: () => Date.now() + offset });
  const short = await signed({ exp: Math.floor(Date.now() / 1000) + 120 });
  expect(await oidc.verify(short)).toBeDefined();
  offset = 119_000;
  expect(await oidc.verify(short)).toBeDefined();
  offset = 182_000;
  expect(await oidc.verify(short)).toBeUndefined();
});

test("a provider that fails is told from a wrong token, and left alone for a while", async () => {
  const warnings: string[] = [];
  const oidc = open({ retry_ms: 60_000, warn: message => void warnings.push(message) });
  const token = await signed();
  provider.breakDown();
  await expect(oidc.verify(token)).rejects.toMatchObject({ code: "unavailable" });
  await Bun.sleep(20);
  const asked = provider.asked.length;
  await expect(oidc.verify(token)).rejects.toMatchObject({ code: "unavailable" });
  await Bun.sleep(20);
  expect(provider.asked.length).toBe(asked);
  expect(warnings[0]).toContain("answered 500");
  provider.repair();
  expect(await open().verify(token)).toBeDefined();
});

test("what the provider says of itself is asked once an hour; a token endpoint that is no address is left out", async () => {
  let now = Date.now();
  const { metadata } = createDiscovery({ issuer: provider.issuer, now: () => now, retry_ms: 0 });
  const asked = () => provider.asked.filter(path => path.includes("openid-configuration")).length;
  const before = asked();
  expect(await metadata()).toMatchObject({ token_endpoint: `${provider.issuer}/token` });
  await metadata();
  expect(asked() - before).toBe(1);
  now += 3_600_001;
  const document = { issuer: provider.issuer, jwks_uri: `${provider.issuer}/jwks`, token_endpoint: "; script-src *" };
  provider.replace("/.well-known/openid-configuration", JSON.stringify(document));
  expect(await metadata()).toEqual({ jwks_uri: `${provider.issuer}/jwks` });
  provider.repair();
});

test("a document that describes someone else, or leads elsewhere, is not believed", async () => {
  const path = "/.well-known/openid-configuration";
  const token = await signed();
  for (const [document, warning] of [
    [{ issuer: "https://evil.example", jwks_uri: `${provider.issuer}/jwks` }, "does not describe"],
    [{ issuer: provider.issuer }, "no jwks_uri"],
    [{ issuer: provider.issuer, jwks_uri: "https://169.254.169.254/keys" }, "this machine"],
    [{ issuer: provider.issuer, jwks_uri: "http://keys.example/keys" }, "not https"],
  ] as const) {
    provider.repair();
    provider.replace(path, JSON.stringify(document));
    const warnings: string[] = [];
    await open({ warn: message => void warnings.push(message) })
      .verify(token)
      .catch(error => expect(error.code).toBe("unavailable"));
    expect(warnings.join()).toContain(warning);
  }
  provider.repair();
  provider.replace(path, "", 302, { location: `${provider.issuer}/elsewhere` });
  await expect(open().verify(token)).rejects.toMatchObject({ code: "unavailable" });
  await Bun.sleep(20);
  provider.repair();
});
