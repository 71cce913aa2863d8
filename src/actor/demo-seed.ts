import type { Member } from "../domain/org/members.ts";
import type { Scenario, ScenarioAgent } from "../domain/demo/scenario.ts";
import { type Happening, timeline } from "../domain/demo/timeline.ts";
import type { DeclaredServer } from "../domain/fleet/agent.ts";
import type { Actor } from "../domain/org/actor.ts";
import { iso } from "../domain/time.ts";
import type { Answer, Context } from "./answer.ts";
import { found } from "./open-world.ts";
import { type Input, type Output, type Question, questions } from "./org-actor.ts";
import { record } from "./record.ts";
import { readUpload, type ScanUpload } from "./scans.ts";

/** The demo's company at one moment, to be copied for every visitor. */
export interface Seed {
  image: Uint8Array;
  name: string;
  plan: string;
  created_ms: number;
  /** When it was built: its times are relative to it. */
  built_ms: number;
  /** Id of the member a visitor acts as. */
  visitor: string;
  members: Member[];
  agents: number;
  /** Agents that report in all the time, by id. */
  alive: string[];
}

export interface SeedParts {
  scenario: Scenario;
  /** An empty store whose clock is `clock.ms`. */
  context: Context;
  clock: { ms: number };
  random(): number;
}

/** Plays the scenario through the very answers that serve organisations. Yields now and then, so that others get a turn. */
export function* buildSeed(parts: SeedParts, now_ms: number): Generator<undefined, Seed> {
  const { scenario, context, clock, random } = parts;
  const stage = new Stage(parts);
  const happenings = timeline(scenario, now_ms, random);
  for (const [index, happening] of happenings.entries()) {
    clock.ms = happening.at_ms;
    stage.play(happening);
    // The first ones compile what the later ones use.
    if (index < 32 || index % 16 === 15) yield undefined;
  }
  clock.ms = now_ms;
  while (context.store.log.tidy()) yield undefined;
  const alive = scenario.agents.filter(one => one.last_seen_min === 0).map(one => stage.agent(one.name));
  stage.lastSigns(now_ms);
  const { name, plan } = scenario.organisation;
  const created_ms = happenings[0]!.at_ms;
  const visitor = stage.member(scenario.visitor).id;
  const { members } = stage;
  const agents = scenario.agents.length;
  return {
    image: context.store.serialize(),
    name,
    plan,
    created_ms,
    built_ms: now_ms,
    visitor,
    members,
    agents,
    alive,
  };
}

/** Who and what there is by now. */
class Stage {
  readonly members: Member[] = [];
  readonly #parts: SeedParts;
  readonly #agents = new Map<string, string>();
  readonly #declared = new Map<string, DeclaredServer[]>();

  constructor(parts: SeedParts) {
    this.#parts = parts;
  }

  play(happening: Happening): void {
    const { context } = this.#parts;
    if (happening.kind === "founded") context.store.commit(() => found(context));
    else if (happening.kind === "joined") this.#join(happening.member);
    else if (happening.kind === "registered") this.#register(happening.agent);
    else if (happening.kind === "changed") this.#change(happening.change);
    else if (happening.kind === "called") context.store.commit(() => this.#call(happening));
    else this.#scan(happening.scan);
  }

  agent(name: string): string {
    return this.#agents.get(name)!;
  }

  member(email: string): Member {
    return this.members.find(one => one.email === email)!;
  }

  /** Liveness is not logged: it is set at the end. */
  lastSigns(now_ms: number): void {
    const { scenario, context } = this.#parts;
    for (const { name, last_seen_min } of scenario.agents)
      if (last_seen_min !== null)
        context.store.commit(() => context.store.agents.touch(this.agent(name), now_ms - last_seen_min * 60_000, 0));
  }

  #actor(email: string): Actor {
    return { kind: "person", id: this.member(email).id, email };
  }

  #join({ email, name, role, invited }: Scenario["members"][number]): void {
    const { context, clock } = this.#parts;
    const id = context.id(invited ? "inv" : "usr");
    const status = invited ? ("invited" as const) : ("active" as const);
    this.members.push({ id, email, name, role, status, created_at: clock.ms });
    const actor = this.#actor(invited ? this.#parts.scenario.visitor : email);
    const attributes = invited ? { invitation: id, email, role } : { account: id, email, role };
    context.store.commit(() => record(context, invited ? "member.invited" : "member.joined", actor, attributes));
  }

  #register({ name, hostname, platform, version, owner, clients, servers, last_seen_min }: ScenarioAgent): void {
    const agent_id = this.#parts.context.id("agt");
    this.#agents.set(name, agent_id);
    const agent = { agent_id, name, hostname, platform, version };
    this.#ask("agents.register", { agent, actor: this.#actor(owner) });
    if (last_seen_min === null) return;
    const declared = servers.map(server => ({ name: server, ...this.#parts.scenario.servers[server]! }));
    this.#declared.set(name, declared);
    const hooks = clients.map(client => ({ client, installed: true, trusted: true, version: "1" }));
    const policy_version = this.#parts.context.store.policies.newest();
    this.#ask("agents.heartbeat", { agent: agent_id, said: { hooks, mcp_servers: declared, policy_version } });
  }

  #change(change: Extract<Happening, { kind: "changed" }>["change"]): void {
    if ("redeclare" in change) return this.#redeclare(change.redeclare);
    const actor = this.#actor(change.by);
    if ("mode" in change) this.#ask("org.set_mode", { mode: change.mode, actor });
    else if ("policy" in change) this.#changePolicy(change.policy, actor);
    else this.#ask("compliance.enable", { framework: change.enable, actor });
  }

  #changePolicy(yaml: string, actor: Actor): void {
    this.#ask("policy.change", { yaml, actor });
    const policy_version = this.#parts.context.store.policies.newest();
    for (const [name] of this.#declared)
      this.#ask("agents.heartbeat", { agent: this.agent(name), said: { policy_version } });
  }

  #redeclare({ agent, server, tool, ...said }: { agent: string; server: string; tool: string }): void {
    const declared = this.#declared.get(agent)!.map(one => {
      if (one.name !== server) return one;
      return { ...one, tools: one.tools!.map(known => (known.name === tool ? { ...known, ...said } : known)) };
    });
    this.#declared.set(agent, declared);
    this.#ask("agents.heartbeat", { agent: this.agent(agent), said: { mcp_servers: declared } });
  }

  /** Judged, and reported unless it was stopped. */
  #call({ at_ms, agent, call, client, session, first }: Extract<Happening, { kind: "called" }>): void {
    const id = this.agent(agent.name);
    const asked =
      "shell" in call
        ? { type: "shell" as const, command: call.shell, client }
        : { type: "mcp" as const, server: call.server, tool: call.tool, args: call.args, client };
    const { decision, decision_id, enforced } = this.#run("policy.check", {
      agent: id,
      call: asked,
      session_id: session,
    }) as Output<"policy.check">;
    const common = { time: iso(at_ms), session_id: session, client };
    const action =
      "shell" in call
        ? { kind: "shell", command: call.shell }
        : { kind: "mcp", server: call.server, tool: call.tool, args: call.args };
    const type = "shell" in call ? "shell.exec" : "mcp.call";
    const stopped = enforced && (decision === "BLOCK" || decision === "ASK");
    const events = [
      ...(first ? [{ ...common, id: `${session}-start`, type: "session.start" }] : []),
      ...(stopped ? [] : [{ ...common, id: `${decision_id}-done`, type, action, decision, decision_id, exit_code: 0 }]),
    ];
    const bytes = new TextEncoder().encode(JSON.stringify(events));
    if (events.length > 0) this.#run("events.ingest", { agent: id, media: "json", encoding: "identity", bytes });
  }

  #scan({ project, pass, fail }: Extract<Happening, { kind: "scanned" }>["scan"]): void {
    const at = iso(this.#parts.clock.ms);
    const results = [
      ...pass.map(rule_id => ({ rule_id, status: "pass" })),
      ...fail.map(({ rule, path, line, message }) => ({
        rule_id: rule,
        status: "fail",
        location: { path, ...(line === undefined ? {} : { line }) },
        message,
      })),
    ];
    const uploaded = {
      project,
      tool: { name: "gatehouse comply", version: "0.1.0" },
      started_at: at,
      finished_at: at,
      results,
    };
    const bytes = new TextEncoder().encode(JSON.stringify(uploaded));
    const actor = this.#actor(this.#parts.scenario.visitor);
    this.#ask("scans.ingest", { scan: this.#read({ bytes, media: "json", encoding: "identity" }), actor });
  }

  #read(upload: ScanUpload): Output<"scans.read"> {
    const steps = readUpload.run(this.#parts.context, upload) as Generator<undefined, Output<"scans.read">>;
    let step = steps.next();
    while (!step.done) step = steps.next();
    return step.value;
  }

  #ask<Q extends Question>(question: Q, input: Input<Q>): void {
    this.#parts.context.store.commit(() => this.#run(question, input));
  }

  /** Inside a commit. */
  #run<Q extends Question>(question: Q, input: Input<Q>): unknown {
    const answer = questions[question] as Answer<unknown, unknown>;
    if (answer.mode !== "write") throw new Error(`${question} changes nothing`);
    return answer.run(this.#parts.context, input);
  }
}
