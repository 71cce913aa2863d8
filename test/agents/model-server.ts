import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What the stand-in model lets the agent do next. `namespace` is how Codex names an MCP server's tools. */
export interface Step {
  tool: string;
  input: Record<string, unknown>;
  namespace?: string;
}

export interface ModelServer {
  url: string;
  close(): void;
}

type Json = Record<string, unknown>;
type Reply = (request: { path: string; body: Json; step: Step | undefined; n: number }) => Json[] | Json;

const usage = { input_tokens: 1, output_tokens: 1 };

/** Anthropic Messages, as server-sent events. */
const messages: Reply = ({ body, step, n }) => {
  const block = step
    ? { type: "tool_use", id: `toolu_${n}`, name: step.tool, input: step.input }
    : { type: "text", text: "done" };
  const stop_reason = step ? "tool_use" : "end_turn";
  const base = { id: `msg_${n}`, type: "message", role: "assistant", model: body["model"], stop_sequence: null, usage };
  if (!body["stream"]) return { ...base, content: [block], stop_reason };
  const delta = step
    ? { type: "input_json_delta", partial_json: JSON.stringify(step.input) }
    : { type: "text_delta", text: "done" };
  return [
    { type: "message_start", message: { ...base, content: [], stop_reason: null } },
    {
      type: "content_block_start",
      index: 0,
      content_block: step ? { ...block, input: {} } : { type: "text", text: "" },
    },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason, stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
};

/** OpenAI Responses. */
const responses: Reply = ({ step, n }) => {
  const call = step && {
    type: "function_call",
    id: `fc_${n}`,
    call_id: `call_${n}`,
    name: step.tool,
    arguments: JSON.stringify(step.input),
  };
  const text = { type: "message", id: `m_${n}`, role: "assistant", content: [{ type: "output_text", text: "done" }] };
  const item = call ? { ...call, ...(step?.namespace ? { namespace: step.namespace } : {}) } : text;
  const counted = { ...usage, input_tokens_details: null, output_tokens_details: null, total_tokens: 2 };
  return [
    { type: "response.created", response: { id: `resp_${n}` } },
    { type: "response.output_item.done", output_index: 0, item },
    { type: "response.completed", response: { id: `resp_${n}`, usage: counted } },
  ];
};

/** OpenAI Chat Completions. */
const completions: Reply = ({ body, step, n }) => {
  const chunk = (delta: Json, finish_reason: string | null) => ({
    id: `c${n}`,
    object: "chat.completion.chunk",
    created: 1,
    model: body["model"],
    choices: [{ index: 0, delta, finish_reason }],
  });
  const call = step && {
    index: 0,
    id: `call_${n}`,
    type: "function",
    function: { name: step.tool, arguments: JSON.stringify(step.input) },
  };
  const delta = call ? { role: "assistant", tool_calls: [call] } : { role: "assistant", content: "done" };
  const counted = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
  if (!body["stream"])
    return {
      id: "c",
      object: "chat.completion",
      created: 1,
      model: body["model"],
      choices: [{ index: 0, message: { role: "assistant", content: "done" }, finish_reason: "stop" }],
      usage: counted,
    };
  return [
    chunk(delta, null),
    chunk({}, step ? "tool_calls" : "stop"),
    { ...chunk({}, null), choices: [], usage: counted },
  ];
};

/** Gemini generateContent. */
const gemini: Reply = ({ path, step }) => {
  const part = step ? { functionCall: { name: step.tool, args: step.input } } : { text: "done" };
  const whole = {
    candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
  return path.includes("stream") ? [whole] : whole;
};

const protocols: [path: RegExp, reply: Reply, named: boolean][] = [
  [/\/messages$/, messages, true],
  [/\/responses$/, responses, true],
  [/\/chat\/completions$/, completions, false],
  [/models\/.*:(stream)?[gG]enerateContent/, gemini, false],
];

/** A model that plays `plan` step by step to whoever offers it tools, then says it is done. */
export async function startModel(plan: readonly Step[]): Promise<ModelServer> {
  let n = 0;
  const server = createServer(async (request, response) => {
    const body = await readJson(request);
    const path = request.url!.split("?")[0]!;
    const found = protocols.find(([pattern]) => pattern.test(path));
    if (!found) return void json(response, path.endsWith("/count_tokens") ? { input_tokens: 1 } : {});
    const tools = Array.isArray(body["tools"]) && body["tools"].length > 0;
    const reply = found[1]({ path, body, step: tools ? plan[n] : undefined, n: tools ? ++n : 0 });
    if (Array.isArray(reply)) stream(response, reply, found[2], found[1] === completions);
    else json(response, reply);
  });
  await new Promise<void>(done => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => (server.closeAllConnections(), server.close()),
  };
}

async function readJson(request: IncomingMessage): Promise<Json> {
  let text = "";
  for await (const chunk of request) text += chunk;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return {};
  }
}

function json(response: ServerResponse, body: Json): void {
  response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
}

function stream(response: ServerResponse, events: Json[], named: boolean, terminated: boolean): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const event of events)
    response.write(`${named ? `event: ${event["type"]}\n` : ""}data: ${JSON.stringify(event)}\n\n`);
  response.end(terminated ? "data: [DONE]\n\n" : "");
}
