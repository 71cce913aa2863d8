import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ADMIN, createWorld, type World } from "../world.ts";
import { closeBrowser, haveBrowser, open, signIn, SLOW_MS } from "./browser.ts";

let world: World;

describe.skipIf(!haveBrowser)("the demo", () => {
  beforeAll(async () => {
    world = await createWorld();
  }, SLOW_MS);
  afterAll(async () => {
    await closeBrowser();
    await world?.close();
  }, SLOW_MS);

  test(
    "starts without an account, is changed, reset and ended; its handle stays in the tab and opens nothing else",
    async () => {
      const { page, context, problems, calls } = await open(world.url);
      await page.goto("/demo");
      await page.getByRole("button", { name: "Start the demo" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.getByText(/agents active/).waitFor();
      const kept = await page.evaluate(() => ({
        tab: JSON.stringify(sessionStorage),
        browser: JSON.stringify(localStorage),
        cookies: document.cookie,
      }));
      expect(kept.tab).toMatch(/ghd_/);
      expect(kept.browser + kept.cookies).not.toMatch(/ghd_/);

      for (const [link, heading] of [
        ["Audit log", "Audit log"],
        ["Agents", "Agents"],
        ["Policy", "Policy"],
        ["Packs", "Rule packs"],
        ["Posture", "Posture"],
        ["Drift", "Drift"],
        ["Compliance", "Compliance"],
        ["Members", "Members"],
      ] as const) {
        await page.getByRole("link", { name: link, exact: true }).click();
        await page.getByRole("heading", { name: heading, exact: true, level: 1 }).waitFor();
        await page.waitForFunction(() => document.querySelector('[aria-label="Loading"]') === null);
        expect([link, await page.getByRole("alert").allInnerTexts()]).toEqual([link, []]);
        expect(new URL(page.url()).pathname).toStartWith("/demo/");
      }
      await page.getByRole("link", { name: "Settings", exact: true }).click();
      const chosen = page.getByRole("radio", { checked: true });
      await chosen.waitFor();
      const before = await chosen.evaluate(input => input.parentElement!.innerText.trim());
      await page.getByRole("radio", { checked: false }).click();
      await page.getByRole("button", { name: "Change the mode" }).click();
      await page.getByText(/^The mode is /).waitFor();

      const loaded = page.waitForEvent("load");
      await page.getByRole("button", { name: "Reset" }).click();
      await loaded;
      await chosen.waitFor();
      expect(await chosen.evaluate(input => input.parentElement!.innerText.trim())).toBe(before);

      await page.getByRole("button", { name: "End", exact: true }).click();
      await page.getByRole("button", { name: "Start the demo" }).waitFor();
      expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toMatch(/ghd_/);
      expect([...calls].filter(call => !call.includes(" /api/demo/"))).toEqual([]);
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "beside a signed-in tab the two do not mix, and a workspace that is gone says so by offering a new one",
    async () => {
      const watched = await open(world.url);
      const { page, context } = watched;
      await signIn(watched, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto("/demo/agents");
      await page.getByRole("button", { name: "Start the demo" }).click();
      await page.getByRole("heading", { name: "Agents" }).waitFor();
      await page.getByText("ends after").waitFor();
      await page.goto("/agents");
      await page.getByText("Connect the first agent").waitFor();
      await page.goto("/demo/agents");
      await page.getByRole("row").nth(1).waitFor();
      const all = await page.getByRole("row").count();
      await page.getByRole("button", { name: /^Behind on policy 1/ }).click();
      await page.waitForFunction(all => document.querySelectorAll("tbody tr").length < all - 1, all);
      expect(await page.locator("tbody tr").count()).toBe(1);
      const handle = await page.evaluate(() => JSON.parse(sessionStorage.getItem("gatehouse.demo")!).handle as string);
      await world.call("DELETE", "/api/demo/session", { headers: { "x-demo-session": handle } });
      await page.getByRole("link", { name: "Drift", exact: true }).click();
      await page.getByRole("button", { name: "Start the demo" }).waitFor();
      await page.goto("/");
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await context.close();
    },
    SLOW_MS,
  );
});
