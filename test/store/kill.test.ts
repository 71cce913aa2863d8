import { expect, test } from "bun:test";
import { join } from "node:path";
import { openOrgStore } from "../../src/store/open.ts";
import { finish, storeWorld, withFile } from "./fixture.ts";

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
}, 60_000);
