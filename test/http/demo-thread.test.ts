import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noRights, spawnThread } from "../../src/dispatch/spawn.ts";
import { openDatabase } from "../../src/store/sqlite/database.ts";
import { inProcess, target } from "../target.ts";
import { createWorld } from "../world.ts";

/** The demo's thread as it is started, with code that means harm in place of its host: what it is told and what it can reach. */
const probe = new URL("../fixtures/probe-thread.ts", import.meta.url);
/** Modules of the runtime that compute and open nothing. */
const HARMLESS =
  /^(node:)?(assert|async_hooks|buffer|console|constants|crypto|diagnostics_channel|events|path|perf_hooks|process|punycode|querystring|stream|_stream_\w+|string_decoder|sys|timers|tty|url|util|zlib)(\/|$)/;
const more = [
  "bun:sqlite",
  "bun:ffi",
  "bun:jsc",
  "node:sqlite",
  "node:fs",
  "node:child_process",
  "node:worker_threads",
];
/** What Bun lets nobody take: test/demo-thread.test.ts holds that the thread's code has none of it. */
const FIXED = { modules: ["bun", "ws"], runtime: ["Cookie", "CookieMap", "ModuleGraph", "WebView", "fetch", "plugin"] };

interface Found {
  found: string[];
  told: object;
  modules: string[];
  runtime: string[];
  process: string[];
}

test.skipIf(!inProcess)(
  "code in a thread of the demo is told sizes and reaches no file, secret, setting, network, process or further code",
  async () => {
    const world = await createWorld();
    process.env["GATEHOUSE_ADMIN_PASSWORD"] = "not for threads";
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-secret-"));
    const secret = join(folder, "session.key");
    writeFileSync(secret, '"secret"');
    const database = openDatabase(join(folder, "session.sqlite"));
    database.exec("CREATE TABLE secret (a)");
    const modules = [...builtinModules, ...more].filter(name => !HARMLESS.test(name));
    const start = { kind: "start" as const, heartbeat_s: 60, capacity: 1, idle_s: 1 };
    const told = { ...start, secret, modules, port: Number(new URL(world.url).port) };
    const { promise, resolve, reject } = Promise.withResolvers<Found>();
    const events = {
      message: (found: unknown) => resolve(found as Found),
      died: (cause: string) => reject(new Error(cause)),
    };
    const thread = spawnThread(probe, told, events, noRights([probe.pathname]));
    const seen = await promise.finally(() => {
      thread.kill();
      database.close();
      delete process.env["GATEHOUSE_ADMIN_PASSWORD"];
      rmSync(folder, { recursive: true });
    });
    await world.close();
    // Deno: code can be imported from a text or the program, and modules by name; none of it has a permission.
    expect([seen.found, seen.told]).toEqual([target === "deno" ? ["data:", "a file"] : [], told]);
    expect(modules.length).toBeGreaterThan(30);
    if (target === "deno") return;
    expect(seen.modules).toEqual(FIXED.modules);
    expect(seen.runtime.filter(name => !/^(zstd(De)?[cC]ompressSync|SHA256)$/.test(name)).sort()).toEqual(
      FIXED.runtime,
    );
    expect(seen.process.sort()).toEqual([
      "cpuUsage",
      "emitWarning",
      "hrtime",
      "memoryUsage",
      "nextTick",
      "threadCpuUsage",
      "uptime",
    ]);
  },
);
