import type { Decision } from "../policy/verdict.ts";
import { isStateKind } from "./kinds.ts";
import type { AuditRecord } from "./record.ts";

/**
 * Maps entries of the log to OCSF 1.8 (https://schema.ocsf.io). Which class, and why:
 * - a shell command, run or judged → Process Activity (1007): it is a launch, or the request for one;
 * - an MCP, file or network tool call, run or judged → API Activity (6003): a named operation of a service;
 * - a verdict adds the Security Control profile (`action_id`, `disposition_id`, `is_alert`) to that activity instead of
 *   becoming a Detection Finding: findings have a life of updates, a verdict is an atomic alert, and the schema asks
 *   for the profile there;
 * - a session's start and end → Application Lifecycle (6002); a scan → Scan Activity (6007);
 * - drift → Detection Finding (2004), which does have a life;
 * - a change of the organisation (member, policy, agent, framework …) → Entity Management (3004);
 * - everything else → Base Event (0). What has no place in the class goes to `unmapped`.
 */
export const ocsfVersion = "1.8.0";

export interface OcsfProduct {
  name: string;
  vendor_name: string;
  version: string;
}

export type OcsfEvent = Record<string, unknown> & { class_uid: number; activity_id: number; type_uid: number };

interface Mapped {
  class_uid: number;
  class_name: string;
  activity_id: number;
  activity_name: string;
  more: Record<string, unknown>;
}

const categories: Record<number, string> = {
  0: "Uncategorized",
  1: "System Activity",
  2: "Findings",
  3: "Identity & Access Management",
  6: "Application Activity",
};

/** One entry as an OCSF event. */
export function toOcsf(record: AuditRecord, product: OcsfProduct): OcsfEvent {
  const { class_uid, class_name, activity_id, activity_name, more } = mapRecord(record);
  const category_uid = Math.floor(class_uid / 1000);
  const time = Date.parse(record.time ?? record.received_at);
  return {
    class_uid,
    class_name,
    category_uid,
    category_name: categories[category_uid]!,
    activity_id,
    activity_name,
    type_uid: class_uid * 100 + activity_id,
    type_name: `${class_name}: ${activity_name}`,
    time: Number.isFinite(time) ? time : Date.parse(record.received_at),
    ...severity(record),
    ...outcome(record),
    ...(record.duration_ms !== undefined && { duration: whole(record.duration_ms) }),
    metadata: metadata(record, product),
    ...more,
    ...verdict(record),
    unmapped: unmapped(record),
  };
}

/** NDJSON, a line at a time. */
export function* toOcsfLines(records: Iterable<AuditRecord>, product: OcsfProduct): Generator<string> {
  for (const record of records) yield `${JSON.stringify(toOcsf(record, product))}\n`;
}

function mapRecord(record: AuditRecord): Mapped {
  const { type, action } = record;
  if (type === "session.start" || type === "session.end") return session(record);
  if (type === "scan.ingested") return scan(record);
  if (type.startsWith("drift.") && !isStateKind(type)) return finding(record);
  if (action?.kind === "shell" || type === "shell.exec") return launch(record);
  if (action?.kind !== undefined) return apiCall(record);
  if (isStateKind(type)) return entityChange(record);
  return {
    class_uid: 0,
    class_name: "Base Event",
    activity_id: 99,
    activity_name: type,
    more: { message: `${type} reported by ${record.agent_id ?? "the server"}` },
  };
}

function launch(record: AuditRecord): Mapped {
  const { action, exit_code } = record;
  return {
    class_uid: 1007,
    class_name: "Process Activity",
    activity_id: 1,
    activity_name: "Launch",
    more: {
      actor: actor(record),
      device: device(record),
      process: {
        uid: record.tool_use_id ?? record.id ?? String(record.seq),
        ...(action?.command !== undefined && { cmd_line: action.command }),
        ...(action?.cwd !== undefined && { working_directory: action.cwd }),
      },
      ...(exit_code !== undefined && int32(exit_code) && { exit_code: exit_code | 0 }),
    },
  };
}

function apiCall(record: AuditRecord): Mapped {
  const { action, agent_id } = record;
  return {
    class_uid: 6003,
    class_name: "API Activity",
    activity_id: 99,
    activity_name: "Call",
    more: {
      actor: actor(record),
      api: {
        operation: action?.tool || action?.kind || "call",
        ...(action?.server !== undefined && { service: { name: action.server } }),
        request: { uid: record.tool_use_id ?? record.id ?? String(record.seq), ...data(action?.args) },
      },
      src_endpoint: { uid: agent_id ?? "unknown" },
      ...(action?.server !== undefined && { dst_endpoint: { svc_name: action.server } }),
    },
  };
}

function session(record: AuditRecord): Mapped {
  const start = record.type === "session.start";
  return {
    class_uid: 6002,
    class_name: "Application Lifecycle",
    activity_id: start ? 3 : 4,
    activity_name: start ? "Start" : "Stop",
    more: { app: { name: record.client ?? "agent", uid: record.session_id ?? record.agent_id ?? "unknown" } },
  };
}

function scan(record: AuditRecord): Mapped {
  const id = record.attributes?.["scan_id"] ?? record.id ?? String(record.seq);
  return {
    class_uid: 6007,
    class_name: "Scan Activity",
    activity_id: 2,
    activity_name: "Completed",
    more: { scan: { type_id: 0, uid: String(id), name: "Compliance scan" } },
  };
}

function finding(record: AuditRecord): Mapped {
  const kind = record.type.slice("drift.".length);
  return {
    class_uid: 2004,
    class_name: "Detection Finding",
    activity_id: 1,
    activity_name: "Create",
    more: {
      finding_info: { uid: record.id ?? record.hash, title: `MCP drift: ${kind}` },
      ...(record.agent_id != null && { resources: [{ uid: record.agent_id, type: "agent" }] }),
    },
  };
}

const changes: [pattern: RegExp, id: number, name: string][] = [
  [/\.(created|invited|joined|registered|enabled)$/, 1, "Create"],
  [/\.(removed|revoked|disabled|withdrawn|bodies_erased)$/, 4, "Delete"],
  [/./, 3, "Update"],
];

function entityChange(record: AuditRecord): Mapped {
  const [, activity_id, activity_name] = changes.find(([pattern]) => pattern.test(record.type))!;
  const type = record.type.split(".")[0]!;
  const uid = ["agent_id", "member_id", "framework", "org_id", "id"]
    .map(name => record.attributes?.[name])
    .find(isText);
  return {
    class_uid: 3004,
    class_name: "Entity Management",
    activity_id,
    activity_name,
    more: { actor: actor(record), entity: { type, name: type, ...(uid !== undefined && { uid }) } },
  };
}

/** OCSF's long_t. */
const whole = (value: number) => Math.min(Math.round(value), Number.MAX_SAFE_INTEGER);

/** OCSF's integer_t is signed; Windows' exit codes are the same 32 bits without a sign. A larger one stands in `status_code` alone. */
const int32 = (value: number) => value >= -(2 ** 31) && value < 2 ** 32;

const isText = (value: unknown): value is string => typeof value === "string";

/** Who did it: a person, or the agent's client on behalf of one. At least one member, as the schema asks. */
function actor(record: AuditRecord): Record<string, unknown> {
  const user = typeof record.actor === "string" ? { uid: record.actor } : personOf(record.actor);
  return {
    app_name: record.client ?? "gatehouse",
    ...(record.agent_id != null && { app_uid: record.agent_id }),
    ...(user && { user }),
    ...(record.session_id !== undefined && { session: { uid: record.session_id } }),
  };
}

function personOf(actor: unknown): { uid?: string; name?: string } | undefined {
  if (typeof actor !== "object" || actor === null) return undefined;
  const { id, name } = actor as { id?: unknown; name?: unknown };
  if (typeof id !== "string" && typeof name !== "string") return undefined;
  return { ...(typeof id === "string" && { uid: id }), ...(typeof name === "string" && { name }) };
}

const device = (record: AuditRecord) => ({ type_id: 0, type: "Unknown", uid: record.agent_id ?? "unknown" });

const data = (value: unknown) => (value === undefined ? {} : { data: value });

function metadata(record: AuditRecord, product: OcsfProduct): Record<string, unknown> {
  return {
    version: ocsfVersion,
    product,
    uid: record.id ?? String(record.seq),
    sequence: record.seq,
    event_code: record.type,
    log_name: "audit",
    logged_time: Date.parse(record.received_at),
    ...(record.time !== undefined && { original_time: record.time }),
    ...(record.trace_id !== undefined && { correlation_uid: record.trace_id }),
    ...(record.decision !== undefined && { profiles: ["security_control"] }),
  };
}

const severities: Record<Decision, [number, string]> = {
  ALLOW: [1, "Informational"],
  WARN: [2, "Low"],
  ASK: [3, "Medium"],
  BLOCK: [4, "High"],
};

function severity({ decision, type }: AuditRecord): Record<string, unknown> {
  const [severity_id, name] = decision
    ? severities[decision]
    : type.startsWith("drift.") && !isStateKind(type)
      ? [3, "Medium"]
      : [1, "Informational"];
  return { severity_id, severity: name };
}

function outcome({ exit_code }: AuditRecord): Record<string, unknown> {
  if (exit_code === undefined) return {};
  return exit_code === 0
    ? { status_id: 1, status: "Success" }
    : { status_id: 2, status: "Failure", status_code: String(exit_code) };
}

type Outcome = [action_id: number, action: string, disposition_id: number, disposition: string];

/**
 * The pairs the Security Control profile names as conforming: `Alert` and `Detected` go with `Observed`. Nothing in it says that a
 * person was asked, so that is `Other` in the source's own words.
 */
const outcomes: Record<Decision, Outcome> = {
  ALLOW: [1, "Allowed", 1, "Allowed"],
  WARN: [3, "Observed", 19, "Alert"],
  ASK: [99, "Asked", 99, "Asked"],
  BLOCK: [2, "Denied", 2, "Blocked"],
};
const detected: Outcome = [3, "Observed", 15, "Detected"];

/** In `audit-only` nothing was stopped: what would have been is `Detected`. */
function verdict({ decision, rules, attributes }: AuditRecord): Record<string, unknown> {
  if (decision === undefined) return {};
  const watched = attributes?.["enforced"] === false && decision !== "ALLOW";
  const [action_id, action, disposition_id, disposition] = watched ? detected : outcomes[decision];
  return {
    action_id,
    action,
    disposition_id,
    disposition,
    is_alert: decision !== "ALLOW",
    policy: { name: "organisation policy", ...(rules?.length && { desc: rules.join(", ") }) },
  };
}

function unmapped(record: AuditRecord): Record<string, unknown> {
  const { decision, decision_id, rules, hash, attributes } = record;
  return { leaf_hash: hash, decision, decision_id, rules, attributes };
}
