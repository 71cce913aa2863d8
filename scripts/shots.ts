import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { ADMIN, createWorld } from "../test/world.ts";
import { closeBrowser, type Look, open, signIn } from "../test/web/browser.ts";
import { fillSample } from "../test/web/sample.ts";

/** Pictures of every page in light, dark and narrow, for people to look at: `bun scripts/shots.ts [page …]`. */
const folder = join(import.meta.dirname, "../dist/shots");
const looks: Record<string, Look> = {
  light: {},
  dark: { dark: true },
  narrow: { width: 360, height: 740 },
};
const only = process.argv.slice(2);
const world = await createWorld({ GATEHOUSE_LOG_LEVEL: "error" });
const { laptop } = await fillSample(world);
const [scan] = (await world.call("GET", "/api/compliance/scans/history", { token: await world.admin() })).json.items;
const started = (
  await world.call("POST", "/api/auth/device-code", {
    body: { name: "grace's desk", hostname: "desk-3", platform: "linux-x64", version: "0.1.0" },
  })
).json;
const pages: [string, string][] = [
  ["overview", "/"],
  ["audit", "/audit"],
  ["audit-entry", "/audit?entry=6"],
  ["agents", "/agents"],
  ["agent", `/agents/${laptop.id}`],
  ["policy", "/policy"],
  ["policy-replay", "/policy?tab=replay"],
  ["policy-history", "/policy?tab=history"],
  ["packs", "/packs"],
  ["pack", "/packs/core"],
  ["playground", "/playground"],
  ["posture", "/posture?framework=soc2"],
  ["chain", "/posture/chain?from=0"],
  ["drift", "/drift"],
  ["compliance", "/compliance"],
  ["scans", "/compliance/scans"],
  ["scan", `/compliance/scans/${scan.id}`],
  ["members", "/members"],
  ["settings", "/settings"],
  ["account", "/account"],
  ["device", `/device?user_code=${started.user_code}`],
];
mkdirSync(folder, { recursive: true });
for (const [look, options] of Object.entries(looks)) {
  const watched = await open(world.url, options);
  const { page, context } = watched;
  const shoot = async (name: string, path: string) => {
    if (only.length > 0 && !only.includes(name)) return;
    await page.goto(path);
    await page.waitForLoadState("load");
    await page.waitForTimeout(900);
    await page.screenshot({ path: join(folder, `${name}-${look}.png`) });
  };
  await shoot("sign-in", "/sign-in");
  await shoot("setup", "/setup");
  await shoot("demo-start", "/demo");
  await signIn(watched, ADMIN.email, ADMIN.password);
  await page.getByRole("heading", { name: "Overview" }).waitFor();
  for (const [name, path] of pages) await shoot(name, path);
  console.log(look, watched.problems, watched.elsewhere);
  await context.close();
}
await closeBrowser();
await world.close();
