import type { Mode } from "../../domain/policy/verdict.ts";
import type { Projection } from "../projection.ts";
import type { ModeSetting, Settings } from "../settings.ts";
import type { Database } from "./database.ts";

const INITIAL: ModeSetting = { mode: "enforce", changed_ms: null, changed_by: null };

export function createSettings(db: Database): Settings & { projection: Projection } {
  /** Asked with every check. */
  let known: ModeSetting | undefined;
  const forget = () => void (known = undefined);
  const read = (): ModeSetting => {
    const row = db.query<{ value: string }>("SELECT value FROM setting WHERE name = 'mode'").get();
    return row ? JSON.parse(row.value) : INITIAL;
  };
  return {
    mode: () => (known ??= read()),
    projection: {
      forget,
      reset() {
        forget();
        db.exec("DELETE FROM setting");
      },
      apply({ kind, ts, body }) {
        if (kind !== "org.mode_changed") return;
        forget();
        const { actor, attributes } = JSON.parse(body) as { actor: { id: string }; attributes: { mode: Mode } };
        const value: ModeSetting = { mode: attributes.mode, changed_ms: ts, changed_by: actor.id };
        db.query("INSERT INTO setting VALUES('mode', ?) ON CONFLICT DO UPDATE SET value = excluded.value").run(
          JSON.stringify(value),
        );
      },
    },
  };
}
