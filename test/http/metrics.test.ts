import { expect, test } from "bun:test";
import { createWorld } from "../world.ts";

test("metrics: OpenMetrics for this machine and for the token, nothing for anybody else", async () => {
  const world = await createWorld({ GATEHOUSE_METRICS_TOKEN: "a-token-for-the-monitoring" });
  await world.call("GET", "/api/nope");
  const local = await world.call("GET", "/metrics");
  expect(local.headers.get("content-type")).toStartWith("application/openmetrics-text; version=1.0.0");
  expect(local.text).toContain('gatehouse_requests_total{status="404"} 1\n');
  expect(local.text).toMatch(/gatehouse_request_seconds_bucket\{le="\+Inf"\} 1\n/);
  expect(local.text).toContain("gatehouse_threads_alive 1\n");
  expect(local.text).toEndWith("# EOF\n");
  const outside = { "x-forwarded-for": "203.0.113.9" };
  expect((await world.call("GET", "/metrics", { headers: outside })).status).toBe(404);
  expect((await world.call("GET", "/metrics", { headers: outside, token: "another" })).status).toBe(404);
  const known = await world.call("GET", "/metrics", { headers: outside, token: "a-token-for-the-monitoring" });
  expect([known.status, known.text.includes("org_")]).toEqual([200, false]);
  await world.close();
});
