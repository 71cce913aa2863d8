import type { Ambient, Client, Event, Problem } from "./dialect.ts";
import { reading, timeOf } from "./event.ts";
import { readMetrics } from "./otlp-metrics.ts";
import { otlpToolCall, type ToolCallSeen } from "./otlp-tools.ts";
import { attributesOf, listOf, nanosToMs } from "./otlp-values.ts";
import { bounded, type Fields, fieldsOf, textOf } from "./payload.ts";

export type Signal = "logs" | "traces" | "metrics";

export interface Telemetry {
  events: Event[];
  /** Records that carry nothing an audit needs: model traffic, prompts, timings. */
  dropped: number;
}

/** What is needed besides the clock: agents that hash server names can only be understood by hashing the declared ones. */
export interface OtlpAmbient extends Ambient {
  sha256?: (text: string) => string;
}

export const eventsMax = 5000;

/**
 * OTLP/HTTP JSON of coding agents as audit events. An executed tool call gets the id of its after-hook where the agent
 * gives both the same call id, so that a call seen by hook and telemetry is stored once; otherwise it is a
 * `telemetry.tool_call`, which no count of calls includes. Everything else kept is `telemetry.<name>`.
 */
export function readOtlp(signal: Signal, body: unknown, ambient: OtlpAmbient): Telemetry | Problem {
  const groups =
    fieldsOf(body)?.[{ logs: "resourceLogs", traces: "resourceSpans", metrics: "resourceMetrics" }[signal]];
  if (!Array.isArray(groups)) return { problem: `the body is not an OTLP ${signal} request` };
  const found = groups.map(group => readGroup(signal, fieldsOf(group) ?? {}, ambient));
  const events = unique(found.flatMap(each => each.events));
  const over = Math.max(0, events.length - eventsMax);
  return { events: events.slice(0, eventsMax), dropped: found.reduce((sum, each) => sum + each.dropped, over) };
}

function readGroup(signal: Signal, group: Fields, ambient: OtlpAmbient): Telemetry {
  const resource = attributesOf(fieldsOf(group["resource"])?.["attributes"]);
  const client = clientOf(textOf(resource["service.name"]));
  if (signal === "metrics") return readMetrics(group, client, ambient);
  const [scopes, items] = signal === "logs" ? ["scopeLogs", "logRecords"] : ["scopeSpans", "spans"];
  const records = listOf(group[scopes!]).flatMap(scope => listOf(fieldsOf(scope)?.[items!]));
  const events = client
    ? records.flatMap(record => readRecord(signal, client, resource, fieldsOf(record) ?? {}, ambient))
    : [];
  return { events, dropped: records.length - events.length };
}

const services: [RegExp, Client][] = [
  [/^claude-code/, "claude-code"],
  [/^codex/, "codex"],
  [/^gemini-cli/, "gemini-cli"],
  [/^github-copilot/, "copilot-cli"],
  [/^qwen-code/, "qwen-code"],
];
const clientOf = (service = ""): Client | undefined => services.find(([name]) => name.test(service))?.[1];

/** Events worth keeping besides tool calls: what the agent loaded, connected to, was allowed, and where it failed. */
const kept = new Set([
  "tool_decision",
  "mcp_server_connection",
  "hook_registered",
  "plugin_loaded",
  "managed_settings_resolved",
  "api_error",
  "codex.conversation_starts",
  "codex.tool_decision",
  "gemini_cli.config",
  "gemini_cli.hook_call",
  "qwen-code.config",
]);
const noise = /^(user\.|terminal\.|event\.(name|timestamp)$|gen_ai\.|auth\.|process\.|organization\.)/;

function readRecord(signal: Signal, client: Client, resource: Fields, record: Fields, ambient: OtlpAmbient): Event[] {
  const attributes = attributesOf(record["attributes"]);
  const name = signal === "logs" ? textOf(attributes["event.name"]) : textOf(record["name"]);
  if (!name) return [];
  const seen: ToolCallSeen = {
    client,
    name,
    attributes,
    resource,
    record,
    session_id: sessionOf(attributes, resource),
  };
  const call = otlpToolCall(seen, ambient);
  if (call) return [call];
  return signal === "logs" && kept.has(name) ? [other(seen, ambient)] : [];
}

export const sessionOf = (attributes: Fields, resource: Fields = {}): string | undefined =>
  ["session.id", "conversation.id", "gen_ai.conversation.id"]
    .map(key => textOf(attributes[key]) ?? textOf(resource[key]))
    .find(id => id !== undefined);

/** Sent again, a record keeps its id: the agent's own sequence number, else the time it was observed. */
function other(seen: ToolCallSeen, ambient: Ambient): Event {
  const { client, name, attributes, record, session_id } = seen;
  const short = name.replace(/^[a-z_-]+\./, "");
  const order = attributes["event.sequence"] ?? record["observedTimeUnixNano"] ?? record["timeUnixNano"];
  const facts = Object.entries(attributes).filter(
    ([key]) => !noise.test(key) && key !== "session.id" && key !== "conversation.id",
  );
  const { event } = reading(
    {
      client,
      phase: "other",
      hook: `${short}.${String(order ?? "")}`,
      type: `telemetry.${short}`,
      session_id,
      time_ms: timeOf(attributes["event.timestamp"]) ?? nanosToMs(record["timeUnixNano"]),
      attributes: bounded(Object.fromEntries(facts)) as Fields,
    },
    ambient,
  );
  const id = `otel:${client}:${session_id ?? ""}:${short}:${String(order ?? "")}`;
  return order !== undefined && /^[A-Za-z0-9._:-]{1,128}$/.test(id) ? { ...event, id } : event;
}

const unique = (events: Event[]): Event[] => [...new Map(events.map(event => [event.id, event])).values()];
