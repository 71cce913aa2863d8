/**
 * The dashboard in Chromium on a large organisation: `npm run bench:web [events=1000000]`. Prints the time from the start
 * of navigation until the list of a page can be used, and the bytes that travel for each page, packed. Ends within six
 * minutes: what is not there in half a minute is said to be missing.
 */
import { gzipSync } from "node:zlib";
import { pages } from "../../src/web/pages.ts";
import { closeBrowser, open, settled, signIn } from "../web/browser.ts";
import { ADMIN, createWorld } from "../world.ts";
import { batchOf } from "./events.ts";

const events = Number(process.argv[2] ?? 1_000_000);
const BATCH = 5_000;
const RUNS = 5;
const WAIT_MS = 30_000;
/** Code of a page comes in chunks that ask for one another. */
const SETTLED_MS = 500;
const world = await createWorld({ GATEHOUSE_LOG_LEVEL: "error" });
const { id, token } = await world.agent("ada's laptop");

const started = performance.now();
for (let first = 0; first < events; first += BATCH) {
  const body = gzipSync(batchOf(first, Math.min(BATCH, events - first)), { level: 1 });
  const headers = { "content-type": "application/json", "content-encoding": "gzip" };
  let reply = await world.call("POST", "/api/events", { token, body: new Uint8Array(body), headers });
  for (; reply.status === 503; await Bun.sleep(500))
    reply = await world.call("POST", "/api/events", { token, body: new Uint8Array(body), headers });
  if (reply.status !== 200) throw new Error(reply.text);
}
console.log(`${events} events stored in ${Math.round((performance.now() - started) / 1000)} s`);

const watched = await open(world.url);
const { page, context } = watched;
await signIn(watched, ADMIN.email, ADMIN.password);
await page.getByRole("heading", { name: "Overview" }).waitFor();

/** What must stand on the page before it can be used. */
const lists: [path: string, selector: string][] = [
  ["/audit?range=24h", '[role="option"]'],
  ["/audit?range=all", '[role="option"]'],
  ["/audit?range=24h", '[aria-label="Filters"] .facet'],
  ["/audit?type=mcp.call&range=all", '[role="option"]'],
  ["/?range=24h", 'a[href*="/agents?status=active"]'],
  ["/?range=all", 'a[href*="/audit?decision=BLOCK"]'],
];
const cdp = await context.newCDPSession(page);
for (const [path, selector] of lists) {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    await cdp.send("Network.setCacheDisabled", { cacheDisabled: run === 0 });
    await page.goto(path, { waitUntil: "commit" });
    const there = await page.waitForSelector(selector, { timeout: WAIT_MS }).catch(() => undefined);
    times.push(there ? await page.evaluate(() => performance.now()) : Number.POSITIVE_INFINITY);
    if (!there) break;
  }
  const [cold, ...warm] = times.map(Math.round);
  console.log(`${path} until ${selector}: first ${cold} ms, then ${warm.join(", ")} ms`);
}

await cdp.send("Network.enable");
await cdp.send("Network.setCacheDisabled", { cacheDisabled: true });
let code = 0;
let data = 0;
const api = new Set<string>();
cdp.on("Network.responseReceived", ({ requestId, response }) => {
  if (new URL(response.url).pathname.startsWith("/api/")) api.add(requestId);
});
cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
  if (api.has(requestId)) data += encodedDataLength;
  else code += encodedDataLength;
});
const names: Record<string, string> = { ":id": id, ":name": "core" };
const kb = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
for (const { path } of pages) {
  [code, data] = [0, 0];
  await page.goto(path.replace(/:\w+/, name => names[name]!));
  await settled(page);
  await page.waitForTimeout(SETTLED_MS);
  console.log(`${path}: ${kb(code)} packed, ${kb(data)} data`);
}
await closeBrowser();
await world.close();
