import type { StateKind } from "../domain/audit/kinds.ts";
import type { Mode } from "../domain/policy/verdict.ts";
import { isoOrNull } from "../domain/time.ts";
import type { Actor } from "../domain/org/actor.ts";
import { long, read, write } from "./answer.ts";
import type { Context } from "./answer.ts";
import { record } from "./record.ts";

const modeOf = ({ store }: Context) => {
  const { mode, changed_ms, changed_by } = store.settings.mode();
  return { mode, changed_at: isoOrNull(changed_ms), changed_by };
};

/** `GET /org/enforcement-mode`. */
export const getMode = read(modeOf as (context: Context, input: null) => ReturnType<typeof modeOf>);

/** Setting the mode it already has changes and logs nothing. */
export const setMode = write((context, { mode, actor }: { mode: Mode; actor: Actor }) => {
  if (context.store.settings.mode().mode !== mode) record(context, "org.mode_changed", actor, { mode });
  return modeOf(context);
});

/** An entry about something that lives in the directory (a member, a name, a session): audited here, kept there. */
export const note = write(
  (context, { kind, actor, attributes }: { kind: StateKind; actor: Actor; attributes: Record<string, unknown> }) => {
    record(context, kind, actor, attributes);
    return null;
  },
);

/** `gatehouse rebuild`: the projections dropped and built again from the log. */
export const rebuild = long(function* ({ store }, _: null) {
  for (const _seq of store.rebuild()) yield undefined;
  return store.log.head().size;
});
