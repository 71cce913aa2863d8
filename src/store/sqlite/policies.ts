import type { Policies, PolicyVersion } from "../policies.ts";
import type { Projection } from "../projection.ts";
import type { Database } from "./database.ts";

export function createPolicies(db: Database): Policies & { projection: Projection } {
  /** The newest version, asked with every check. */
  let known: number | undefined;
  const forget = () => void (known = undefined);
  const read = () => db.query<{ version: number }>("SELECT ifnull(max(version), 0) version FROM policy").get()!.version;
  return {
    newest: () => (known ??= read()),
    version: version => db.query<PolicyVersion>("SELECT * FROM policy WHERE version = ?").get(version),
    history: (before, limit) =>
      db
        .query<Omit<PolicyVersion, "yaml">>(
          "SELECT version, hash, changed_by, changed_ms FROM policy WHERE version < ? ORDER BY version DESC LIMIT ?",
        )
        .all(before ?? Number.MAX_SAFE_INTEGER, limit),
    projection: {
      forget,
      reset() {
        forget();
        db.exec("DELETE FROM policy");
      },
      apply({ kind, ts, body }) {
        if (kind !== "policy.changed") return;
        forget();
        const { actor, attributes } = JSON.parse(body) as {
          actor: { kind: string; id: string };
          attributes: { version: number; yaml: string; hash: string };
        };
        const author = actor.kind === "system" ? null : actor.id;
        db.query("INSERT INTO policy VALUES(?, ?, ?, ?, ?)").run(
          attributes.version,
          attributes.yaml,
          attributes.hash,
          author,
          ts,
        );
      },
    },
  };
}
