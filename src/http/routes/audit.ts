import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import type { PageQuery } from "../../store/log.ts";
import { route } from "../access.ts";
import { LIMIT_DEFAULT, pageQuery, pageReply } from "../page.ts";
import type { Parts } from "../parts.ts";
import { Decision, Id, Time } from "../schema.ts";
import { timeOf } from "../time-query.ts";
import { orgOf } from "../visit.ts";

const window = { from: T.Optional(Time), to: T.Optional(Time) };

const AuditQuery = T.Object({
  ...pageQuery,
  ...window,
  type: T.Optional(Id),
  agent_id: T.Optional(Id),
  decision: T.Optional(Decision),
  rule: T.Optional(Id),
  session_id: T.Optional(Id),
  client: T.Optional(Id),
  q: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
  order: T.Optional(T.Union([T.Literal("asc"), T.Literal("desc")])),
});

function pageOf({ from, to, type, agent_id, limit = LIMIT_DEFAULT, ...rest }: typeof AuditQuery.static): PageQuery {
  const from_ms = timeOf("from", from);
  const to_ms = timeOf("to", to);
  return {
    ...rest,
    limit,
    ...(from_ms === undefined ? {} : { from_ms }),
    ...(to_ms === undefined ? {} : { to_ms }),
    ...(type === undefined ? {} : { kind: type }),
    ...(agent_id === undefined ? {} : { agent: agent_id }),
  };
}

const media = { leaves: "application/x-ndjson", ndjson: "application/x-ndjson" } as const;

export function auditRoutes({ dispatch }: Parts) {
  return new Elysia()
    .get(
      "/audit",
      async ({ query, request, set }) =>
        pageReply(request, set, await dispatch.ask(orgOf(request), "audit.page", pageOf(query))),
      { query: AuditQuery, ...route({ need: "person", summary: "The audit log", tags: ["audit"] }) },
    )
    .get(
      "/audit/stats",
      ({ query: { from, to, bucket }, request }) => {
        const { from_ms, to_ms } = pageOf({ from: from!, to: to! } as typeof AuditQuery.static);
        const asked = {
          ...(from_ms === undefined ? {} : { from_ms }),
          ...(to_ms === undefined ? {} : { to_ms }),
          bucket: bucket ?? "hour",
        };
        return dispatch.ask(orgOf(request), "audit.stats", asked);
      },
      {
        query: T.Object({ ...window, bucket: T.Optional(T.Union([T.Literal("hour"), T.Literal("day")])) }),
        ...route({ need: "person", summary: "Counts of the audit log", tags: ["audit"] }),
      },
    )
    .get(
      "/audit/export",
      ({ query: { format = "ndjson" }, request }) => {
        const body = dispatch.stream(orgOf(request), "audit.export", { format });
        const headers = {
          "content-type": media[format],
          "content-disposition": `attachment; filename="audit-${format}.jsonl"`,
        };
        return new Response(body, { headers });
      },
      {
        query: T.Object({ format: T.Optional(T.Union([T.Literal("ndjson"), T.Literal("leaves")])) }),
        ...route({ need: "person", summary: "The whole log as a file", tags: ["audit"], extension: true }),
      },
    )
    .get(
      "/audit/:seq",
      ({ params: { seq }, request }) => {
        if (!/^\d{1,15}$/.test(seq)) throw refusal("not_found", "There is no entry with that number.");
        return dispatch.ask(orgOf(request), "audit.entry", { seq: Number(seq) });
      },
      {
        params: T.Object({ seq: Id }),
        ...route({ need: "person", summary: "One entry, with what proves it", tags: ["audit"], extension: true }),
      },
    );
}
