import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";
import { body, Id, Line, Text } from "../schema.ts";
import { agentOf } from "../visit.ts";
import { Asked, callOf } from "./playground.ts";

const Check = body({
  ...Asked.properties,
  server: T.Optional(Line),
  cwd: T.Optional(T.String({ maxLength: 4096 })),
  session_id: T.Optional(Id),
  client: T.Optional(T.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" })),
  tool_use_id: T.Optional(Id),
  env: T.Optional(T.Record(T.String({ maxLength: 256 }), Text, { maxProperties: 500 })),
  repo: T.Optional(Line),
  branch: T.Optional(Line),
});

export function checkRoutes({ dispatch }: Parts) {
  return new Elysia().post(
    "/policy/check",
    ({ body, request }) => {
      const { agent, org } = agentOf(request);
      const { server, cwd, client, env, repo, branch, session_id, tool_use_id } = body;
      const world = defined({ server: body.type === "mcp" ? server : undefined, cwd, client, env, repo, branch });
      const call = { ...callOf(body), ...world, agent };
      return dispatch.ask(org, "policy.check", { agent, call, ...defined({ session_id, tool_use_id }) });
    },
    {
      body: Check,
      ...route({ need: "agent", busy: true, summary: "Judge a call by the organisation's policy", tags: ["policy"] }),
    },
  );
}

/** Members that are there. */
function defined<T extends Record<string, unknown>>(members: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const found: Record<string, unknown> = {};
  for (const name in members) if (members[name] !== undefined) found[name] = members[name];
  return found as never;
}
