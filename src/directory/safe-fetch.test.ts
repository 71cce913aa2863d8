import { afterAll, beforeAll, expect, test } from "bun:test";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { safeFetch } from "./safe-fetch.ts";

let server: Server;
let origin: string;
beforeAll(async () => {
  server = createServer((req, res) => {
    if (req.url === "/redirect") res.writeHead(302, { location: `${origin}/ok` }).end();
    else if (req.url === "/big") res.end(Buffer.alloc(300 * 1024));
    else if (req.url === "/ok") res.end("{}");
    else res.writeHead(404).end();
  });
  await new Promise<void>(resolve => server.listen(0, "127.0.0.1", resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

const names: Record<string, string[]> = {
  "id.example": ["203.0.113.5"],
  "keys.example": ["203.0.113.6", "2001:db8::6"],
  "id.corp": ["10.1.2.3"],
  "keys.corp": ["10.9.9.9"],
  "keys6.corp": ["fd00::1"],
  "both.example": ["203.0.113.7", "10.0.0.1"],
  "metadata.example": ["169.254.169.254"],
  "loop.example": ["127.0.0.1"],
  "mapped.example": ["::ffff:127.0.0.1"],
  "zero.example": ["0.0.0.0"],
};
/** What the guard says before anything is sent: the names above lead nowhere. */
const refused = async (url: string, issuer: string) =>
  safeFetch(url, issuer, async host => names[host] ?? [host.replace(/[[\]]/g, "")]).then(
    () => "fetched",
    error => String(error.message),
  );

test("the issuer's own origin is fetched, without following redirects and within bounds", async () => {
  expect(await (await safeFetch(`${origin}/ok`, origin)).json()).toEqual({});
  await expect(safeFetch(`${origin}/redirect`, origin)).rejects.toThrow("answered 302");
  await expect(safeFetch(`${origin}/missing`, origin)).rejects.toThrow("answered 404");
  await expect(safeFetch(`${origin}/big`, origin)).rejects.toThrow("more than");
  await expect(safeFetch("http://127.0.0.1:1/x", "http://127.0.0.1:1")).rejects.toThrow("cannot be fetched");
});

test("another host must be https and outside this machine", async () => {
  expect(await refused("http://keys.example/k", "https://id.example")).toContain("not https");
  expect(await refused("file:///etc/passwd", "https://id.example")).toContain("not https");
  for (const host of ["metadata.example", "loop.example", "mapped.example", "zero.example", "127.0.0.1", "[::1]"])
    expect(await refused(`https://${host}/k`, "https://id.example")).toContain("this machine");
  expect(await refused("https://nowhere.example/k", "https://id.example")).not.toBe("fetched");
});

test("a public issuer does not lead into a private network; one inside it may point beside itself", async () => {
  for (const host of ["keys.corp", "keys6.corp", "both.example", "192.168.1.1", "100.64.0.1"])
    expect(await refused(`https://${host}/k`, "https://id.example")).toContain("private network");
  expect(await refused("https://id.example:8443/k", "https://id.example")).not.toContain("private");
  expect(await refused("https://metadata.example/k", "https://id.corp")).toContain("this machine");
});
