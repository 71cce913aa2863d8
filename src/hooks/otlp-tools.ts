import type { World } from "../domain/policy/verdict.ts";
import type { Client, Event } from "./dialect.ts";
import { reading, timeOf } from "./event.ts";
import { splitMcpName } from "./mcp-name.ts";
import type { OtlpAmbient } from "./otlp.ts";
import { looseNumber, looseTrue, nanosToMs } from "./otlp-values.ts";
import { argumentsOf, type Fields, present, textOf } from "./payload.ts";
import { type Described, describeMcp, describeTool } from "./tools.ts";

export interface ToolCallSeen {
  client: Client;
  name: string;
  attributes: Fields;
  resource: Fields;
  record: Fields;
  session_id: string | undefined;
}

interface Told {
  described: Described;
  /** The id the agent's hooks carry too; absent where hook and telemetry share none. */
  tool_use_id?: string | undefined;
  /** Makes the event's id where there is no shared one. */
  own_id?: string | undefined;
  failed: boolean;
  exit_code?: number | undefined;
}

type Reader = (seen: ToolCallSeen, ambient: OtlpAmbient) => Told | undefined;

/** One executed tool call, or nothing if the record is about something else or the call was refused. */
export function otlpToolCall(seen: ToolCallSeen, ambient: OtlpAmbient): Event | undefined {
  const told = readers[seen.client]?.(seen, ambient);
  if (!told) return undefined;
  const { client, attributes, record, session_id } = seen;
  const shared = told.tool_use_id !== undefined;
  const { event } = reading(
    {
      client,
      phase: "after",
      hook: "otlp",
      ...(shared ? {} : { type: "telemetry.tool_call" }),
      session_id,
      tool_use_id: told.tool_use_id,
      trace_id: textOf(record["traceId"]),
      time_ms:
        timeOf(attributes["event.timestamp"]) ??
        nanosToMs(record["timeUnixNano"]) ??
        nanosToMs(record["endTimeUnixNano"]),
      exit_code: told.exit_code,
      duration_ms: looseNumber(attributes["duration_ms"]) ?? spanMs(record),
      action: told.described.action,
      attributes: { source: "otlp", ...(told.failed ? { failed: true } : {}) },
    },
    ambient,
  );
  const own_id = told.own_id ?? momentOf(seen, event);
  const id = `otel:${client}:${own_id}`;
  return !shared && own_id && /^[A-Za-z0-9._:-]{1,128}$/.test(id) ? { ...event, id } : event;
}

/** Sent again, a call without any id is known by its session, its tool and the nanosecond it was told at. */
function momentOf({ record, session_id = "" }: ToolCallSeen, { action }: Event): string | undefined {
  const nanos = record["timeUnixNano"] ?? record["observedTimeUnixNano"] ?? record["startTimeUnixNano"];
  return nanos === undefined ? undefined : `${session_id}:${action?.tool ?? action?.kind ?? ""}:${String(nanos)}`;
}

const claudeCode: Reader = ({ client, name, attributes }) => {
  if (name !== "tool_result") return undefined;
  const world: World = { client };
  const input = argumentsOf(attributes["tool_input"]);
  const parameters = argumentsOf(attributes["tool_parameters"]);
  const server = textOf(parameters["mcp_server_name"]);
  const tool = textOf(parameters["mcp_tool_name"]);
  const command = textOf(parameters["full_command"]);
  const described =
    server && tool
      ? describeMcp(server, tool, input, world)
      : describeTool(textOf(attributes["tool_name"]) ?? "unknown", command ? { command, ...input } : input, world);
  return { described, tool_use_id: textOf(attributes["tool_use_id"]), failed: !looseTrue(attributes["success"]) };
};

/** A call refused before it ran has no process and no output of its own. */
const refused = /\bRejected\(|rejected by/i;

const codex: Reader = ({ client, name, attributes }) => {
  if (name !== "codex.tool_result") return undefined;
  const output = textOf(attributes["output"]) ?? "";
  const failed = !looseTrue(attributes["success"]);
  if (failed && refused.test(output)) return undefined;
  const tool = textOf(attributes["tool_name"]) ?? "unknown";
  const server = textOf(attributes["mcp_server"]);
  const input = argumentsOf(attributes["arguments"]);
  const exit = /exited with code (\d{1,3})/.exec(output)?.[1];
  return {
    described: server ? describeMcp(server, tool, input, { client }) : describeTool(tool, input, { client }),
    tool_use_id: textOf(attributes["call_id"]),
    failed,
    exit_code: exit ? Number(exit) : undefined,
  };
};

/** Gemini's hooks carry no call id; its log and its span share the trace id, so that one id serves both. */
const geminiCli: Reader = ({ client, name, attributes, record }, ambient) => {
  const log = /^(gemini_cli|qwen-code)\.tool_call$/.test(name);
  if (!log && !(name === "tool_call" && attributes["gen_ai.tool.name"])) return undefined;
  if (log && textOf(attributes["decision"]) === "reject") return undefined;
  const tool = textOf(attributes["function_name"]) ?? textOf(attributes["gen_ai.tool.name"]) ?? "unknown";
  const known = textOf(attributes["mcp_server_name"]);
  const servers = known ? [{ name: known }] : ambient.servers;
  const split = tool.startsWith("mcp_")
    ? splitMcpName(tool.replace(/^mcp__?/, ""), tool.startsWith("mcp__") ? "__" : "_", servers)
    : undefined;
  return {
    described: split ? describeMcp(split.server, split.tool, {}, { client }) : describeTool(tool, {}, { client }),
    own_id: textOf(record["traceId"]) ? `${textOf(record["traceId"])}:tool` : undefined,
    failed: log && !looseTrue(attributes["success"]),
  };
};

/** Copilot's hooks share only the trace id, which spans the whole turn; MCP names are SHA-256 hashes. */
const copilotCli: Reader = ({ client, attributes, record }, ambient) => {
  if (attributes["gen_ai.operation.name"] !== "execute_tool" || attributes["error.type"] === "denied") return undefined;
  const tool = textOf(attributes["gen_ai.tool.name"]) ?? "unknown";
  const hash = textOf(attributes["github.copilot.tool.parameters.mcp_server_name_hash"]);
  const server = hash ? ambient.servers?.find(each => ambient.sha256?.(each.name) === hash)?.name : undefined;
  const toolName = hash ? (tool.split("/")[1] ?? tool) : tool;
  return {
    described: hash
      ? describeMcp(server, toolName, present({ server_hash: server ? undefined : hash }) as Fields, { client })
      : describeTool(tool, {}, { client }),
    own_id: textOf(record["spanId"]) ? `${textOf(record["traceId"]) ?? ""}:${textOf(record["spanId"])}` : undefined,
    failed: attributes["error.type"] !== undefined,
    exit_code: looseNumber(attributes["process.exit.code"]),
  };
};

const readers: Partial<Record<Client, Reader>> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  "qwen-code": geminiCli,
  "copilot-cli": copilotCli,
};

function spanMs(record: Fields): number | undefined {
  const start = nanosToMs(record["startTimeUnixNano"]);
  const end = nanosToMs(record["endTimeUnixNano"]);
  return start !== undefined && end !== undefined ? end - start : undefined;
}
