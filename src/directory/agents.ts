import { isToken, makeToken } from "../domain/identity/tokens.ts";
import { type DirectoryWorld, sha256 } from "./world.ts";

/** One installation, as its token shows it. */
export interface KnownAgent {
  kind: "agent";
  agent: string;
  org: string;
}

export type Agents = ReturnType<typeof createAgents>;

/**
 * The credentials of agents; what they are and do stands in their organisation's log. Order, so that every token has its
 * entry: `reserve`, log `agent.registered`, `issue`; and `remove`, then log `agent.removed`.
 */
export function createAgents(world: DirectoryWorld) {
  const { db, now, random, id, atomic } = world;
  const memo = world.memo<KnownAgent>();
  const byInstallation = (org: string, installation_id: string) =>
    db.query<{ id: string }>("SELECT id FROM agents WHERE org = ? AND installation_id = ?").get(org, installation_id)
      ?.id;
  return {
    /** The agent of this installation, or the id of a new one. It has no token yet, or still its old one. */
    reserve: (org: string, installation_id?: string): { agent: string; known: boolean } =>
      atomic(() => {
        const known = installation_id === undefined ? undefined : byInstallation(org, installation_id);
        if (known) return { agent: known, known: true };
        const agent = id("agt");
        db.query("INSERT INTO agents(id, org, installation_id, created_at) VALUES(?, ?, ?, ?)").run(
          ...[agent, org, installation_id ?? null, now()],
        );
        return { agent, known: false };
      }),
    /** A new token; the old one is dead. Undefined when the agent has been removed meanwhile. */
    issue(org: string, agent: string): string | undefined {
      const token = makeToken("agent", random);
      const { changes } = db
        .query("UPDATE agents SET hash = ?, issued_at = ? WHERE id = ? AND org = ?")
        .run(sha256(token), now(), agent, org);
      memo.clear();
      return changes === 1 ? token : undefined;
    },
    /** Agents ask most: remembered by the token itself, since to hash it costs more than all else that knows them. */
    lookup(token: string): KnownAgent | undefined {
      return memo.get(token, () => {
        if (!isToken("agent", token)) return undefined;
        const row = db
          .query<{ agent: string; org: string }>("SELECT id agent, org FROM agents WHERE hash = ?")
          .get(sha256(token));
        return row && { kind: "agent", agent: row.agent, org: row.org };
      });
    },
    /** Its token is dead from here on. False when there is no such agent in this organisation. */
    remove(org: string, agent: string): boolean {
      const { changes } = db.query("DELETE FROM agents WHERE org = ? AND id = ?").run(org, agent);
      memo.clear();
      return changes === 1;
    },
    count: (org: string): number => db.query<{ n: number }>("SELECT count(*) n FROM agents WHERE org = ?").get(org)!.n,
  };
}
