import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createDemo } from "../src/dispatch/demo.ts";
import { startDemo } from "../src/cli/threads.ts";
import { spawnThread } from "../src/dispatch/spawn.ts";
import { readConfig } from "../src/config.ts";
import { createLogger } from "../src/logger.ts";

const root = resolve(import.meta.dirname, "..");

test("a thread sees nothing of the environment", async () => {
  process.env["GATEHOUSE_ADMIN_PASSWORD"] = "not for threads";
  const start = { kind: "start" as const, heartbeat_s: 60, capacity: 1, idle_s: 1 };
  const { promise, resolve: seen, reject } = Promise.withResolvers<unknown>();
  const thread = spawnThread(new URL("./fixtures/probe-thread.ts", import.meta.url), start, {
    message: seen,
    died: cause => reject(new Error(cause)),
  });
  const probe = await promise;
  thread.kill();
  delete process.env["GATEHOUSE_ADMIN_PASSWORD"];
  expect(probe).toEqual({ env: [], start });
});

test("the demo's thread is started with sizes and nothing else, and only when somebody comes", async () => {
  const config = readConfig({
    GATEHOUSE_DATA: "/secret/place",
    GATEHOUSE_OIDC_ISSUER: "https://id.example",
    GATEHOUSE_OIDC_CLIENT_ID: "x",
  });
  const demo = startDemo(config, { logger: createLogger("error", () => {}, Date.now) });
  expect(demo.dispatch.health().threads).toBe(0);
  await demo.dispatch.close();
  const { promise, resolve: spawned } = Promise.withResolvers<void>();
  const lazy = createDemo({
    spawn: () => (spawned(), { post: message => void posted.push(message), kill() {} }),
    limits: { count_max: 1, bytes_max: 1024 },
    heads() {},
    cpuMs: () => 0,
    logger: createLogger("error", () => {}, Date.now),
  });
  const posted: unknown[] = [];
  void lazy.open().catch(() => {});
  await promise;
  expect(JSON.stringify(posted)).not.toContain("/secret/place");
  expect(posted).toEqual([{ kind: "ask", id: 1, org: "", question: "demo.open", input: null }]);
});

/** Every source file the thread's code reaches. */
function reached(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const text = readFileSync(join(root, entry), "utf8");
  for (const [, target] of text.matchAll(/(?:^|\n)(?:import|export)\s+(?!type\s)[^;"']*?from\s+"(\.[^"]+)"/g))
    reached(relative(root, resolve(root, dirname(entry), target!)).replaceAll("\\", "/"), seen);
  return seen;
}

test("its code reaches neither configuration, directory, key files nor the network", () => {
  const files = [...reached("workers/demo.ts")];
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter(file => /^src\/(config|secret|http|cli|client|directory|dispatch)\b/.test(file))).toEqual([]);
  const uses = (pattern: RegExp) => files.filter(file => pattern.test(readFileSync(join(root, file), "utf8")));
  expect(uses(/import \{[^}]*\bopenKeys\b/)).toEqual([]);
  expect(uses(/from "node:(http|https|net|tls|dns|child_process)"/)).toEqual([]);
  // One that only names them, as words of programs it reads.
  expect(uses(/process\.env|\bfetch\(/)).toEqual(["src/domain/policy/engine/unwrap/code.ts"]);
  expect(uses(/from "node:fs"/).sort()).toEqual(["src/assets.ts", "src/keys.ts"]);
});
