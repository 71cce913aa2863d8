import { describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run as comply } from "../../src/cli/comply.ts";
import { useLaptop, useOrganisation } from "./laptop.ts";

const laptop = useLaptop();
const { call } = laptop;
const { enrol } = useOrganisation(laptop);

describe("comply", () => {
  test("an uploaded scan arrives", async () => {
    await enrol();
    const project = join(laptop.folder, "shop");
    mkdirSync(join(project, ".claude"), { recursive: true });
    writeFileSync(join(project, ".claude/settings.json"), '{"permissions":{"defaultMode":"bypassPermissions"}}');
    const { code, out } = await call(comply, [project, "--no-home", "--format", "sarif"]);
    expect([code, JSON.parse(out).version]).toEqual([3, "2.1.0"]);
    expect((await call(comply, [project, "--no-home", "--fail-on", "never"])).code).toBe(0);
    expect((await call(comply, [project, "--fail-on", "often"])).code).toBe(2);
  });
});
