import { describe, expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { run as heartbeat } from "../../src/cli/heartbeat.ts";
import { run as logout } from "../../src/cli/logout.ts";
import { run as status } from "../../src/cli/status.ts";
import { useLaptop, useOrganisation } from "./laptop.ts";

const laptop = useLaptop();
const { call, judge, own, readOwn } = laptop;
const { ask, enrol } = useOrganisation(laptop);

describe("an enrolled laptop", () => {
  test("login keeps the token for its owner alone and fetches a policy whose signature holds", async () => {
    const { agent, policy_version } = await enrol();
    expect(statSync(own("credentials.json")).mode & 0o777).toBe(0o600);
    expect(readOwn("policy.json").document.version).toBe(policy_version);
    const state = JSON.parse((await call(status, ["--json"])).out);
    expect(state).toMatchObject({
      enrolled: { agent: { id: agent.id } },
      server: "ok",
      policy: { mode: "enforce", stale: false },
    });
  });

  test("a removed agent is told so, and its events stay", async () => {
    const { agent } = await enrol();
    await judge("ls", "r1");
    await ask("DELETE", `/agents/${agent.id}`);
    expect((await call(heartbeat, [])).code).toBe(1);
    expect(JSON.parse((await call(status, ["--json"])).out)).toMatchObject({ waiting_events: 1 });
    await call(logout, []);
    expect(existsSync(own("credentials.json"))).toBe(false);
  });
});
