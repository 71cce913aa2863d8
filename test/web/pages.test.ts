import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { generateSync } from "otplib";
import type { Page } from "playwright-core";
import { routeTable } from "../../src/http/route-table.ts";
import { createApp } from "../../src/http/server.ts";
import { ADMIN, createWorld, type World } from "../world.ts";
import { axeFindings, contrast } from "./axe.ts";
import { closeBrowser, haveBrowser, open, settled, signIn, SLOW_MS, type Watched } from "./browser.ts";
import { fillSample } from "./sample.ts";
import { CAREFUL, demo, empty, entrances, type Known, type Screen, screens, unseen } from "./screens.ts";

/** Every screen in a browser: light, dark, and 360 px wide. Pictures of them are kept for people to look at. */
const pictures = join(import.meta.dirname, "../../dist/pictures");
const WIDE = { width: 1280, height: 860 };
const NARROW = { width: 360, height: 740 };
/** Nobody answers there. */
const provider = { GATEHOUSE_OIDC_ISSUER: "http://127.0.0.1:9", GATEHOUSE_OIDC_CLIENT_ID: "web" };
const seen = { calls: new Set<string>(), elsewhere: [] as string[], problems: [] as string[] };

const looks: [string, "light" | "dark", { width: number; height: number }, string[]?][] = [
  ["light", "light", WIDE],
  // In the dark only the colours are others.
  ["dark", "dark", WIDE, contrast],
  ["narrow", "light", NARROW],
];

/** What is wrong with the page as it stands, in each look. */
async function look(page: Page, name: string): Promise<string[]> {
  const found: string[] = [];
  for (const [kind, colorScheme, size, rules] of looks) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await settled(page);
    await page.screenshot({ path: join(pictures, `${name}-${kind}.png`) });
    for (const line of await axeFindings(page, rules)) found.push(`${kind}: ${line}`);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) found.push(`${kind}: ${wide} px wider than the window`);
  }
  await page.setViewportSize(WIDE);
  await page.emulateMedia({ colorScheme: "light" });
  return found;
}

/** Figures of tables that lead to no list behind them. */
const unlinked = (page: Page) =>
  page
    .locator("td.num")
    .evaluateAll(cells =>
      cells.filter(cell => Number(cell.textContent) > 0 && !cell.querySelector("a")).map(cell => cell.outerHTML),
    );

async function see({ page }: Watched, { name, path, act, fails }: Screen): Promise<void> {
  await page.goto(path);
  await page.locator("h1").first().waitFor();
  await settled(page);
  await act?.(page);
  if (fails) await page.getByRole("alert").first().waitFor();
  expect(await look(page, name)).toEqual([]);
  expect(await unlinked(page)).toEqual([]);
  const alerts = await page.getByRole("alert").allInnerTexts();
  expect(fails ? alerts.length > 0 : alerts).toEqual(fails ? true : []);
}

const keep = ({ calls, elsewhere, problems }: Watched) => {
  for (const call of calls) seen.calls.add(call);
  seen.elsewhere.push(...elsewhere);
  seen.problems.push(...problems);
};

async function secondFactor(world: World): Promise<void> {
  const { directory } = world.gatehouse.parts;
  const { id: org } = directory.members.places(directory.accounts.byEmail(ADMIN.email)!.id)[0]!;
  const password_hash = await directory.passwords.hash(ADMIN.password);
  directory.members.add(org, directory.accounts.create({ email: CAREFUL, password_hash }).id, "auditor");
  const body = { email: CAREFUL, password: ADMIN.password };
  const { token } = (await world.call("POST", "/api/auth/login", { body })).json;
  const { secret } = (await world.call("POST", "/api/auth/2fa/setup", { token })).json;
  const code = generateSync({ secret, epoch: Math.floor(world.gatehouse.parts.now() / 1000) });
  expect((await world.call("POST", "/api/auth/2fa/enable", { token, body: { code } })).status).toBe(200);
}

async function known(world: World): Promise<Known> {
  const { laptop } = await fillSample(world);
  const token = await world.admin();
  const list = async (path: string) => (await world.call("GET", path, { token })).json.items;
  const [scan] = await list("/api/compliance/scans/history");
  const blocked = (await list("/api/audit?decision=BLOCK")).at(-1);
  await secondFactor(world);
  const asked = { name: "grace's desk", hostname: "desk-3", platform: "linux-x64", version: "0.1.0" };
  const { user_code } = (await world.call("POST", "/api/auth/device-code", { body: asked })).json;
  return { agent: laptop.id, scan: scan.id, blocked: blocked.seq, user_code };
}

/** Its addresses hold what only a filled organisation knows; the names of the tests must stand before. */
const filled = (places: () => Known) =>
  screens({ agent: "", scan: "", blocked: 0, user_code: "" }).map(({ name }, at) => ({
    name,
    screen: () => screens(places())[at]!,
  }));

describe.skipIf(!haveBrowser)(
  "every screen in light, dark and narrow: no error, nothing sticks out, axe finds nothing",
  () => {
    let world: World;
    let fresh: World;
    let places: Known;
    const watched: Record<string, Watched> = {};
    beforeAll(async () => {
      mkdirSync(pictures, { recursive: true });
      [world, fresh] = await Promise.all([createWorld(), createWorld(provider)]);
      places = await known(world);
      watched["outside"] = await open(world.url);
      for (const [name, { url }] of Object.entries({ inside: world, fresh })) {
        watched[name] = await open(url);
        await signIn(watched[name], ADMIN.email, ADMIN.password);
        await watched[name].page.getByRole("heading", { name: "Overview" }).waitFor();
      }
      watched["demo"] = await open(world.url);
      await watched["demo"].page.goto("/demo");
      await watched["demo"].page.getByRole("button", { name: "Start the demo" }).click();
      await watched["demo"].page.getByRole("heading", { name: "Overview" }).waitFor();
    }, SLOW_MS);
    afterAll(async () => {
      await closeBrowser();
      await world?.close();
      await fresh?.close();
      process.stderr.write(`Pictures of every screen: ${pictures}\n`);
    });

    for (const screen of entrances) test(screen.name, () => see(watched["outside"]!, screen), SLOW_MS);
    for (const { name, screen } of filled(() => places)) test(name, () => see(watched["inside"]!, screen()), SLOW_MS);
    for (const screen of empty) test(screen.name, () => see(watched["fresh"]!, screen), SLOW_MS);
    for (const screen of demo) test(screen.name, () => see(watched["demo"]!, screen), SLOW_MS);

    test("all pages were seen; together they called only described routes, asked no other host and logged no error", () => {
      for (const one of Object.values(watched)) keep(one);
      const table = routeTable(createApp(world.gatehouse.parts));
      const described = (call: string) => {
        const [method, path] = call.split(" ") as [string, string];
        return table.find(path)?.has(method) ?? false;
      };
      expect(unseen([...entrances, ...screens(places)])).toEqual([]);
      expect(seen.calls.size).toBeGreaterThan(25);
      expect([...seen.calls].filter(call => !described(call))).toEqual([]);
      expect(described("GET /api/nobody/described/this")).toBe(false);
      expect([seen.elsewhere, seen.problems]).toEqual([[], []]);
    });
  },
);
