import { expect, test } from "bun:test";
import { join, resolve } from "node:path";
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

/** Everything the thread runs, packages included, in one text. */
async function program(): Promise<string> {
  const built = await Bun.build({ entrypoints: [join(root, "workers/demo.ts")], target: "bun" });
  return built.outputs[0]!.text();
}

const all = (text: string, pattern: RegExp) => [...new Set([...text.matchAll(pattern)].map(match => match[1]!))].sort();

test("its code has nothing in hand that opens a file, a connection or a process", async () => {
  const text = await program();
  expect(text.length).toBeGreaterThan(500_000);
  // None of them opens anything. What else the runtime has is taken from the thread (test/http/demo-thread.test.ts), but for
  // what nobody may take: it is not used here, and code that would use it cannot come in.
  const harmless = [
    "buffer",
    "bun:sqlite",
    "crypto",
    "diagnostics_channel",
    "node:sqlite",
    "path",
    "process",
    "url",
    "zlib",
  ];
  const imported = new Bun.Transpiler({ loader: "js" }).scanImports(text);
  const names = imported.map(({ path }) => path.replace(/^node:(?!sqlite)/, ""));
  expect(names.filter(name => !harmless.includes(name))).toEqual([]);
  // Deno's alone.
  expect(imported.filter(({ kind }) => kind === "dynamic-import").map(({ path }) => path)).toEqual(["node:sqlite"]);
  expect(all(text, /\b((?:import|require)\s*\((?!\s*["']|[^)]*\bfrom\b)[^)]*\))/g)).toEqual([]);
  // In hand from before: the program's own files and databases in memory, both behind a check, and compression, which opens nothing.
  expect(all(text, /getBuiltinModule\(([^)]*)\)/g)).toEqual(['"bun:sqlite"', '"node:fs"', '"node:zlib"']);
  expect(all(text, /\bBun\.(\w+)/g)).toEqual([
    "SHA256",
    "YAML",
    "isStandaloneExecutable",
    "zstdCompressSync",
    "zstdDecompressSync",
  ]);
  expect(text).not.toMatch(/\bBun\s*\[|Deno\./);
  for (const name of ["readConfig", "openKeys", "createDirectory", "openDirectory"])
    expect(text).not.toContain(`function ${name}(`);
});
