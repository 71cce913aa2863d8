import { createWorld } from "../world.ts";
import type { Desk } from "./play.ts";

/** A server of this process with one organisation, as agents under test are enrolled with it. */
export interface Organisation {
  enrol(desk: Desk): Promise<string>;
  mode(mode: "enforce" | "audit-only"): Promise<void>;
  /** The agent's entries once there are as many of `type` as wanted, or whatever there is after `patience_ms`. */
  entries(agent: string, type: string, count: number, patience_ms?: number): Promise<Entry[]>;
  chainIsValid(): Promise<boolean>;
  close(): Promise<void>;
}

export interface Entry {
  type: string;
  time: string;
  received_at: string;
  decision?: string;
  action?: { kind: string; command?: string; tool?: string; args?: Record<string, unknown> };
}

export async function foundOrganisation(): Promise<Organisation> {
  const world = await createWorld();
  const token = await world.admin();
  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, json, text } = await world.call(method, `/api${path}`, { token, ...(body ? { body } : {}) });
    if (status >= 300) throw new Error(`${method} ${path}: ${text}`);
    return json;
  };
  const all = async (agent: string, type: string): Promise<Entry[]> =>
    (await ask("GET", `/audit?agent_id=${agent}&type=${type}&limit=200&order=asc`)).items;
  return {
    async enrol(desk) {
      const key = await ask("POST", "/auth/enrolment-keys", { name: "agents", uses: 1 });
      const said = await desk.gatehouse("login", world.url, "--key", key.key ?? key.token, "--json");
      return (JSON.parse(said) as { agent: { id: string } }).agent.id;
    },
    mode: mode => ask("PUT", "/org/enforcement-mode", { mode }),
    async entries(agent, type, count, patience_ms = 5000) {
      const end = Date.now() + patience_ms;
      for (;;) {
        const found = await all(agent, type);
        if (found.length >= count || Date.now() > end) return found;
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    },
    chainIsValid: async () => (await ask("GET", "/posture/attestation-chain")).valid,
    close: () => world.close(),
  };
}
