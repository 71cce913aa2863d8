/** One tool call as hooks or telemetry saw it. */
export interface Sighting {
  client: string;
  session_id?: string;
  tool_use_id?: string;
  trace_id?: string;
  /** `bash`, `demo/read_file`: compared only where no id joins the two. */
  tool: string;
  time_ms: number;
  /** By the server's clock: the agent's own may be anywhere. */
  received_ms: number;
}

/** Telemetry and hooks travel separately: a call is only reported once its hook has had this long to arrive. */
export const grace_ms = 120_000;

const byCall = ({ client, session_id, tool_use_id }: Sighting) => `${client}|${session_id ?? ""}|${tool_use_id}`;
const byTool = ({ client, session_id, trace_id, tool }: Sighting) =>
  `${client}|${session_id ?? trace_id ?? ""}|${tool}`;

/**
 * Tool calls telemetry saw executed and no hook announced. Joined on the call id; where hooks carry none, as many calls
 * of the same tool in the same session as hooks announced are taken to be theirs.
 */
export function unhookedCalls<S extends Sighting>(
  executed: readonly S[],
  announced: readonly Sighting[],
  now_ms: number,
): S[] {
  const calls = new Set(announced.filter(each => each.tool_use_id).map(byCall));
  const left = new Map<string, number>();
  for (const each of announced) if (!each.tool_use_id) left.set(byTool(each), (left.get(byTool(each)) ?? 0) + 1);
  const take = (each: Sighting): boolean => {
    const count = left.get(byTool(each)) ?? 0;
    left.set(byTool(each), count - 1);
    return count > 0;
  };
  return executed
    .toSorted((a, b) => a.time_ms - b.time_ms)
    .filter(
      each => !(each.tool_use_id && calls.has(byCall(each))) && !take(each) && now_ms - each.received_ms >= grace_ms,
    );
}
