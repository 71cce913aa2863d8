import { expect, test } from "bun:test";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { openOrgStore } from "../../src/store/open.ts";
import { fill, finish, storeWorld, withFile } from "./fixture.ts";

test("killed in the middle, the log holds at least what was acknowledged, whole and valid", async () => {
  await withFile(async path => {
    const world = storeWorld();
    for (const patience_ms of [0, 30, 60]) {
      const writer = Bun.spawn([process.execPath, join(import.meta.dir, "endless-writer.ts"), path], {
        stdout: "pipe",
      });
      let acknowledged = "";
      for await (const chunk of writer.stdout) {
        acknowledged += new TextDecoder().decode(chunk);
        if (acknowledged.split("\n").length < 6) continue;
        await Bun.sleep(patience_ms);
        writer.kill("SIGKILL");
      }
      const [size, hash] = acknowledged.split("\n").at(-2)!.split(" ") as [string, string];
      const store = openOrgStore({ path }, world);
      expect(store.frozen).toBeUndefined();
      expect(store.log.compare({ seq: Number(size) - 1, hash })).toBe("known");
      expect(finish(store.log.verify())).toMatchObject({ valid: true, count: store.log.head().size });
      const counted = store.audit.stats({});
      expect(counted.total).toBe(store.log.head().size);
      finish(store.rebuild());
      expect(store.audit.stats({})).toEqual(counted);
      store.close();
    }
  });
}, 300_000);

test("what the dead one has written and perhaps not synced is durable before anybody reads it", () =>
  withFile(path => {
    const writer = openOrgStore({ path }, storeWorld());
    fill(writer, 500);
    const left = `${path}.left`;
    for (const file of ["", "-wal"]) copyFileSync(path + file, left + file);
    const store = openOrgStore({ path: left }, storeWorld());
    // A checkpoint syncs the WAL, and what it has copied: the database alone now holds all of it.
    copyFileSync(left, `${path}.disk`);
    const disk = openOrgStore({ path: `${path}.disk` }, storeWorld());
    expect(disk.log.head()).toEqual(store.log.head());
    for (const each of [disk, store, writer]) each.close();
  }));
