import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { ADMIN, createWorld, type World } from "../world.ts";
import { closeBrowser, haveBrowser, open, signIn, SLOW_MS } from "./browser.ts";
import { fillSample } from "./sample.ts";

/** A newcomer who presses the wrong things, on a server that comes and goes. */
let world: World;

describe.skipIf(!haveBrowser)("a newcomer's walk", () => {
  beforeAll(async () => {
    world = await createWorld();
    await fillSample(world);
  }, SLOW_MS);
  afterAll(async () => {
    await closeBrowser();
    await world?.close();
  }, SLOW_MS);

  test(
    "wrong codes and wrong addresses are answered in words, with a way on",
    async () => {
      const watched = await open(world.url);
      const { page, context } = watched;
      await page.goto("/setup");
      await page.getByRole("textbox", { name: "Code" }).fill("not-the-code");
      await page.getByLabel("Organisation").fill("Other");
      await page.getByLabel("Email").fill("eve@example.com");
      await page.getByLabel("Password").fill("long enough for this");
      await page.getByRole("button", { name: "Create the organisation" }).click();
      await page.getByRole("alert").waitFor();
      await signIn(watched, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      for (const [path, words] of [
        ["/agents/agt_nobody", /no such|There is no|unknown/i],
        ["/packs/nobody", /no such|There is no|unknown/i],
        ["/audit?entry=999999&range=all", /no entry|no such|unknown/i],
        ["/device?user_code=BBBB-BBBB", /code/i],
        ["/compliance/scans/scn_nobody", /no such|There is no|unknown/i],
      ] as const) {
        await page.goto(path);
        await page.getByRole("alert").first().waitFor();
        expect([path, await page.getByRole("alert").first().innerText()]).toEqual([path, expect.stringMatching(words)]);
      }
      // An address of no page, reached inside the dashboard.
      await page.goto("/agents");
      await page.evaluate(() => {
        history.pushState(null, "", "/no/such/page");
        dispatchEvent(new PopStateEvent("popstate"));
      });
      await page.getByText("There is no such page").waitFor();
      await page.getByRole("link", { name: "Go to the overview" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "a form that is pressed twice is sent once",
    async () => {
      const watched = await open(world.url);
      const { page, context } = watched;
      await signIn(watched, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto("/members");
      await page.getByRole("button", { name: "Invite" }).click();
      await page.getByLabel("Email").fill("twice@example.com");
      let sent = 0;
      const pressed = Promise.withResolvers<void>();
      await page.route("**/api/org/members", async route => {
        if (route.request().method() !== "POST") return route.continue();
        sent++;
        await pressed.promise;
        return route.continue();
      });
      await page.locator("dialog form").evaluate((form: HTMLFormElement) => {
        form.requestSubmit();
        form.requestSubmit();
      });
      pressed.resolve();
      await page.getByText("twice@example.com is invited").waitFor();
      expect(sent).toBe(1);
      await page.unrouteAll({ behavior: "ignoreErrors" });
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "one time range goes with the reader from page to page and stands in every address it counts for; UTC is on hover",
    async () => {
      const watched = await open(world.url);
      const { page, context } = watched;
      await signIn(watched, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.waitForURL(/range=24h/);
      await page.getByRole("combobox", { name: "Time range" }).selectOption("7d");
      await page.waitForURL(/range=7d/);
      await page.getByText("Log entries by hour").waitFor();
      await page.getByRole("link", { name: "Audit log", exact: true }).click();
      await page.waitForURL(/\/audit\?.*range=7d/);
      await page.getByRole("link", { name: "Agents", exact: true }).click();
      await page.getByRole("link", { name: "ada's laptop" }).click();
      await page.waitForURL(/\/agents\/.*range=7d/);
      await page.getByRole("link", { name: /^\d+ entries$/ }).click();
      await page.waitForURL(/agent_id=agt_.*range=7d/);
      const time = page.locator("time").first();
      await time.waitFor();
      const [iso, title, text] = await time.evaluate(one => [
        one.getAttribute("datetime")!,
        one.getAttribute("title")!,
        one.textContent!,
      ]);
      expect(title).toBe(`${iso!.replace("T", " ").replace("Z", "")} UTC`);
      const berlin = new Intl.DateTimeFormat("en-GB", {
        timeZone: "Europe/Berlin",
        hour: "2-digit",
        minute: "2-digit",
      });
      expect(text).toContain(berlin.format(new Date(iso!)));
      await context.close();
    },
    SLOW_MS,
  );

  test(
    "the server goes away and comes back: the page says so, the session holds, the live tail goes on",
    async () => {
      const fixed = await createWorld();
      const door = await lastingAddress(() => fixed.url);
      const watched = await open(door.url);
      const { page, context } = watched;
      await signIn(watched, ADMIN.email, ADMIN.password);
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      await page.goto("/audit?range=all");
      await page.getByRole("button", { name: /^Live/ }).waitFor();
      const agent = await fixed.agent("survivor");
      const says = async (text: string) => {
        const body = { type: "shell", command: `echo ${text}` };
        await fixed.call("POST", "/api/policy/check", { token: agent.token, body });
      };
      const told = (text: string) => page.getByRole("option").filter({ hasText: text }).waitFor();
      await fixed.stop();
      await page.getByRole("button", { name: /^Reconnecting/ }).waitFor();
      await fixed.start();
      await says("before you were back");
      await told("before you were back");

      await fixed.stop();
      await page.getByRole("button", { name: /^Reconnecting/ }).waitFor();
      await page.getByRole("link", { name: "Drift", exact: true }).click();
      await page.getByText("The server cannot be reached").first().waitFor();
      await fixed.start();
      await page.getByRole("button", { name: "Try again" }).first().click();
      await page.getByText("Nothing differs").waitFor();
      await page.getByRole("link", { name: "Audit log", exact: true }).click();
      await page.getByRole("button", { name: /^Live/ }).waitFor();
      await says("back again");
      await told("back again");
      await context.close();
      await door.close();
      await fixed.close();
    },
    SLOW_MS,
  );
});

/** An address that stays while the server behind it comes and goes. */
async function lastingAddress(behind: () => string): Promise<{ url: string; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer(near => {
    const far = connect(Number(new URL(behind()).port), "127.0.0.1");
    for (const one of [near, far]) {
      sockets.add(one);
      one.on("error", () => {});
      one.on("close", () => (near.destroy(), far.destroy()));
    }
    near.pipe(far).pipe(near);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    for (const one of sockets) one.destroy();
    await new Promise(done => server.close(done));
  };
  return { url: `http://127.0.0.1:${port}`, close };
}
