import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { admin, route } from "../access.ts";
import { noContent } from "../reply.ts";
import { afterText, encodeCursor, LIMIT_DEFAULT, pageQuery, pageReply } from "../page.ts";
import type { Parts } from "../parts.ts";
import { body, Id, Line, query, settings, Name } from "../schema.ts";
import { actorOf, agentOf, orgOf, personOf } from "../visit.ts";

const AgentQuery = query({
  ...pageQuery,
  status: T.Optional(T.Union([T.Literal("active"), T.Literal("stale"), T.Literal("never_seen")])),
  policy: T.Optional(T.Literal("behind", { description: "Only those that do not have the newest policy" })),
  q: T.Optional(T.String({ maxLength: 200 })),
});

const Tool = body({
  name: Line,
  title: T.Optional(T.String({ maxLength: 1000 })),
  description: T.Optional(T.String({ maxLength: 32_768 })),
  input_schema: T.Optional(T.Unknown()),
  annotations: T.Optional(T.Record(T.String(), T.Unknown())),
});

const Count = T.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const Said = body({
  version: T.Optional(Line),
  hostname: T.Optional(Line),
  platform: T.Optional(Line),
  hooks: T.Optional(
    T.Array(
      body({
        client: T.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" }),
        installed: T.Boolean(),
        version: T.Optional(Line),
        fingerprint: T.Optional(Line),
        trusted: T.Optional(T.Boolean()),
      }),
      { maxItems: 50 },
    ),
  ),
  policy_version: T.Optional(Count),
  mcp_servers: T.Optional(
    T.Array(
      body({
        name: Line,
        transport: T.Optional(Line),
        command: T.Optional(T.String({ maxLength: 4096 })),
        url: T.Optional(T.String({ maxLength: 4096 })),
        tools: T.Optional(T.Array(Tool, { maxItems: 500 })),
      }),
      { maxItems: 200 },
    ),
  ),
  queue_depth: T.Optional(Count),
  head: T.Optional(body({ seq: Count, hash: T.String({ pattern: "^[0-9a-f]{64}$" }) })),
});

const one = T.Object({ id: Id });

export function agentRoutes({ dispatch, directory }: Parts) {
  return new Elysia()
    .get(
      "/agents",
      async ({ query: { limit = LIMIT_DEFAULT, cursor, ...filter }, request, set }) => {
        const after = afterText(cursor);
        const asked = { ...filter, ...(after === undefined ? {} : { after }), limit: limit + 1 };
        const agents = await dispatch.ask(orgOf(request), "agents.list", asked);
        const items = agents.slice(0, limit);
        return pageReply(request, set, {
          items,
          next_cursor: agents.length > limit ? encodeCursor([items.at(-1)!.id]) : null,
        });
      },
      { query: AgentQuery, ...route({ need: "person", summary: "Fleet list", tags: ["agents"] }) },
    )
    .get("/agents/stats", ({ request }) => dispatch.ask(orgOf(request), "agents.stats", null), {
      ...route({ need: "person", summary: "Fleet summary", tags: ["agents"] }),
    })
    .get(
      "/agents/self",
      ({ request }) => {
        const { org, agent } = agentOf(request);
        return dispatch.ask(org, "agents.get", { id: agent });
      },
      route({ need: "agent", summary: "The calling agent's own record", tags: ["agents"] }),
    )
    .get("/agents/:id", ({ params: { id }, request }) => dispatch.ask(orgOf(request), "agents.get", { id }), {
      params: one,
      ...route({ need: "person", summary: "One agent", tags: ["agents"], extension: true }),
    })
    .patch(
      "/agents/:id",
      ({ params: { id }, body: { name }, request }) =>
        dispatch.ask(orgOf(request), "agents.rename", { id, name, actor: actorOf(request) }),
      {
        params: one,
        body: settings({ name: Name }),
        ...route({ need: "person", roles: admin, summary: "Rename an agent", tags: ["agents"], extension: true }),
      },
    )
    .delete(
      "/agents/:id",
      async ({ params: { id }, request }) => {
        const { org } = personOf(request);
        // The token dies first: whatever happens to the log, a removed agent gets no further.
        const had = directory.agents.remove(org, id);
        await dispatch.ask(org, "agents.remove", { id, actor: actorOf(request) }).catch(error => {
          if (!had || error?.code !== "not_found") throw error;
        });
        return noContent();
      },
      {
        params: one,
        ...route({
          need: "person",
          roles: admin,
          summary: "Remove an agent and revoke its token",
          tags: ["agents"],
          extension: true,
        }),
      },
    )
    .post(
      "/heartbeat",
      ({ body, request }) => {
        const { org, agent } = agentOf(request);
        if (!uniqueNames(body.mcp_servers))
          throw refusal("invalid", { details: [{ path: "/mcp_servers", message: "Two servers have the same name" }] });
        return dispatch.ask(org, "agents.heartbeat", { agent, said: body });
      },
      {
        body: Said,
        ...route({
          need: "agent",
          busy: true,
          summary: "Liveness, hooks, policy version, declared MCP servers",
          tags: ["agents"],
        }),
      },
    );
}

const uniqueNames = (servers: { name: string }[] = []) =>
  new Set(servers.map(({ name }) => name)).size === servers.length;
