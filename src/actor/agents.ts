import { type Agent, changesOf, type Description, type Status, staleAfterMs, statusOf } from "../domain/fleet/agent.ts";
import type { LogHead } from "../domain/audit/leaf.ts";
import { iso, isoOrNull } from "../domain/time.ts";
import { refusal } from "../errors.ts";
import type { Actor } from "../domain/org/actor.ts";
import type { AgentCounts } from "../store/agents.ts";
import { type Context, read, write } from "./answer.ts";
import { record } from "./record.ts";

export interface Registration {
  agent_id: string;
  name: string;
  hostname?: string;
  platform?: string;
  version?: string;
  installation_id?: string;
}

/** The wire form of an agent. */
export type AgentView = ReturnType<typeof view>;

function view(context: Context, { created_ms, last_seen_ms, ...agent }: Agent) {
  const status: Status = statusOf(last_seen_ms, context.now(), context.heartbeat_s);
  return { ...agent, status, last_seen_at: isoOrNull(last_seen_ms), created_at: iso(created_ms) };
}

function known(context: Context, id: string): Agent {
  const agent = context.store.agents.get(id);
  if (!agent) throw refusal("not_found", "There is no such agent.");
  return agent;
}

/** Registering an installation again keeps its id and logs only what changed. */
export const register = write((context, { agent, actor }: { agent: Registration; actor: Actor }) => {
  const before = context.store.agents.get(agent.agent_id);
  const owner = actor.email ?? actor.id;
  if (!before) record(context, "agent.registered", actor, { ...agent, owner }, agent.agent_id);
  else
    record(
      context,
      "agent.changed",
      actor,
      { agent_id: agent.agent_id, ...described(agent), name: agent.name, enrolled_again: true },
      agent.agent_id,
    );
  return view(context, known(context, agent.agent_id));
});

const described = ({ hostname, platform, version }: Registration) => ({ hostname, platform, version });

interface Listed {
  status?: Status;
  policy?: "behind";
  q?: string;
  after?: string;
  limit: number;
}

export const list = read((context, { policy, ...query }: Listed) =>
  context.store.agents
    .page({
      ...query,
      ...(policy ? { policy_below: context.store.policies.newest() } : {}),
      stale_before_ms: staleBefore(context),
    })
    .map(agent => view(context, agent)),
);

export const stats = read((context, _: null) => {
  const { total, active, stale, never_seen, policy_lag } = countFleet(context);
  return { total, active, stale, never_seen, policy_lag, ...context.store.agents.kinds() };
});

/** What is `silent` has not been heard of for so long. */
const SILENT_MS = 90 * 24 * 3_600_000;

export const countFleet = (context: Context): AgentCounts =>
  context.store.agents.counts({
    stale_before_ms: staleBefore(context),
    silent_before_ms: context.now() - SILENT_MS,
    policy_version: context.store.policies.newest(),
  });

export const get = read((context, { id }: { id: string }) => view(context, known(context, id)));

export const rename = write((context, { id, name, actor }: { id: string; name: string; actor: Actor }) => {
  if (known(context, id).name !== name) record(context, "agent.changed", actor, { agent_id: id, name }, id);
  return view(context, known(context, id));
});

/** The token is dead before this is asked. */
export const remove = write((context, { id, actor }: { id: string; actor: Actor }) => {
  const { name } = known(context, id);
  record(context, "agent.removed", actor, { agent_id: id, name }, id);
  return null;
});

export interface Heartbeat extends Description {
  queue_depth?: number;
  head?: LogHead;
}

/** Liveness is noted, a change of description is logged, a head the log cannot account for raises an alarm. */
export const heartbeat = write((context, { agent, said }: { agent: string; said: Heartbeat }) => {
  const { queue_depth, head, hostname, platform, version, hooks, policy_version, mcp_servers } = said;
  const description = { hostname, platform, version, hooks, policy_version, mcp_servers } as Description;
  const before = known(context, agent);
  const actor: Actor = { kind: "agent", id: agent };
  const changes = changesOf(before, description);
  if (Object.keys(changes).length > 0) record(context, "agent.changed", actor, { agent_id: agent, ...changes }, agent);
  context.store.agents.touch(agent, context.now(), queue_depth ?? null);
  if (head) witness(context, actor, head);
  const policy = context.rulebooks.policyTag(context);
  return {
    server_time: iso(context.now()),
    enforcement_mode: context.store.settings.mode().mode,
    policy_version: policy.version,
    policy_etag: policy.etag,
    config_version: policy.version,
    next_heartbeat_s: context.heartbeat_s,
  };
});

/** Each agent is a witness: what it saw acknowledged must still be in the log. */
function witness(context: Context, actor: Actor, head: LogHead): void {
  const verdict = context.store.log.compare(head);
  if (verdict === "known") return;
  record(context, "log.unaccounted_head", actor, { verdict, seen: head, agent_id: actor.id }, actor.id);
  context.alarm("a witness saw a head the log cannot account for", {
    org: context.org,
    agent: actor.id,
    seq: head.seq,
    verdict,
  });
}

const staleBefore = (context: Pick<Context, "now" | "heartbeat_s">) =>
  context.now() - staleAfterMs(context.heartbeat_s);
