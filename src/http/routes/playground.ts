import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Call } from "../../domain/policy/verdict.ts";
import { Refusal, refusal } from "../../errors.ts";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";
import { body, Line, Text } from "../schema.ts";

/** What is to be judged: exactly the specification's request. `command` goes with `shell`, `tool` and `args` with `mcp`. */
export const Asked = body({
  type: T.Union([T.Literal("shell"), T.Literal("mcp")]),
  command: T.Optional(Text),
  tool: T.Optional(Line),
  args: T.Optional(T.Record(T.String(), T.Unknown())),
});

/** Throws `invalid` where the members do not fit the type. */
export function callOf(asked: typeof Asked.static): Call {
  const missing = (asked.type === "shell" ? (["command"] as const) : (["tool", "args"] as const)).filter(
    name => asked[name] === undefined,
  );
  const details = missing.map(name => ({ path: `/${name}`, message: `Is required when type is ${asked.type}` }));
  if (details.length > 0) throw refusal("invalid", { details });
  if (asked.type === "shell") return { type: "shell", command: asked.command! };
  return { type: "mcp", tool: asked.tool!, args: asked.args! };
}

/** Past it nothing is known, and what is not known is asked about. */
const DEADLINE_MS = 100;
const undecided = {
  decision: "ASK" as const,
  rules: [] as string[],
  reasons: ["It could not be judged within 100 ms."],
};

export function playgroundRoutes({ dispatch, judged }: Parts) {
  return new Elysia().post(
    "/playground/analyze",
    async ({ body }) => {
      const call = callOf(body);
      await judged();
      return dispatch.ask("", "playground.analyze", call, { deadline_ms: DEADLINE_MS }).catch(error => {
        if (error instanceof Refusal && error.code === "timeout") return undecided;
        throw error;
      });
    },
    {
      body: Asked,
      ...route({
        need: "public",
        rate: "playground",
        summary: "Judge a shell command or MCP call by the community rules",
        tags: ["public"],
      }),
    },
  );
}
