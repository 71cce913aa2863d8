import type { Mode } from "../policy/verdict.ts";

/**
 * What the log and the fleet say, counted once and used for every control. A part that was not looked at is null:
 * it can support nothing and fails nothing.
 */
export interface Figures {
  /** Log positions `[from, to)` that everything below was computed from. */
  log: { from: number; to: number };
  mode: Mode;
  /** `count` entries from the first were recomputed; `whole`: false while that has not been done to the end once. */
  chain: { valid: boolean; count: number; whole: boolean } | null;
  /** Entries received, and the calls judged among them. */
  events: { total: number } | null;
  decisions: { total: number; asked: number; blocked: number } | null;
  /** `ask_rules`, `block_rules`: rules in force with that decision. */
  policy: { version: number; ask_rules: number; block_rules: number; on_unreachable: "allow" | "ask" | "block" } | null;
  /** `lagging`: without the newest policy. `silent`: for 90 days. */
  agents: {
    total: number;
    stale: number;
    silent: number;
    lagging: number;
    hooked: number;
    unhooked_calls: number;
  } | null;
  /** `clashes`: names that differ in spelling only. `suspicious`: tools whose texts speak to the model behind people's backs. */
  servers: { observed: number; declared: number; clashes: number; suspicious: number } | null;
  drift: { open: number; high: number } | null;
  members: { total: number; admins: number; changes: number } | null;
  /** Null days: kept for ever. */
  retention: { days: number | null } | null;
  scans: { projects: number; newest_age_days: number } | null;
  /** Per control word of policy rules: rules in force, and calls they have matched. */
  tags: Readonly<Record<string, { rules: number; matched: number }>>;
}

/** What only the directory knows of an organisation. */
export interface People {
  members: number;
  admins: number;
  /** Null: bodies are kept for ever. */
  retention_days: number | null;
}

export type Strength = "met" | "partly" | "unmet" | "unknown";

/** One supporting fact: what is said, how strongly it holds, and the numbers and log positions behind it. */
export interface Evidence {
  kind: string;
  status: Strength;
  statement: string;
  figures: Record<string, number | string | boolean | null>;
  log: { from: number; to: number };
}

/** With `log` where other positions count than for the rest. */
type Finding = Pick<Evidence, "status" | "statement" | "figures"> & Partial<Pick<Evidence, "log">>;

const nothing = (statement: string): Finding => ({ status: "unknown", statement, figures: {} });
const days = 24 * 3600 * 1000;
const freshDays = 30;

function kept(atLeast: number) {
  return ({ retention }: Figures): Finding => {
    if (!retention) return nothing("How long the log is kept was not looked at.");
    const enough = retention.days === null || retention.days >= atLeast;
    const span = retention.days === null ? "without limit" : `${retention.days} days`;
    return {
      status: enough ? "met" : "unmet",
      statement: `The log's bodies are kept ${span}; ${atLeast} days are wanted.`,
      figures: { retention_days: retention.days, wanted_days: atLeast },
    };
  };
}

const judges = {
  "chain-verified": ({ chain }) => {
    if (!chain || chain.count === 0) return nothing("The hash chain has not been verified.");
    if (chain.valid && !chain.whole) return nothing(`The hash chain is being verified: ${chain.count} entries so far.`);
    return {
      status: chain.valid ? "met" : "unmet",
      statement: chain.valid ? `All ${chain.count} hashes of the chain verify.` : "The hash chain does not verify.",
      figures: { valid: chain.valid, entries: chain.count },
      log: { from: 0, to: chain.count },
    };
  },
  "actions-logged": ({ events }) => {
    if (!events?.total) return nothing("No agent has reported an action yet.");
    return { status: "met", statement: `${events.total} actions of agents are in the log.`, figures: { ...events } };
  },
  "decisions-logged": ({ decisions }) => {
    if (!decisions?.total) return nothing("No call has been judged yet.");
    return {
      status: "met",
      statement: `${decisions.total} calls were judged and logged, ${decisions.blocked} of them blocked.`,
      figures: { ...decisions },
    };
  },
  "enforcement-on": ({ mode, agents }) => {
    if (!agents?.total) return nothing("No agent is enrolled, so no verdict is enforced on anybody.");
    return {
      status: mode === "enforce" ? "met" : "partly",
      statement: mode === "enforce" ? "Verdicts are enforced." : "Verdicts are recorded but not enforced.",
      figures: { mode, agents: agents.total },
    };
  },
  "policy-versioned": ({ policy }) => {
    if (!policy || policy.version < 1) return nothing("No policy has been set.");
    return {
      status: "met",
      statement: `Policy version ${policy.version} is in force; every version is an entry of the log.`,
      figures: { version: policy.version },
    };
  },
  "approval-asked": ({ policy, decisions, mode }) => {
    if (!policy) return nothing("No policy has been looked at.");
    if (policy.ask_rules === 0) {
      return { status: "unmet", statement: "No rule in force asks a person.", figures: { ask_rules: 0 } };
    }
    return {
      status: mode === "enforce" ? "met" : "partly",
      statement: `${policy.ask_rules} rules in force ask a person first.`,
      figures: { ask_rules: policy.ask_rules, asked: decisions?.asked ?? 0, mode },
    };
  },
  "agents-enrolled": ({ agents }) => {
    if (!agents?.total) return nothing("No agent is enrolled.");
    return {
      status: agents.stale === 0 ? "met" : "partly",
      statement: `${agents.total} agents are enrolled, ${agents.stale} of them silent.`,
      figures: { total: agents.total, stale: agents.stale },
    };
  },
  "agents-hooked": ({ agents }) => {
    if (!agents?.total) return nothing("No agent is enrolled.");
    const whole = agents.hooked === agents.total && agents.unhooked_calls === 0;
    return {
      status: agents.hooked === 0 ? "unmet" : whole ? "met" : "partly",
      statement: `${agents.hooked} of ${agents.total} agents have a trusted hook; ${agents.unhooked_calls} calls passed none.`,
      figures: { total: agents.total, hooked: agents.hooked, unhooked_calls: agents.unhooked_calls },
    };
  },
  "agents-in-use": ({ agents }) => {
    if (!agents?.total) return nothing("No agent is enrolled.");
    return {
      status: agents.silent === 0 ? "met" : "unmet",
      statement: `${agents.silent} of ${agents.total} agents have been silent for 90 days.`,
      figures: { total: agents.total, silent: agents.silent },
    };
  },
  "agents-current": ({ agents, policy }) => {
    if (!agents?.total || !policy) return nothing("No agent is enrolled.");
    return {
      status: agents.lagging === 0 ? "met" : "partly",
      statement: `${agents.lagging} of ${agents.total} agents do not have policy version ${policy.version}.`,
      figures: { total: agents.total, lagging: agents.lagging, version: policy.version },
    };
  },
  "unreachable-answered": ({ policy }) => {
    if (!policy) return nothing("No policy has been looked at.");
    return {
      status: policy.on_unreachable === "allow" ? "unmet" : "met",
      statement: `An agent that cannot reach the server is told to ${policy.on_unreachable}.`,
      figures: { on_unreachable: policy.on_unreachable },
    };
  },
  "mcp-names-distinct": ({ servers }) => {
    if (!servers?.declared) return nothing("No MCP server is declared.");
    return {
      status: servers.clashes === 0 ? "met" : "unmet",
      statement: `${servers.clashes} names of declared MCP servers imitate another.`,
      figures: { declared: servers.declared, clashes: servers.clashes },
    };
  },
  "mcp-texts-clean": ({ servers }) => {
    if (!servers?.declared) return nothing("No MCP server is declared.");
    return {
      status: servers.suspicious === 0 ? "met" : "unmet",
      statement: `${servers.suspicious} declared tools hold hidden or instructing text.`,
      figures: { declared: servers.declared, suspicious: servers.suspicious },
    };
  },
  "mcp-inventory": ({ servers }) => {
    if (!servers || servers.declared + servers.observed === 0) return nothing("No MCP server was declared or seen.");
    return {
      status: "met",
      statement: `${servers.declared} MCP servers are declared, ${servers.observed} were seen in use.`,
      figures: { declared: servers.declared, observed: servers.observed },
    };
  },
  "mcp-no-drift": ({ servers, drift }) => {
    if (!drift || !servers || servers.declared + servers.observed === 0) {
      return nothing("Declared and observed MCP servers have not been compared.");
    }
    return {
      status: drift.high > 0 ? "unmet" : drift.open > 0 ? "partly" : "met",
      statement: `${drift.open} differences between declared and observed, ${drift.high} of them high.`,
      figures: { ...drift },
    };
  },
  "access-managed": ({ members }) => {
    if (!members?.total) return nothing("Members have not been looked at.");
    return {
      status: "met",
      statement: `${members.total} members, ${members.admins} of them admins; all ${members.changes} changes are in the log.`,
      figures: { ...members },
    };
  },
  "two-admins": ({ members }) => {
    if (!members?.total) return nothing("Members have not been looked at.");
    return {
      status: members.admins >= 2 ? "met" : "unmet",
      statement: `${members.admins} of ${members.total} members are admins.`,
      figures: { total: members.total, admins: members.admins },
    };
  },
  "logs-kept-6-months": kept(180),
  "logs-kept-12-months": kept(365),
  "scans-recent": ({ scans }) => {
    if (!scans?.projects) return nothing("Nothing has been scanned.");
    return {
      status: scans.newest_age_days <= freshDays ? "met" : "partly",
      statement: `${scans.projects} projects were scanned, the last time ${scans.newest_age_days} days ago.`,
      figures: { ...scans },
    };
  },
} satisfies Record<string, (figures: Figures) => Finding>;

export type EvidenceKind = keyof typeof judges;

/** The kinds of evidence a framework file may name. */
export const evidenceKinds = Object.keys(judges) as EvidenceKind[];

export function judgeEvidence(kind: EvidenceKind, figures: Figures): Evidence {
  return { kind, log: figures.log, ...judges[kind](figures) };
}

/** Do rules with this control word stand in force, for anybody? Recording without enforcing supports it partly. */
export function judgeTag(tag: string, { tags, mode, agents, log }: Figures): Evidence {
  const kind = `rules:${tag}`;
  const found = Object.hasOwn(tags, tag) ? tags[tag]! : { rules: 0, matched: 0 };
  if (found.rules === 0) return { kind, ...nothing(`No rule for ${tag} is in force.`), log };
  if (!agents?.total) return { kind, ...nothing(`No agent is enrolled that rules for ${tag} could stop.`), log };
  return {
    kind,
    status: mode === "enforce" ? "met" : "partly",
    statement: `${found.rules} rules for ${tag} are ${mode === "enforce" ? "enforced" : "only recorded"}; they matched ${found.matched} calls.`,
    figures: { ...found, mode },
    log,
  };
}

/** Whole days between two instants, never negative. */
export function ageInDays(then_ms: number, now_ms: number): number {
  return Math.max(0, Math.floor((now_ms - then_ms) / days));
}
