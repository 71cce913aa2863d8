import type { Event } from "../domain/audit/event.ts";
import { readEvent } from "../domain/audit/event.ts";
import { isStateKind } from "../domain/audit/kinds.ts";
import { decide } from "../domain/policy/decide.ts";
import { strictest } from "../domain/policy/strictest.ts";
import type { Call } from "../domain/policy/verdict.ts";
import { refusal } from "../errors.ts";
import { urgent } from "./answer.ts";
import { byAgent } from "./by-agent.ts";

export interface HookCall {
  agent: string;
  /** Everything one hook is about; the strictest verdict counts. */
  calls: Call[];
  /** The request as the agent's dialect reads it; its decision is added here. */
  event: Event;
}

/**
 * `POST /hooks/{client}` before a tool runs: judged, and logged as exactly one `policy.decision` under the hook's own id,
 * so that a hook sent twice is one decision.
 */
export const judge = urgent((context, { agent, calls, event }: HookCall) => {
  const { mode } = context.store.settings.mode();
  const { rulebook, version } = context.rulebooks.own(context);
  const verdict = strictest(calls.map(call => decide(byAgent(context, call, agent, rulebook), rulebook, mode)));
  if (!verdict) throw refusal("invalid", "There is nothing to judge.");
  const { decision, rules, reasons, enforced } = verdict;
  const attributes = { ...event.attributes, mode, enforced, policy_version: version, reasons: reasons.slice(0, 5) };
  const decided = {
    ...event,
    type: "policy.decision",
    decision,
    decision_id: context.id("dec"),
    rules: rules.slice(0, 100),
    attributes,
  };
  const read = readEvent(decided, isStateKind);
  if ("fault" in read) throw refusal("invalid", read.fault.message);
  const { body, facets } = read;
  context.store.log.append({
    stream: "telemetry",
    kind: "policy.decision",
    agent,
    id: event.id,
    decision,
    facets,
    body,
  });
  return verdict;
});
