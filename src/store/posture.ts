import type { DeclaredServer, ToolBaseline } from "../domain/posture/drift.ts";

export type DeclaredTimes = Pick<DeclaredServer, "name" | "first_seen_ms" | "last_seen_ms">;

/** What installations have declared over time: when a server came, and what its tools were when people first saw them. */
export interface Posture {
  /** Servers declared now by the agents from one id to another; an agent that has never said anything about servers is not there. */
  declared(first: string, last: string): Map<string, DeclaredTimes[]>;
  /** Every server name that any installation declares. */
  declaredNames(): Set<string>;
  /** Tools whose definition changed since they were first declared. */
  changedTools(): ToolBaseline[];
}
