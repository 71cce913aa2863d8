// A stdio MCP server with one tool, read_file(path), which notes what it was asked for in the file it is given.
import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

const noted = process.argv[2];
const reply = (id, result) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "demo", version: "1.0.0" },
  }),
  "tools/list": () => ({ tools: [{ name: "read_file", description: "Read a file", inputSchema: schema }] }),
  "tools/call": ({ arguments: { path } }) => {
    appendFileSync(noted, `${path}\n`);
    return { content: [{ type: "text", text: `content of ${path}` }] };
  },
  ping: () => ({}),
};
createInterface({ input: process.stdin }).on("line", line => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) reply(id, answers[method]?.(params ?? {}) ?? {});
});
