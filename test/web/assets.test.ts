import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createWorld, type World } from "../world.ts";

/** How the dashboard is served: no browser needed. */
const folder = join(import.meta.dirname, "../../dist/web");
const KIB = 1024;
let world: World;
let page: string;
beforeAll(async () => {
  world = await createWorld();
  page = await (await fetch(world.url)).text();
});
afterAll(() => world.close());

const linked = () => [...page.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(match => match[1]!);
const ask = (path: string, accept_encoding = "identity") =>
  // Unpacking is left to the test, or the bytes that travelled could not be counted.
  fetch(world.url + path, { headers: { "accept-encoding": accept_encoding }, decompress: false } as RequestInit);

test("every address of a page answers with the page, everything else as the API does", async () => {
  for (const path of ["/", "/device?user_code=BCDF-GHJK", "/setup", "/agents/agt_1", "/demo/audit", "/posture/chain"]) {
    const reply = await ask(path);
    expect([path, reply.status, reply.headers.get("content-type")]).toEqual([path, 200, "text/html; charset=utf-8"]);
  }
  for (const path of ["/api/nothing", "/api", "/nothing", "/assets/nothing.js", "/assets/index.html", "/agents/a/b"]) {
    const reply = await ask(path);
    expect([path, reply.status]).toEqual([path, 404]);
    expect(((await reply.json()) as { error: string }).error).toBe("not_found");
  }
  expect((await fetch(world.url, { method: "POST" })).status).toBe(405);
});

test("the page may load nothing but what the server itself serves, and no script stands in it", async () => {
  const reply = await ask("/");
  const policy = reply.headers.get("content-security-policy")!;
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("script-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:/);
  expect(page).not.toMatch(/<script(?![^>]* src="\/assets\/)/);
  expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  expect(page).not.toMatch(/ on\w+=|style=/);
  expect(reply.headers.get("x-content-type-options")).toBe("nosniff");
});

test("hashed files are kept for ever, the page is asked for again", async () => {
  expect((await ask("/")).headers.get("cache-control")).toBe("no-cache");
  expect(linked().length).toBeGreaterThan(1);
  for (const path of linked()) {
    const reply = await ask(path);
    expect(path).toMatch(/-[a-z0-9]{8}\.(js|css)$/);
    expect(reply.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
    expect(reply.headers.get("vary")).toBe("accept-encoding");
  }
});

test("files travel packed as the caller takes them, and unpack to the same bytes", async () => {
  const [path] = linked();
  const plain = Buffer.from(await (await ask(path!)).arrayBuffer());
  const br = await ask(path!, "gzip, deflate, br");
  const gzip = await ask(path!, "gzip;q=0.8, br;q=0");
  expect([br.headers.get("content-encoding"), gzip.headers.get("content-encoding")]).toEqual(["br", "gzip"]);
  expect(brotliDecompressSync(Buffer.from(await br.arrayBuffer())).equals(plain)).toBe(true);
  expect(gunzipSync(Buffer.from(await gzip.arrayBuffer())).equals(plain)).toBe(true);
  expect((await ask(path!, "*;q=0")).headers.get("content-encoding")).toBeNull();
});

test("the first page stays under 80 KB packed", async () => {
  let bytes = (await (await ask("/", "br")).arrayBuffer()).byteLength;
  for (const path of new Set(linked())) bytes += (await (await ask(path, "br")).arrayBuffer()).byteLength;
  expect(bytes).toBeGreaterThan(5 * KIB);
  expect(bytes).toBeLessThan(80 * KIB);
});

test("the bypass of local development is in no built file and opens nothing", async () => {
  const files = readdirSync(folder).filter(name => /\.(js|html|css)$/.test(name));
  expect(files.length).toBeGreaterThan(20);
  const development = files.filter(name => /dev-proxy|__dev/.test(readFileSync(join(folder, name), "utf8")));
  expect(development).toEqual([]);
  const source = readFileSync(join(import.meta.dirname, "../../src/web/dev.tsx"), "utf8");
  expect(source).toMatch(/dev-proxy/);
  expect((await ask("/__dev/session")).status).toBe(404);
  const refused = await world.call("GET", "/api/org", { token: "dev-proxy" });
  expect([refused.status, refused.json.error]).toEqual([401, "invalid_token"]);
});
