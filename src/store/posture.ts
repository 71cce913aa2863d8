import type { DeclaredServer, ToolBaseline } from "../domain/posture/drift.ts";

/** What installations have declared over time: when a server came, and what its tools were when people first saw them. */
export interface Posture {
  /** Servers an agent declares now; undefined when it has never said anything about servers. */
  declared(agent: string): Pick<DeclaredServer, "name" | "first_seen_ms" | "last_seen_ms">[] | undefined;
  /** Every server name that any installation declares. */
  declaredNames(): Set<string>;
  /** Tools whose definition changed since they were first declared. */
  changedTools(): ToolBaseline[];
}
