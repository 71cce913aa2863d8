import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noRights, spawnThread } from "../../src/dispatch/spawn.ts";
import { inProcess, target } from "../target.ts";
import { createWorld } from "../world.ts";

/** The demo's thread as it is started, with a probe in place of its host: what it is told and what it can reach. */
const probe = new URL("../fixtures/probe-thread.ts", import.meta.url);

test.skipIf(!inProcess)(
  "a thread of the demo is told sizes and can reach neither settings, secrets, network nor processes",
  async () => {
    const world = await createWorld();
    process.env["GATEHOUSE_ADMIN_PASSWORD"] = "not for threads";
    const folder = mkdtempSync(join(tmpdir(), "gatehouse-secret-"));
    const look_at = join(folder, "session.key");
    writeFileSync(look_at, "secret");
    const start = { kind: "start" as const, heartbeat_s: 60, capacity: 1, idle_s: 1 };
    const told = { ...start, look_at, port: Number(new URL(world.url).port) };
    const { promise, resolve: seen, reject } = Promise.withResolvers<unknown>();
    const rights = noRights([probe.pathname]);
    const events = { message: seen, died: (cause: string) => reject(new Error(cause)) };
    const thread = spawnThread(probe, told, events, rights);
    const found = await promise;
    thread.kill();
    delete process.env["GATEHOUSE_ADMIN_PASSWORD"];
    rmSync(folder, { recursive: true });
    await world.close();
    const closed = { start: told, env: [], secret: false, argv: [], globals: [], runtime: [] };
    // Bun has no rights of threads: who reads by a path, or connects, is held by test/demo-thread.test.ts.
    if (target === "bun") expect(found).toMatchObject(closed);
    else expect(found).toEqual({ ...closed, reads: false, connects: false });
  },
);
