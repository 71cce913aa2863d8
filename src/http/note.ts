import type { StateKind } from "../domain/audit/kinds.ts";
import type { Actor } from "../domain/org/actor.ts";
import { describeError } from "../logger.ts";
import type { Parts } from "./parts.ts";

/** Something that lives in the directory and is audited in the organisation's log. */
export interface Note {
  org: string;
  kind: StateKind;
  actor: Actor;
  attributes: Record<string, unknown>;
}

/** Puts it into the log. What gives a right is taken back (`undo`) when it cannot be logged; what takes one away stays. */
export async function note(
  { dispatch }: Pick<Parts, "dispatch">,
  { org, ...entry }: Note,
  undo?: () => void,
): Promise<void> {
  try {
    await dispatch.ask(org, "org.note", entry);
  } catch (error) {
    undo?.();
    throw error;
  }
}

/** For what happens whether or not it can be logged: signing in to a read-only organisation must stay possible. */
export async function noteIfPossible(parts: Pick<Parts, "dispatch" | "logger">, entry: Note): Promise<void> {
  await note(parts, entry).catch(error =>
    parts.logger.error("not logged", { org: entry.org, kind: entry.kind, cause: describeError(error) }),
  );
}
