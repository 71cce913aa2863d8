import type { Call } from "../domain/policy/verdict.ts";
import type { Context } from "./answer.ts";

/** A call with the id and the name of the agent that makes it: policies are scoped by either. */
export function byAgent<C extends Call>({ store }: Context, call: C, agent: string): C {
  const name = store.agents.name(agent);
  return { ...call, agent, ...(name ? { agent_name: name } : {}) };
}
