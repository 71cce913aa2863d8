import { expect, test } from "bun:test";
import { connect } from "node:net";
import { target } from "../target.ts";
import { createWorld } from "../world.ts";

const PATIENCE_MS = 90_000;

/** Writes `bytes`, then `drip` every half second; whether the server hangs up, and what it said. */
function hold(port: number, bytes: string, drip = ""): Promise<{ closed: boolean; said: string }> {
  return new Promise(resolve => {
    let said = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(bytes));
    const dripping = setInterval(() => socket.write(drip), 500);
    const end = (closed: boolean) => {
      clearTimeout(timer);
      clearInterval(dripping);
      socket.destroy();
      resolve({ closed, said });
    };
    const timer = setTimeout(() => end(false), PATIENCE_MS);
    socket.on("data", data => void (said += data));
    socket.on("error", () => {});
    socket.on("close", () => end(true));
  });
}

// Deno's server has no such bound: docs/operations.md leaves it to the proxy.
test.skipIf(target === "deno")(
  "a connection that never finishes its headers is closed, silent or trickling",
  async () => {
    const world = await createWorld();
    const port = Number(new URL(world.url).port);
    const begun = "GET /api/health HTTP/1.1\r\nHost: x\r\nX-Slow: ";
    const held = await Promise.all([hold(port, ""), hold(port, begun), hold(port, begun, "a")]);
    const hungUp = { closed: true, said: "" };
    expect(held).toEqual([hungUp, hungUp, hungUp]);
    expect((await world.call("GET", "/api/health")).status).toBe(200);
    await world.close();
  },
  120_000,
);

test("one address cannot hold every place: past its share it is told to come back, others and the tail's end are not affected", async () => {
  const world = await createWorld({ GATEHOUSE_TRUSTED_PROXIES: "127.0.0.1", GATEHOUSE_REQUESTS_PER_ADDRESS: "3" });
  const token = await world.admin();
  const from = (address: string) => ({ "x-forwarded-for": address, authorization: `Bearer ${token}` });
  const tail = async () => {
    const ending = new AbortController();
    const headers = from("203.0.113.5");
    const reply = await fetch(`${world.url}/api/audit/stream`, { headers, signal: ending.signal });
    const reader = reply.body!.getReader();
    await reader.read();
    return () => (ending.abort(), reader.cancel().catch(() => {}));
  };
  const open = [await tail(), await tail(), await tail()];
  const refused = await world.call("GET", "/api/org", { headers: from("203.0.113.5") });
  expect([refused.status, refused.json.error, refused.headers.get("retry-after")]).toEqual([429, "rate_limited", "1"]);
  expect((await world.call("GET", "/api/org", { headers: from("203.0.113.6") })).status).toBe(200);
  expect((await world.call("GET", "/api/org", { token })).status).toBe(200);
  await open[0]!();
  let status = 429;
  for (let tries = 0; tries < 1000 && status === 429; tries++) {
    await new Promise(resolve => setTimeout(resolve, 100));
    status = (await world.call("GET", "/api/org", { headers: from("203.0.113.5") })).status;
  }
  expect(status).toBe(200);
  for (const end of open) await end();
  await world.close();
}, 120_000);
