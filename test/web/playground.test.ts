import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { ADMIN, createWorld, type World } from "../world.ts";
import { closeBrowser, haveBrowser, open, signIn, SLOW_MS } from "./browser.ts";

/** What is judged in the browser itself. */
let world: World;

describe.skipIf(!haveBrowser)("judging in the browser", () => {
  beforeAll(async () => {
    world = await createWorld();
  }, SLOW_MS);
  afterAll(async () => {
    await closeBrowser();
    await world?.close();
  }, SLOW_MS);

  test(
    "the playground unwraps step by step as one types, without an account and without asking the server",
    async () => {
      const { page, context, problems, calls } = await open(world.url);
      await page.goto("/playground");
      const verdict = page.locator("section").filter({ hasText: "Verdict" });
      await verdict.getByText("BLOCK").first().waitFor();
      await page.getByLabel("Command").fill("sudo sh -c 'echo cm0gLXJmIC8= | base64 -d | bash'");
      const hidden = verdict.getByRole("listitem").filter({ hasText: /^rm -r -f \// });
      await hidden.first().waitFor();
      expect(await hidden.first().innerText()).toMatch(/reached through\s+sudo\s*→\s*sh -c\s*→\s*bash/);
      await verdict.getByText("core.delete-system").first().waitFor();
      expect(page.url()).toContain("command=sudo");
      await page.getByRole("button", { name: "Only mentioned" }).click();
      await verdict.getByText("ALLOW").waitFor();

      await page.getByRole("tab", { name: "MCP call" }).click();
      await page.getByLabel("Arguments (JSON)").fill('{"path":');
      await page.getByText("This is not JSON yet.").waitFor();
      await page.getByLabel("Arguments (JSON)").fill('{"path":"/etc/shadow"}');
      await verdict.getByText("BLOCK").first().waitFor();
      expect([...calls].filter(call => /analyze|check/.test(call))).toEqual([]);
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "a pack shows its rules and cases, and tries a command against itself alone",
    async () => {
      const watched = await open(world.url);
      const { page, context, problems } = watched;
      await signIn(watched, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto("/packs");
      await page.getByRole("link", { name: "git", exact: true }).click();
      await page.getByRole("heading", { name: "Git and code hosting" }).waitFor();
      const tried = page.locator("section").filter({ hasText: "Try one" });
      await page.getByLabel("Command").fill("git push --force origin main");
      await tried.getByText("git.force-push-shared").waitFor();
      await page.getByLabel("Command").fill("rm -rf /");
      await tried.getByText("ALLOW").waitFor();
      await page.getByRole("searchbox", { name: "Search rules and cases" }).fill("force-push-shared");
      await page.waitForURL(/q=force-push-shared/);
      const rule = page.getByRole("listitem").filter({ hasText: "git.force-push-shared" }).first();
      await rule.getByText(/^\d+ cases$/).click();
      await rule.getByText("BLOCK").nth(1).waitFor();
      expect(problems).toEqual([]);
      await context.close();
    },
    SLOW_MS,
  );
});
