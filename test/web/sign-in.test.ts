import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { ADMIN, createWorld, type World } from "../world.ts";
import { closeBrowser, haveBrowser, open, settled, signIn, signOut, SLOW_MS } from "./browser.ts";

const HOUR_MS = 3_600_000;
let world: World;

describe.skipIf(!haveBrowser)("signing in", () => {
  beforeAll(async () => {
    world = await createWorld();
  }, SLOW_MS);
  afterAll(async () => {
    await closeBrowser();
    await world?.close();
  }, SLOW_MS);

  test(
    "a wrong password is answered in words with a request id; the right one leads to the page that was asked for",
    async () => {
      const { page, context, problems } = await open(world.url);
      await page.goto("/members");
      await page.getByLabel("Email").fill(ADMIN.email);
      await page.getByLabel("Password").fill("not the password");
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      const alert = page.getByRole("alert");
      await alert.waitFor();
      expect(await alert.innerText()).toMatch(/Request\s+req_/);
      await page.getByLabel("Password").fill(ADMIN.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: "Members" }).waitFor();
      expect(new URL(page.url()).pathname).toBe("/members");
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "with the keyboard alone: sign in, move through the pages, open and close an entry",
    async () => {
      const { page, context } = await open(world.url);
      await page.goto("/");
      await page.getByLabel("Email").waitFor();
      await page.keyboard.type(ADMIN.email);
      await page.keyboard.press("Tab");
      await page.keyboard.type(ADMIN.password);
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await tabTo(page, "Audit log");
      await page.keyboard.press("Enter");
      await page.getByRole("listbox", { name: "Entries" }).waitFor();
      await tabTo(page, "Entries");
      await page.keyboard.press("j");
      await page.keyboard.press("j");
      await page.keyboard.press("Enter");
      const entry = page.getByRole("dialog");
      await entry.getByText("In the chain").waitFor();
      await page.waitForURL(/entry=\d+/);
      await page.keyboard.press("Escape");
      await page.waitForURL(url => !url.searchParams.has("entry"));
      expect(await entry.count()).toBe(0);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "two-factor: turned on in the page with a code of an app, asked for at the next sign-in, not on a trusted device",
    async () => {
      const person = { email: "totp@example.com", password: "correct horse battery" };
      const { directory } = world.gatehouse.parts;
      const { id: org } = directory.members.places(directory.accounts.byEmail(ADMIN.email)!.id)[0]!;
      const password_hash = await directory.passwords.hash(person.password);
      directory.members.add(org, directory.accounts.create({ email: person.email, password_hash }).id, "member");
      const { page, context } = await open(world.url);
      await signIn({ page }, person.email, person.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto("/account");
      await page.getByRole("button", { name: "Set up" }).click();
      await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
      const secret = await page.locator("section", { hasText: "Scan this" }).locator("code").first().innerText();
      const code = () => generateSync({ secret: secret.trim(), epoch: Math.floor(world.gatehouse.parts.now() / 1000) });
      await page.getByRole("textbox", { name: "Code" }).fill(code());
      await page.getByRole("button", { name: "Turn on" }).click();
      await page.getByText("Keep these recovery codes").waitFor();
      world.advance(60_000);
      await signOut({ page });
      await signIn({ page }, person.email, person.password);
      await page.getByRole("heading", { name: "Confirm it is you" }).waitFor();
      // The code is asked for with the focus in its field.
      await page.keyboard.type(code());
      await page.getByLabel("Trust this device").check();
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await signOut({ page });
      await signIn({ page }, person.email, person.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      // A device that is forgotten asks again.
      await page.goto("/account");
      await page.getByRole("button", { name: /^Forget/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Forget" }).click();
      await page.getByText("None. Tick").waitFor();
      await signOut({ page });
      await signIn({ page }, person.email, person.password);
      await page.getByRole("heading", { name: "Confirm it is you" }).waitFor();
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "a session that ended leads back to sign-in, which says so, and from there to where one was",
    async () => {
      const { page, context } = await open(world.url);
      await signIn({ page }, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      // Members asks once and no more: what learns that the session ended is the next page.
      await page.getByRole("link", { name: "Members", exact: true }).click();
      await page.getByRole("heading", { name: "Members" }).waitFor();
      await settled(page);
      world.advance(13 * HOUR_MS);
      await page.getByRole("link", { name: "Agents", exact: true }).click();
      await page.getByText("Your session has ended").waitFor();
      await page.getByLabel("Email").fill(ADMIN.email);
      await page.getByLabel("Password").fill(ADMIN.password);
      await page.getByRole("button", { name: "Sign in", exact: true }).click();
      await page.getByRole("heading", { name: "Agents" }).waitFor();
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "a refusal of an earlier session's call does not end the one that was opened since",
    async () => {
      const { page, context } = await open(world.url);
      await signIn({ page }, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      const late = Promise.withResolvers<void>();
      const refused = { status: 401, json: { error: "session_expired", message: "Sign in again." } };
      await page.route("**/api/org/members*", route => late.promise.then(() => route.fulfill(refused)), { times: 1 });
      const asked = page.waitForRequest("**/api/org/members*");
      await page.getByRole("link", { name: "Members", exact: true }).click();
      await asked;
      const other = await context.newPage();
      await other.goto("/");
      await signOut({ page: other });
      await signIn({ page: other }, ADMIN.email, ADMIN.password);
      await other.getByRole("heading", { name: "Overview" }).waitFor();
      const answered = page.waitForResponse(response => response.status() === 401);
      late.resolve();
      await answered;
      await page.getByRole("link", { name: "Agents", exact: true }).click();
      await page.getByRole("heading", { name: "Agents" }).waitFor();
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "the first run: the printed code founds the organisation in the page",
    async () => {
      const fresh = await createWorld({ GATEHOUSE_ADMIN_EMAIL: "", GATEHOUSE_ADMIN_PASSWORD: "" });
      const { page, context } = await open(fresh.url);
      await page.goto("/setup");
      await page.getByRole("textbox", { name: "Code" }).fill(fresh.gatehouse.setup_code!);
      await page.getByLabel("Organisation").fill("Initech");
      await page.getByLabel("Email").fill("peter@example.com");
      await page.getByLabel("Password").fill("jump to conclusions mat");
      await page.getByRole("button", { name: "Create the organisation" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.getByText("Connect the first agent").waitFor();
      expect(await page.locator("header").innerText()).toContain("Initech");
      await context.close();
      await fresh.close();
    },
    SLOW_MS,
  );
});

/** Presses Tab until the element of that name has the focus. */
async function tabTo(page: import("playwright-core").Page, name: string): Promise<void> {
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press("Tab");
    const here = await page.evaluate(() => {
      const element = document.activeElement as HTMLElement | null;
      return element?.getAttribute("aria-label") ?? element?.innerText ?? "";
    });
    if (here.trim() === name) return;
  }
  throw new Error(`Tab never reached ${name}`);
}
