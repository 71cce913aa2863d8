import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { createDemo } from "../src/dispatch/demo.ts";
import { startDemo } from "../src/cli/threads.ts";
import { readConfig } from "../src/config.ts";
import { createLogger } from "../src/logger.ts";

const root = resolve(import.meta.dirname, "..");

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

const BUILTINS = [
  "bun:sqlite",
  "node:buffer",
  "node:crypto",
  "node:fs",
  "node:path",
  "node:sqlite",
  "node:url",
  "node:zlib",
];
const PACKAGES = [
  ...["@sinclair/typebox", "@sinclair/typebox/compiler", "@sinclair/typebox/errors", "@sinclair/typebox/value"],
  ...["lru-cache", "re2js", "yaml"],
];

test("its code reaches neither configuration, directory, key files nor the network", () => {
  const files = [...reached("workers/demo.ts")];
  expect(files.length).toBeGreaterThan(80);
  expect(files.filter(file => /^src\/(config|secret|http|cli|client|directory|dispatch)\b/.test(file))).toEqual([]);
  const uses = (pattern: RegExp) => files.filter(file => pattern.test(readFileSync(join(root, file), "utf8")));
  expect(uses(/import \{[^}]*\bopenKeys\b/)).toEqual([]);
  const builtins = files.flatMap(file =>
    [...readFileSync(join(root, file), "utf8").matchAll(/(?:from|import\() ?"((?:node|bun):[^"]+)"/g)].map(
      match => match[1]!,
    ),
  );
  // Modules cannot be taken from a thread under Bun: these are all it has, none of which opens a connection or a process.
  expect([...new Set(builtins)].sort()).toEqual(BUILTINS);
  const packages = files.flatMap(file =>
    [...readFileSync(join(root, file), "utf8").matchAll(/\nimport (?!type)[^;"']*?from "([^."][^":]*)"/g)].map(
      match => match[1]!,
    ),
  );
  expect([...new Set(packages)].sort()).toEqual(PACKAGES);
  // One that only names them, as words of programs it reads.
  expect(uses(/process\.env|\bfetch\(/)).toEqual(["src/domain/policy/engine/unwrap/code.ts"]);
  expect(uses(/from "node:fs"/).sort()).toEqual(["src/assets.ts", "src/keys.ts"]);
});
