import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { routeTable } from "../../src/http/route-table.ts";
import { createApp } from "../../src/http/server.ts";
import { pages } from "../../src/web/pages.ts";
import { ADMIN, createWorld, type World } from "../world.ts";
import { axeFindings } from "./axe.ts";
import { closeBrowser, haveBrowser, type Look, open, signIn, type Watched } from "./browser.ts";
import { fillSample } from "./sample.ts";

/** Every page, opened by a browser, on an organisation that has something to show. */
const SLOW_MS = 120_000;
let world: World;
const addresses = new Map<string, string>();
/** Kept for people to look at. */
const pictures = join(import.meta.dirname, "../../dist/pictures");

async function prepare(): Promise<void> {
  world = await createWorld();
  const { laptop } = await fillSample(world);
  const token = await world.admin();
  const scans = await world.call("GET", "/api/compliance/scans/history", { token });
  const { user_code } = (await world.call("POST", "/api/auth/device-code", { body: { name: "desk" } })).json;
  for (const { path } of pages) addresses.set(path, path);
  addresses.set("/agents/:id", `/agents/${laptop.id}`);
  addresses.set("/packs/:name", "/packs/core");
  addresses.set("/compliance/scans/:id", `/compliance/scans/${scans.json.items[0].id}`);
  addresses.set("/device", `/device?user_code=${user_code}`);
  addresses.set("/invitation", "/invitation?token=abc");
}

/** Opens the page and waits until nothing is loading any more. */
async function visit({ page }: Watched, path: string): Promise<void> {
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await page.waitForFunction(() => document.querySelector('[aria-label="Loading"]') === null);
}

const known = () => {
  const table = routeTable(createApp(world.gatehouse.parts));
  return (call: string) => {
    const [method, path] = call.split(" ") as [string, string];
    return table.find(path)?.has(method) ?? false;
  };
};

describe.skipIf(!haveBrowser)("every page", () => {
  beforeAll(prepare, SLOW_MS);
  afterAll(async () => {
    await closeBrowser();
    await world?.close();
  });

  const looks: [string, Look][] = [
    ["light", {}],
    ["dark", { dark: true }],
    ["narrow", { width: 360, height: 740 }],
    ["dark and narrow", { dark: true, width: 360, height: 740 }],
  ];
  for (const [name, look] of looks)
    test(
      `${name}: opens without an error, calls only described routes, asks no other host, axe finds nothing, nothing sticks out`,
      async () => {
        const watched = await open(world.url, look);
        const found: string[] = [];
        const see = async (path: string) => {
          await visit(watched, path);
          const picture = `${path.replace(/\?.*/, "").replaceAll("/", "-").slice(1, 40) || "overview"}.png`;
          await watched.page.screenshot({ path: join(pictures, name.replaceAll(" ", "-"), picture) });
          for (const line of await axeFindings(watched.page)) found.push(`${path} ${line}`);
          const wide = await watched.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          if (wide > 0) found.push(`${path} is ${wide} px wider than the window`);
          if ((await watched.page.locator('[role="alert"]').count()) > 0)
            found.push(`${path} shows: ${await watched.page.locator('[role="alert"]').first().innerText()}`);
        };
        const entrances = ["/setup", "/sign-in", "/invitation"];
        for (const path of [...entrances, "/playground", "/demo"]) await see(addresses.get(path) ?? path);
        await signIn(watched, ADMIN.email, ADMIN.password);
        await watched.page.getByRole("heading", { name: "Overview" }).waitFor();
        for (const [pattern, path] of addresses)
          if (![...entrances, "/sign-in/callback"].includes(pattern)) await see(path);
        expect(found).toEqual([]);
        expect(watched.problems).toEqual([]);
        expect(watched.elsewhere).toEqual([]);
        expect(watched.calls.size).toBeGreaterThan(15);
        expect([...watched.calls].filter(call => !known()(call))).toEqual([]);
        await watched.context.close();
      },
      SLOW_MS,
    );
});
