import { createHash } from "node:crypto";
import type { DeclaredServer, Hook } from "../../domain/fleet/agent.ts";
import { schemaTexts } from "../../domain/posture/schema-change.ts";
import { isSuspicious } from "../../domain/posture/text-change.ts";
import { nameKey } from "../../domain/posture/tool.ts";
import type { Database, Value } from "./database.ts";

/** What agents can have in common: a column's value → each trait of it, with its value. */
const traits: Record<string, (stored: Value) => (readonly [of: Trait, value: string])[]> = {
  platform: platform => [["platform", String(platform ?? "unknown")]],
  policy_version: version => [["policy", String(version ?? 0)]],
  hooks: json => {
    const hooks = JSON.parse(json as string) as Hook[];
    const hooked = hooks.some(hook => hook.installed && hook.trusted !== false);
    return [...hooks.map(hook => ["client", hook.client] as const), ...(hooked ? ([["hooked", ""]] as const) : [])];
  },
  mcp_servers: json =>
    (JSON.parse(json as string) as DeclaredServer[]).flatMap(({ name, tools = [] }) => [
      ["server", name],
      ["server_key", nameKey(name)],
      ...tools.flatMap(suspicion),
    ]),
};
/** `suspicious`: a text, by its hash, that speaks to the model behind people's backs. */
export type Trait = "platform" | "policy" | "client" | "hooked" | "server" | "server_key" | "suspicious";

function suspicion({ title, description, input_schema }: NonNullable<DeclaredServer["tools"]>[number]) {
  const text = [title ?? "", description ?? "", schemaTexts(input_schema)].join("\n");
  return isSuspicious(text) ? [["suspicious", createHash("sha256").update(text).digest("base64url")] as const] : [];
}

const COMES = "INSERT INTO trait VALUES (?, ?, 1) ON CONFLICT DO UPDATE SET n = n + 1";
const GOES = [
  "UPDATE trait SET n = n - 1 WHERE of = ? AND value = ?",
  "DELETE FROM trait WHERE of = ? AND value = ? AND n = 0",
];

/** How many agents, hooks or declarations share a trait, counted as they change. */
export class Traits {
  #db: Database;

  constructor(db: Database) {
    this.#db = db;
  }

  reset(): void {
    this.#db.exec("DELETE FROM trait");
  }

  /** A value of an agent's column comes (1) or goes (-1). */
  count(column: string, stored: Value, by: 1 | -1): void {
    for (const [of, value] of traits[column]?.(stored) ?? [])
      for (const sql of by > 0 ? [COMES] : GOES) this.#db.query(sql).run(of, value);
  }

  /** Every value of a trait, the most frequent first. */
  of(of: Trait): { value: string; n: number }[] {
    const sql = "SELECT value, n FROM trait WHERE of = ? ORDER BY n DESC, value";
    return this.#db.query<{ value: string; n: number }>(sql).all(of);
  }
}
