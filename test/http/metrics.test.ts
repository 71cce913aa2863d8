import { expect, test } from "bun:test";
import { createWorld } from "../world.ts";

interface Family {
  type: string;
  samples: { name: string; labels: string; value: number }[];
}

/** By the grammar of OpenMetrics 1.0, strictly; throws at the first line that is not of it. */
function parse(text: string): Map<string, Family> {
  const families = new Map<string, Family>();
  const lines = text.split("\n");
  if (lines.pop() !== "" || lines.pop() !== "# EOF") throw new Error("does not end with EOF");
  let name = "";
  for (const line of lines) {
    const meta = /^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/.exec(line);
    if (meta?.[1] === "HELP") {
      if (families.has(meta[2]!)) throw new Error(`twice: ${line}`);
      families.set((name = meta[2]!), { type: "", samples: [] });
    } else if (meta) {
      if (meta[2] !== name || !/^(counter|gauge|histogram)$/.test(meta[3]!)) throw new Error(line);
      families.get(name)!.type = meta[3]!;
    } else {
      const sample = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{([a-z_]+="[^"\\\n]*")\})? (-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)$/.exec(
        line,
      );
      const { type, samples } = families.get(name)!;
      const ends = { counter: /^_total$/, gauge: /^$/, histogram: /^_(bucket|count|sum)$/ }[type];
      const [, of = "", labels = "", value = ""] = sample ?? [];
      if (!of.startsWith(name) || !ends?.test(of.slice(name.length))) throw new Error(line);
      samples.push({ name: of.slice(name.length), labels, value: Number(value) });
    }
  }
  return families;
}

test("every line is of the grammar, and the histogram adds up", async () => {
  const world = await createWorld();
  for (const path of ["/api/nope", "/api/health", "/api/plans"]) await world.call("GET", path);
  const families = parse((await world.call("GET", "/metrics")).text);
  expect([...families.values()].filter(one => one.samples.length === 0)).toEqual([]);
  const { samples } = families.get("gatehouse_request_seconds")!;
  const buckets = samples.filter(one => one.name === "_bucket");
  expect(buckets.map(one => one.value)).toEqual(buckets.map(one => one.value).toSorted((a, b) => a - b));
  expect([buckets.at(-1)!.labels, buckets.at(-1)!.value]).toEqual(['le="+Inf"', 3]);
  expect(samples.find(one => one.name === "_count")!.value).toBe(3);
  const byStatus = families.get("gatehouse_requests")!.samples.map(one => [one.labels, one.value]);
  expect(byStatus).toEqual([
    ['status="200"', 1],
    ['status="401"', 1],
    ['status="404"', 1],
  ]);
  for (const wrong of [
    "a 1\n# EOF\n",
    "# HELP a b\n# TYPE a counter\na 1\n# EOF\n",
    "# HELP a b\n# TYPE a gauge\na 1\n",
  ])
    expect(() => parse(wrong)).toThrow();
  await world.close();
});

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
