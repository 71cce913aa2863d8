import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { CLIENT_ID, startProvider, type TestProvider } from "../identity-provider.ts";
import { ADMIN, createWorld, type World } from "../world.ts";
import { closeBrowser, haveBrowser, open, signOut, SLOW_MS, type Watched } from "./browser.ts";

/** Sign-in by a certified OpenID Connect provider, in a real browser: code and PKCE, and every way back from it. */
let provider: TestProvider;
let world: World;
const ada = { sub: "idp|ada", email: ADMIN.email, email_verified: true };

const leave = async ({ page }: Watched, path: string) => {
  await page.goto(path);
  await page.getByRole("button", { name: /^Continue with / }).click();
};

describe.skipIf(!haveBrowser)("signing in by an identity provider", () => {
  beforeAll(async () => {
    provider = await startProvider();
    world = await createWorld({ GATEHOUSE_OIDC_ISSUER: provider.issuer, GATEHOUSE_OIDC_CLIENT_ID: CLIENT_ID });
    provider.allow(`${world.url}/sign-in/callback`);
  }, SLOW_MS);
  afterAll(async () => {
    await closeBrowser();
    await world?.close();
    await provider?.close();
  }, SLOW_MS);

  test(
    "the redirect leads back to the page that was asked for; only the provider was spoken to besides",
    async () => {
      provider.expect(ada);
      const watched = await open(world.url);
      const { page, context, problems, elsewhere } = watched;
      await leave(watched, "/audit?type=shell.exec&range=7d");
      await page.getByRole("heading", { name: "Audit log" }).waitFor();
      expect(new URL(page.url()).searchParams.get("type")).toBe("shell.exec");
      const hosts = new Set(elsewhere.map(address => new URL(address).origin));
      expect([...hosts]).toEqual([new URL(provider.issuer).origin]);
      const authorize = elsewhere.find(address => address.includes("code_challenge="))!;
      const query = new URL(authorize).searchParams;
      expect([query.get("response_type"), query.get("code_challenge_method")]).toEqual(["code", "S256"]);
      // Nothing of the exchange stays behind.
      expect(await page.evaluate(() => Object.keys(localStorage).filter(key => key.includes("oidc")))).toEqual([]);
      await page.reload();
      await page.getByRole("heading", { name: "Audit log" }).waitFor();
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "an error return says what the provider said, and going on from it signs in to the page that was asked for",
    async () => {
      provider.expect(ada, { error: "access_denied", error_description: "The person pressed Cancel" });
      const watched = await open(world.url);
      const { page, context, problems } = watched;
      await leave(watched, "/members");
      await page.getByRole("heading", { name: "You are not signed in yet" }).waitFor();
      expect(await page.getByRole("alert").innerText()).toContain("The person pressed Cancel");
      provider.expect(ada);
      await page.getByRole("button", { name: "Continue signing in" }).click();
      await page.getByRole("heading", { name: "Members" }).waitFor();
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "an address that is not verified yet: the page says so, and once it is, the sign-in goes on where it was – in another tab too",
    async () => {
      const grace = { sub: "idp|grace", email: "grace@example.com", email_verified: false };
      await world.call("POST", "/api/org/members", {
        token: await world.admin(),
        body: { email: grace.email, role: "auditor" },
      });
      provider.expect(grace);
      const watched = await open(world.url);
      const { page, context } = watched;
      await leave(watched, "/posture");
      await page.getByRole("heading", { name: "Confirm your email address first" }).waitFor();
      expect(await page.getByRole("alert").innerText()).toContain("grace@example.com");
      provider.expect({ ...grace, email_verified: true });
      await page.getByRole("button", { name: /continue/ }).click();
      await page.getByRole("heading", { name: "Posture" }).waitFor();

      // The provider's message opens a tab of its own, at the return address without an answer in it.
      await signOut(watched);
      provider.expect({ ...grace, email_verified: true }, { error: "access_denied", error_description: "" });
      await context.clearCookies();
      await leave(watched, "/drift");
      await page.getByRole("heading", { name: "You are not signed in yet" }).waitFor();
      provider.expect({ ...grace, email_verified: true });
      const other = await context.newPage();
      await other.goto("/sign-in/callback");
      await other.getByRole("heading", { name: "Drift" }).waitFor();
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "a return nobody started, and one with another's state, sign nobody in and offer to go on",
    async () => {
      provider.expect(ada);
      const { page, context } = await open(world.url);
      await page.goto("/sign-in/callback?code=stolen&state=other");
      await page.getByText("was not started in this browser").waitFor();
      expect(await page.evaluate(() => localStorage.getItem("gatehouse.session"))).toBeNull();
      await page.getByRole("button", { name: "Continue signing in" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "a token endpoint on another host than the issuer: exactly that host may be spoken to, and the sign-in works",
    async () => {
      const discovery = "/.well-known/openid-configuration";
      const document = (await (await fetch(provider.issuer + discovery)).json()) as { token_endpoint: string };
      const elsewhere = new URL(document.token_endpoint);
      elsewhere.hostname = "localhost";
      const cors = { "content-type": "application/json", "access-control-allow-origin": "*" };
      const split = await createWorld({ GATEHOUSE_OIDC_ISSUER: provider.issuer, GATEHOUSE_OIDC_CLIENT_ID: CLIENT_ID });
      provider.allow(`${split.url}/sign-in/callback`);
      provider.replace(discovery, JSON.stringify({ ...document, token_endpoint: elsewhere.href }), 200, cors);
      provider.expect(ada);
      const watched = await open(split.url);
      const { page, context, problems } = watched;
      const policy = (await fetch(split.url)).headers.get("content-security-policy")!;
      const connect = /connect-src ([^;]+)/.exec(policy)![1]!;
      expect(connect.split(" ")).toEqual(["'self'", new URL(provider.issuer).origin, elsewhere.origin]);
      await leave(watched, "/drift");
      await page.getByRole("heading", { name: "Drift" }).waitFor();
      expect(watched.elsewhere).toContain(elsewhere.href);
      expect(problems).toEqual([]);
      await context.close();
      await split.close();
      provider.repair();
    },
    SLOW_MS,
  );

  test(
    "a stranger is told so and may sign in as somebody else; application two-factor is asked for on the way",
    async () => {
      provider.expect({ sub: "idp|eve", email: "eve@example.org", email_verified: true });
      const watched = await open(world.url);
      const { page, context } = watched;
      await leave(watched, "/agents");
      await page.getByRole("heading", { name: "You have no place here yet" }).waitFor();
      const token = await world.admin();
      const { secret } = (await world.call("POST", "/api/auth/2fa/setup", { token })).json;
      const code = () => generateSync({ secret, epoch: Math.floor(world.gatehouse.parts.now() / 1000) });
      await world.call("POST", "/api/auth/2fa/enable", { token, body: { code: code() } });
      world.advance(30_000);
      provider.expect(ada);
      await page.getByRole("button", { name: "Sign in as somebody else" }).click();
      await page.getByRole("heading", { name: "Confirm it is you" }).waitFor();
      await page.getByRole("textbox", { name: "Code" }).fill("000000");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("alert").waitFor();
      await page.getByRole("textbox", { name: "Code" }).fill(code());
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "Agents" }).waitFor();
      await context.close();
    },
    SLOW_MS,
  );
});
