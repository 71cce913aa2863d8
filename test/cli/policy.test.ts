import { describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { run as policy } from "../../src/cli/policy.ts";
import { useLaptop } from "./laptop.ts";

const laptop = useLaptop();
const { call } = laptop;

describe("policy", () => {
  const file = (text: string) => {
    const path = join(laptop.folder, "p.yaml");
    writeFileSync(path, text);
    return path;
  };
  const rule = (block: string) => `policy: 1
rules:
  - id: acme.deploy
    what: deploys
    why: Fridays.
    instead: Wait until Monday.
    decision: BLOCK
    severity: high
    when: {run: deployctl apply}
    cases: {block: [${block}]}
`;

  test("test runs the cases inside a policy, and tells line and column", async () => {
    expect((await call(policy, ["test", file(rule("deployctl apply"))])).code).toBe(0);
    const failed = await call(policy, ["test", file(rule("deployctl plan"))]);
    expect([failed.code, failed.out]).toEqual([3, expect.stringMatching(/p\.yaml:\d+:\d+ expected BLOCK, got ALLOW/)]);
    const broken = await call(policy, ["test", file("policy: 1\nruls: []\n")]);
    expect([broken.code, broken.out]).toEqual([3, expect.stringMatching(/p\.yaml:\d+:\d+ /)]);
    expect((await call(policy, ["test", join(laptop.folder, "nowhere.yaml")])).code).toBe(1);
  });

  test("test reads packs as well", async () => {
    const pack = join(import.meta.dirname, "../../seeds/packs/reverse-shells.yaml");
    expect(await call(policy, ["test", pack, "--json"])).toMatchObject({ code: 0 });
  });

  test("facts shows what a rule can describe", async () => {
    expect((await call(policy, ["facts", "--", "sudo rm -rf /etc"])).out).toContain("run: rm");
    expect((await call(policy, ["facts"])).code).toBe(2);
    expect((await call(policy, ["nonsense"])).code).toBe(2);
  });
});
