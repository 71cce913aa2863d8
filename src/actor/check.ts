import type { Call, Verdict } from "../domain/policy/verdict.ts";
import { iso } from "../domain/time.ts";
import type { Facets } from "../domain/audit/facets.ts";
import { type Context, read, urgent } from "./answer.ts";
import { byAgent } from "./by-agent.ts";

export interface Check {
  agent: string;
  call: Call;
  session_id?: string;
  tool_use_id?: string;
}

/** `POST /policy/check`: judged, logged as exactly one `policy.decision`, replied to when that is durable. */
export const check = urgent((context, asked: Check) => {
  const { mode } = context.store.settings.mode();
  const { rulebook, version } = context.rulebooks.own(context);
  const verdict = context.rulebooks.judge(byAgent(context, asked.call, asked.agent, rulebook), rulebook, mode);
  const decision_id = context.id("dec");
  log(context, asked, verdict, decision_id, version);
  const { decision, rules, reasons, enforced, matched } = verdict;
  return { decision, rules, reasons, enforced, mode, decision_id, policy_version: version, matched };
});

function log(
  context: Context,
  { agent, call, ...ids }: Check,
  verdict: Verdict,
  decision_id: string,
  policy_version: number,
): void {
  const { decision, rules, reasons, matched, enforced, mode } = verdict;
  const body = {
    id: decision_id,
    time: iso(context.now()),
    type: "policy.decision",
    ...ids,
    ...(call.client ? { client: call.client } : {}),
    action: action(call),
    decision,
    decision_id,
    rules,
    attributes: {
      ...place(call),
      mode,
      enforced,
      policy_version,
      reasons,
      via: matched.map(match => match.via),
      spans: matched.map(match => match.span ?? null),
    },
  };
  const facets: Facets = {
    rules,
    ...(call.client ? { client: call.client } : {}),
    ...(call.type === "mcp" ? { tool: call.tool, ...(call.server ? { server: call.server } : {}) } : {}),
  };
  context.store.log.append({
    stream: "telemetry",
    kind: "policy.decision",
    agent,
    decision,
    facets,
    body: JSON.stringify(body),
  });
}

function action(call: Call) {
  const where = call.cwd ? { cwd: call.cwd } : {};
  if (call.type === "shell") return { kind: "shell", command: call.command, ...where };
  return { kind: "mcp", ...(call.server ? { server: call.server } : {}), tool: call.tool, args: call.args, ...where };
}

/** Where the call was made, as far as rules can be scoped by it. */
const place = ({ repo, branch }: Call) => ({ ...(repo ? { repo } : {}), ...(branch ? { branch } : {}) });

/** `POST /playground/analyze`: the community packs; nothing is stored. */
export const analyze = read((context, call: Call) => {
  const { decision, rules, reasons } = context.rulebooks.judge(call, context.rulebooks.community(), "enforce");
  return { decision, rules, reasons };
});
