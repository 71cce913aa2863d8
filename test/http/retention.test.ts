import { expect, test } from "bun:test";
import { inProcess } from "../target.ts";
import { ADMIN, createWorld } from "../world.ts";

const DAY_MS = 86_400_000;

test.skipIf(!inProcess)(
  "what the plan no longer keeps is erased, its place in the log stays, and the chain is valid",
  async () => {
    const world = await createWorld();
    const agent = await world.agent();
    const old = {
      id: "old",
      time: "2026-08-01T10:00:00Z",
      type: "shell.exec",
      action: { kind: "shell", command: "make secret" },
    };
    await world.call("POST", "/api/events", { token: agent.token, body: old });
    world.advance(91 * DAY_MS);
    await world.call("POST", "/api/events", { token: agent.token, body: { ...old, id: "new" } });
    const { token } = (await world.call("POST", "/api/auth/login", { body: ADMIN })).json;
    const entries = async () => (await world.call("GET", "/api/audit?type=shell.exec&order=asc", { token })).json.items;
    const noted = async () => (await world.call("GET", "/api/audit?type=log.bodies_erased", { token })).json.items;
    for (let tries = 0; tries < 1000 && (await noted()).length === 0; tries++)
      await new Promise(go => setTimeout(go, 100));
    const [erased, kept] = await entries();
    expect(erased).toMatchObject({ type: "shell.exec", erased: true, agent_id: agent.id });
    expect(JSON.stringify(erased)).not.toContain("secret");
    expect(kept).toMatchObject({ id: "new", action: { command: "make secret" } });
    expect((await noted())[0].attributes).toMatchObject({ erased: 1, retention_days: 90 });
    const chain = await world.call("GET", "/api/posture/attestation-chain", { token });
    expect(chain.json.valid).toBe(true);
    const stats = await world.call("GET", "/api/audit/stats", { token });
    expect(stats.json.by_type["shell.exec"]).toBe(2);
    await world.close();
  },
);
