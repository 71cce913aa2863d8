import type { Rulebook } from "../domain/policy/rules/compile.ts";
import type { Call } from "../domain/policy/verdict.ts";
import type { Context } from "./answer.ts";

/**
 * A call with the id and the name of the agent that makes it, where a scope of the policy speaks of either. Elsewhere
 * nothing is read, and agents that ask the same share one remembered verdict.
 */
export function byAgent<C extends Call>({ store }: Context, call: C, agent: string, { asksWho }: Rulebook): C {
  if (!asksWho) return call;
  const name = store.agents.name(agent);
  return { ...call, agent, ...(name ? { agent_name: name } : {}) };
}
