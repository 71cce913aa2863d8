import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { ADMIN, createWorld, type World } from "../world.ts";
import { closeBrowser, haveBrowser, open, signIn, SLOW_MS } from "./browser.ts";

let world: World;

const DRAFT = `policy: 1
no_match: ALLOW
not_understood: ASK
rules:
  - id: org.no-shipping
    what: Shipping to production
    why: Nobody ships from an agent
    instead: Open a pull request
    decision: BLOCK
    severity: high
    when:
      - run: shipit now
    cases:
      block: [shipit now]
`;

async function write(page: Page, text: string): Promise<void> {
  const editor = page.getByLabel("Policy in YAML");
  await editor.click();
  await page.keyboard.press("Control+a");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

describe.skipIf(!haveBrowser)("the policy page", () => {
  beforeAll(async () => {
    world = await createWorld();
    const { token } = await world.agent();
    for (const command of ["shipit now", "git status", "npm test"])
      await world.call("POST", "/api/policy/check", { token, body: { type: "shell", command } });
  }, SLOW_MS);
  afterAll(async () => {
    await closeBrowser();
    await world?.close();
  }, SLOW_MS);

  test(
    "mistakes show their line, replay shows what would change, saving makes a version, an older one can be taken back",
    async () => {
      const watched = await open(world.url);
      const { page, context, problems } = watched;
      await signIn(watched, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto("/policy");
      await page.getByText("No mistakes").waitFor();

      await write(page, "policy: 1\nno_match: MAYBE\n");
      await page.getByText(/Line 2, column \d+/).waitFor();
      expect(await page.getByRole("button", { name: "Save" }).isDisabled()).toBe(true);

      await write(page, DRAFT);
      await page.getByText("No mistakes").waitFor();
      await page.getByRole("tab", { name: "Changes" }).click();
      await page.getByText("+ rules:").waitFor();
      await page.getByRole("tab", { name: "Replay" }).click();
      await page.getByRole("button", { name: "Replay", exact: true }).click();
      const row = page.getByRole("row").filter({ hasText: "shipit now" });
      await row.waitFor();
      expect(await row.innerText()).toContain("org.no-shipping");
      expect(await page.getByRole("row").filter({ hasText: "git status" }).count()).toBe(0);

      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Put in force" }).click();
      await page.getByText("Version 2 is in force.").waitFor();
      const { text } = await world.call("GET", "/api/policy/yaml", { token: await world.admin() });
      expect(text).toBe(DRAFT);

      await page.getByRole("tab", { name: "History" }).click();
      await page.getByRole("button", { name: /^Version 1/ }).click();
      await page.getByRole("button", { name: "Take as draft" }).click();
      await page.getByText("− rules:").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Put in force" }).click();
      await page.getByText("Version 3 is in force.").waitFor();
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "completion offers what may stand at the cursor, and writes it",
    async () => {
      const watched = await open(world.url);
      const { page, context, problems } = watched;
      await signIn(watched, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto("/policy");
      await page.getByText("No mistakes").waitFor();
      await write(page, "policy: 1\n");
      await page.keyboard.type("no_m");
      const offer = (text: string) => page.locator(".cm-completionLabel").getByText(text, { exact: true });
      await offer("no_match").click();
      await page.keyboard.press("Control+Space");
      await offer("WARN").waitFor();
      expect(await page.locator(".cm-completionLabel").allInnerTexts()).toEqual(["ALLOW", "ASK", "WARN"]);
      await offer("ASK").click();
      await page.getByText("No mistakes").waitFor();
      expect(await page.getByLabel("Policy in YAML").innerText()).toMatch(/no_match: ASK/);
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "a change by somebody else meanwhile is not overwritten",
    async () => {
      const watched = await open(world.url);
      const { page, context } = watched;
      await signIn(watched, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto("/policy");
      await page.getByText("No mistakes").waitFor();
      const headers = { "content-type": "application/yaml" };
      const theirs = `${DRAFT}# theirs\n`;
      await world.call("PUT", "/api/policy/yaml", { token: await world.admin(), body: theirs, headers });
      await write(page, `${DRAFT}# mine\n`);
      await page.getByText("No mistakes").waitFor();
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("button", { name: "Put in force" }).click();
      await page.getByRole("alert").waitFor();
      const { text } = await world.call("GET", "/api/policy/yaml", { token: await world.admin() });
      expect(text).toBe(theirs);
      await context.close();
    },
    SLOW_MS,
  );
});
