import type { Actor } from "../domain/org/actor.ts";
import { describeError } from "../logger.ts";
import { note } from "./note.ts";
import type { Parts } from "./parts.ts";

/** Whoever has the machine. */
const operator: Actor = { kind: "system", id: "operator" };

/** Puts what commands and the first run have changed into the logs. What cannot be logged now stays for the next time. */
export function createOutboxRun({ directory, dispatch, logger }: Pick<Parts, "directory" | "dispatch" | "logger">) {
  let running: Promise<void> | undefined;
  const drain = async () => {
    const stuck = new Set<string>();
    for (const { id, org, kind, attributes } of directory.outbox.pending()) {
      if (stuck.has(org)) continue;
      try {
        await note({ dispatch }, { org, kind, actor: operator, attributes });
        directory.outbox.done(id);
      } catch (error) {
        stuck.add(org);
        logger.warn("a change waits to be logged", { org, kind, cause: describeError(error) });
      }
    }
  };
  return (): Promise<void> => (running ??= drain().finally(() => (running = undefined)));
}
