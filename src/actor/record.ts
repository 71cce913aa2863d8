import type { StateKind } from "../domain/audit/kinds.ts";
import { iso } from "../domain/time.ts";
import type { Appended } from "../store/log.ts";
import type { Actor } from "../domain/org/actor.ts";
import type { Context } from "./answer.ts";

/** One change of the organisation as an entry of its log; the projections follow in the same transaction. */
export function record(
  context: Context,
  kind: StateKind,
  actor: Actor,
  attributes: Record<string, unknown>,
  agent?: string,
): Appended {
  const body = JSON.stringify({ id: context.id("evt"), time: iso(context.now()), type: kind, actor, attributes });
  const appended = context.store.log.append({ stream: "state", kind, body, ...(agent ? { agent } : {}) });
  if (appended === "duplicate") throw new Error(`the log took ${kind} for a duplicate`);
  return appended;
}

export const system: Actor = { kind: "system", id: "gatehouse" };
