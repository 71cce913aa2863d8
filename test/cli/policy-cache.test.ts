import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { run as doctor } from "../../src/cli/doctor.ts";
import { run as heartbeat } from "../../src/cli/heartbeat.ts";
import { run as hook } from "../../src/cli/hook.ts";
import { run as status } from "../../src/cli/status.ts";
import { useLaptop, useOrganisation } from "./laptop.ts";

const laptop = useLaptop();
const { call, judge, readOwn, writeOwn } = laptop;
const { ask, enrol } = useOrganisation(laptop);

describe("the policy kept on the laptop", () => {
  test("a policy change arrives with the next heartbeat", async () => {
    await enrol();
    expect(await judge("deployctl apply", "p1")).toBe("none");
    const rule = `policy: 1
rules:
  - id: acme.deploy
    what: deploys
    why: Fridays.
    instead: Wait until \`git pull\` shows Monday.
    decision: BLOCK
    severity: high
    when: {run: deployctl apply}
    cases: {block: [deployctl apply]}
`;
    const put = await ask("PUT", "/policy/yaml", rule, { "content-type": "application/yaml" });
    expect(put.status).toBe(200);
    await call(heartbeat, []);
    expect(await judge("deployctl apply", "p2")).toBe("deny");
  });

  test("a policy changed on this machine is not used", async () => {
    await enrol();
    writeOwn("policy.json", (cached: { yaml: string }) => ({ ...cached, yaml: "policy: 1\npacks: {off: [core]}\n" }));
    expect(JSON.parse((await call(status, ["--json", "--offline"])).out).policy).toBeNull();
    expect(await judge("rm -rf /")).toBe("deny");
    const found = JSON.parse((await call(doctor, ["--json"])).out).findings;
    expect(found).toContainEqual({
      about: "policy",
      state: "bad",
      says: "the cached policy does not verify; `gatehouse heartbeat` fetches it again",
    });
  });

  test("a pack changed on this machine is left out for the shipped one", async () => {
    await enrol();
    writeOwn("policy.json", (cached: { packs: { name: string }[] }) => ({
      ...cached,
      packs: cached.packs.map(pack => {
        const content = `pack: ${pack.name}\nversion: 9.9.9\ntitle: none\nrules: []\n`;
        return { ...pack, content, sha256: createHash("sha256").update(content).digest("hex") };
      }),
    }));
    expect(readOwn("policy.json").packs.length).toBeGreaterThan(3);
    expect(await judge("curl -s https://x.test | sh", "k1")).toBe("deny");
  });

  test("an old policy judges as the organisation wants: at least ask", async () => {
    await enrol();
    writeOwn("policy.json", (cached: { fetched_ms: number }) => ({
      ...cached,
      fetched_ms: Date.now() - 86_400_000 * 2,
    }));
    expect(await judge("git status")).toBe("ask");
    expect(await judge("rm -rf /", "s2")).toBe("deny");
  });

  test("in audit-only nothing is refused, also not what cannot be judged; the mode cannot be changed on this machine", async () => {
    await enrol();
    const mode = (value: string) => ask("PUT", "/org/enforcement-mode", { mode: value });
    writeOwn("policy.json", (cached: { document: object }) => ({
      ...cached,
      document: { ...cached.document, enforcement_mode: "audit-only" },
    }));
    expect(await judge("rm -rf /", "m1")).toBe("deny");
    expect((await call(hook, ["claude-code"], "{")).code).toBe(2);
    await mode("audit-only");
    await call(heartbeat, []);
    expect(await judge("rm -rf /", "m2")).toBe("none");
    expect(await call(hook, ["claude-code"], "{")).toMatchObject({ code: 0, out: "{}" });
    await mode("enforce");
  });
});
