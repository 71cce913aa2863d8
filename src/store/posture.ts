import type { DeclaredTimes, ToolBaseline } from "../domain/posture/drift.ts";

/** What installations have declared over time: when a server came, and what its tools were when people first saw them. */
export interface Posture {
  /** Servers declared now by the agents from one id to another; an agent that has never said anything about servers is not there. */
  declared(first: string, last: string): Map<string, DeclaredTimes[]>;
  /** Tools whose definition changed since they were first declared: of one agent, or of all. */
  changedTools(agent?: string): ToolBaseline[];
}
