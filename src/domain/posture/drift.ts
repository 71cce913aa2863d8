import type { Severity } from "../policy/verdict.ts";
import { annotationChanges } from "./annotation-change.ts";
import { schemaChanges, schemaTexts } from "./schema-change.ts";
import { textChange } from "./text-change.ts";
import { isDetailed, nameKey, type ToolDefinition } from "./tool.ts";

export const driftKinds = [
  "undeclared_server",
  "undeclared_tool",
  "unused_server",
  "description_changed",
  "schema_changed",
  "annotation_changed",
  "unhooked_call",
] as const;
export type DriftKind = (typeof driftKinds)[number];

/** One difference between what was declared and what was seen. Times are Unix ms. */
export interface Drift {
  kind: DriftKind;
  severity: Severity;
  agent_id: string;
  server: string;
  tool?: string;
  detail: string;
  first_seen_ms: number;
  last_seen_ms: number;
  count: number;
}

/** What an installation says it has. `servers` empty: it says that it has none. */
export interface Declaration {
  agent_id: string;
  servers: DeclaredServer[];
}

export interface DeclaredServer {
  name: string;
  tools?: readonly ToolDefinition[];
  /** When it was first declared, and declared last. */
  first_seen_ms: number;
  last_seen_ms: number;
}

/** What an installation declares now, each server once, with the times that are known of it. */
export function declaration(
  agent_id: string,
  servers: readonly Pick<DeclaredServer, "name" | "tools">[],
  times: readonly DeclaredTimes[],
): Declaration {
  const named = new Map(servers.toReversed().map(server => [server.name, server]));
  return {
    agent_id,
    servers: times.flatMap(seen => {
      const server = named.get(seen.name);
      return server ? [{ ...seen, ...(server.tools && { tools: server.tools }) }] : [];
    }),
  };
}

export type DeclaredTimes = Pick<DeclaredServer, "name" | "first_seen_ms" | "last_seen_ms">;

/** Calls that were seen, per agent, server and tool. */
export interface ObservedCalls {
  agent_id: string;
  server: string;
  tool: string;
  calls: number;
  first_seen_ms: number;
  last_seen_ms: number;
}

/** The definition a tool had when it was first declared (or last accepted), and how often it changed since. */
export interface ToolBaseline {
  agent_id: string;
  server: string;
  definition: ToolDefinition;
  /** Of the definition it has now (`toolFingerprint`). */
  fingerprint: string;
  changes: number;
  changed_first_ms: number;
  changed_last_ms: number;
}

export interface DriftInput {
  declared: readonly Declaration[];
  observed: readonly ObservedCalls[];
  baselines: readonly ToolBaseline[];
  /** Calls that telemetry saw and no hook announced; `server` is empty for shell commands. */
  unhooked: readonly ObservedCalls[];
  /** Differences last seen before this moment are no longer told; what is unused always is. */
  since_ms?: number;
}

const rank: Record<Severity, number> = { critical: 3, high: 2, medium: 1, low: 0 };

/** All differences, the heaviest first, then the newest. */
export function drift({ declared, observed, baselines, unhooked, since_ms = 0 }: DriftInput): Drift[] {
  const byAgent = new Map(declared.map(d => [d.agent_id, d.servers]));
  const seen = [
    ...undeclared(byAgent, observed),
    ...baselines.flatMap(baseline => redefined(baseline, byAgent)),
    ...unhooked.map(unhookedCall),
  ].filter(difference => difference.last_seen_ms >= since_ms);
  const used = new Map<string, Set<string>>();
  for (const { agent_id, server } of observed) {
    if (!used.has(agent_id)) used.set(agent_id, new Set());
    used.get(agent_id)!.add(server);
  }
  return [...seen, ...declared.flatMap(d => unused(d, used.get(d.agent_id) ?? new Set()))].sort(
    (a, b) =>
      rank[b.severity] - rank[a.severity] || b.last_seen_ms - a.last_seen_ms || (driftKey(a) < driftKey(b) ? -1 : 1),
  );
}

/** What makes two reports the same difference. */
const driftKey = (d: Pick<Drift, "kind" | "agent_id" | "server" | "tool">): string =>
  [d.kind, d.agent_id, d.server, d.tool ?? ""].join("\n");

function findServer<S extends { name: string }>(servers: readonly S[], name: string): S | undefined {
  return servers.find(s => s.name === name) ?? findAlike(servers, name);
}

/** The one whose name differs in spelling only. */
function findAlike<T extends { name: string }>(all: readonly T[], name: string): T | undefined {
  const key = nameKey(name);
  return all.find(each => nameKey(each.name) === key);
}

function undeclared(byAgent: ReadonlyMap<string, DeclaredServer[]>, observed: readonly ObservedCalls[]): Drift[] {
  const servers = new Map<string, Drift>();
  const tools: Drift[] = [];
  for (const seen of observed) {
    const declared = byAgent.get(seen.agent_id);
    const server = findServer(declared ?? [], seen.server);
    if (!server) merge(servers, undeclaredServer(seen, declared !== undefined));
    else if (
      server.tools?.length &&
      !server.tools.some(t => t.name === seen.tool) &&
      !findAlike(server.tools, seen.tool)
    ) {
      tools.push({
        ...span(seen),
        kind: "undeclared_tool",
        severity: "medium",
        detail: "was called but is not declared",
      });
    }
  }
  return [...servers.values(), ...tools];
}

function span({ agent_id, server, tool, first_seen_ms, last_seen_ms, calls }: ObservedCalls) {
  return { agent_id, server, ...(tool !== "" && { tool }), first_seen_ms, last_seen_ms, count: calls };
}

/** An installation that declares nothing at all is less of a surprise than one that leaves a server out. */
function undeclaredServer(seen: ObservedCalls, declares: boolean): Drift {
  const { tool: _, ...rest } = span(seen);
  const detail = declares ? "was called but is not declared" : "was called; the installation declares no servers";
  return { ...rest, kind: "undeclared_server", severity: declares ? "high" : "medium", detail };
}

function merge(into: Map<string, Drift>, drift: Drift): void {
  const at = `${drift.agent_id}\n${drift.server}`;
  const known = into.get(at);
  if (!known) return void into.set(at, drift);
  known.count += drift.count;
  known.first_seen_ms = Math.min(known.first_seen_ms, drift.first_seen_ms);
  known.last_seen_ms = Math.max(known.last_seen_ms, drift.last_seen_ms);
}

function unused({ agent_id, servers }: Declaration, seen: ReadonlySet<string>): Drift[] {
  const used = new Set([...seen].map(nameKey));
  return servers
    .filter(server => !used.has(nameKey(server.name)))
    .map(({ name, first_seen_ms, last_seen_ms }) => ({
      kind: "unused_server",
      severity: "low",
      agent_id,
      server: name,
      detail: "is declared but was never called",
      first_seen_ms,
      last_seen_ms,
      count: 1,
    }));
}

/** How an installation describes a tool. */
export const declaredTool = (
  servers: readonly Pick<DeclaredServer, "name" | "tools">[],
  server: string,
  tool: string,
): ToolDefinition | undefined => findServer(servers, server)?.tools?.find(each => each.name === tool);

/** Compares a tool's definition now with the one people knew. A tool that is gone, or now bare, is no change. */
function redefined(baseline: ToolBaseline, byAgent: ReadonlyMap<string, DeclaredServer[]>): Drift[] {
  const now = declaredTool(byAgent.get(baseline.agent_id) ?? [], baseline.server, baseline.definition.name);
  if (!now || !isDetailed(now) || !isDetailed(baseline.definition)) return [];
  return compareTools(baseline.definition, now).map(change => ({
    ...change,
    agent_id: baseline.agent_id,
    server: baseline.server,
    tool: baseline.definition.name,
    first_seen_ms: baseline.changed_first_ms,
    last_seen_ms: baseline.changed_last_ms,
    count: baseline.changes,
  }));
}

/** At most one finding of each kind: its severity is the heaviest, its detail says everything. */
export function compareTools(
  before: ToolDefinition,
  after: ToolDefinition,
): Pick<Drift, "kind" | "severity" | "detail">[] {
  const texts = [before, after].map(t => [t.title ?? "", t.description ?? "", schemaTexts(t.input_schema)].join("\n"));
  const text = textChange(texts[0]!, texts[1]!);
  const schemasKnown = before.input_schema !== undefined && after.input_schema !== undefined;
  const schema = schemasKnown ? schemaChanges(before.input_schema, after.input_schema) : [];
  return [
    ...gather("description_changed", text ? [text] : []),
    ...gather("schema_changed", schema),
    ...gather("annotation_changed", annotationChanges(before, after)),
  ];
}

function gather(kind: DriftKind, changes: { severity: Severity; detail: string }[]) {
  if (changes.length === 0) return [];
  const sorted = changes.toSorted((a, b) => rank[b.severity] - rank[a.severity]);
  const shown = sorted.slice(0, 5).map(c => c.detail);
  if (sorted.length > shown.length) shown.push(`${sorted.length - shown.length} more`);
  return [{ kind, severity: sorted[0]!.severity, detail: shown.join("; ") }];
}

export function unhookedCall(seen: ObservedCalls): Drift {
  return {
    ...span(seen),
    kind: "unhooked_call",
    severity: "high",
    detail: seen.server === "" ? "a command ran that no hook announced" : "was called without a hook announcing it",
  };
}
