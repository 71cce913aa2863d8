import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import type { PageQuery } from "../../store/log.ts";
import { route } from "../access.ts";
import { afterText, encodeCursor, LIMIT_DEFAULT, pageQuery, pageReply } from "../page.ts";
import type { Parts } from "../parts.ts";
import { liveTail } from "../live-tail.ts";
import { Decision, Id, query, Time } from "../schema.ts";
import { timeOf, windowOf } from "../time-query.ts";
import { orgOf } from "../visit.ts";

const window = { from: T.Optional(Time), to: T.Optional(Time) };

const filter = {
  ...window,
  type: T.Optional(Id),
  agent_id: T.Optional(Id),
  decision: T.Optional(Decision),
  rule: T.Optional(Id),
  session_id: T.Optional(Id),
  client: T.Optional(Id),
  q: T.Optional(T.String({ minLength: 1, maxLength: 200 })),
  order: T.Optional(T.Union([T.Literal("asc"), T.Literal("desc")])),
};
const AuditQuery = query({ ...pageQuery, ...filter });
type Filter = Omit<typeof AuditQuery.static, "limit" | "cursor">;

function filterOf({ from, to, type, agent_id, ...rest }: Filter): PageQuery {
  const from_ms = timeOf("from", from);
  const to_ms = timeOf("to", to);
  return {
    ...rest,
    ...(from_ms === undefined ? {} : { from_ms }),
    ...(to_ms === undefined ? {} : { to_ms }),
    ...(type === undefined ? {} : { kind: type }),
    ...(agent_id === undefined ? {} : { agent: agent_id }),
  };
}

/** The window is the only filter a chain of hashes allows: between its ends nothing may be missing. */
function wholeWindow({ from, to, ...others }: Filter) {
  const details = Object.keys(others).map(name => ({
    path: `/${name}`,
    message: "Leaves are exported whole or for a time: a filtered chain cannot be verified",
  }));
  if (details.length > 0) throw refusal("invalid", { details });
  return windowOf({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
}

const formats = {
  ndjson: { type: "application/x-ndjson", name: "audit-ndjson.jsonl" },
  leaves: { type: "application/x-ndjson", name: "audit-leaves.jsonl" },
  ocsf: { type: "application/x-ndjson", name: "audit-ocsf.jsonl" },
  csv: { type: "text/csv; charset=utf-8", name: "audit.csv" },
} as const;

const Edge = T.Optional(
  T.String({ maxLength: 40, description: "RFC 3339 time; of leaves a sequence number too, both ends included" }),
);

const Tail = query({ type: T.Optional(Id), agent_id: T.Optional(Id), decision: T.Optional(Decision) });

export function auditRoutes(parts: Parts) {
  const { dispatch, release } = parts;
  const product = { name: "Gatehouse", vendor_name: "Gatehouse", version: release.version };
  return new Elysia()
    .get(
      "/audit",
      async ({ query: { limit = LIMIT_DEFAULT, cursor, ...asked }, request, set }) => {
        const page = { ...filterOf(asked), limit, ...(cursor === undefined ? {} : { cursor }) };
        return pageReply(request, set, await dispatch.ask(orgOf(request), "audit.page", page));
      },
      { query: AuditQuery, ...route({ need: "person", summary: "The audit log", tags: ["audit"] }) },
    )
    .get(
      "/audit/stats",
      ({ query: { from, to, bucket }, request }) => {
        const asked = filterOf({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) });
        return dispatch.ask(orgOf(request), "audit.stats", { ...asked, bucket: bucket ?? "hour" });
      },
      {
        query: query({ ...window, bucket: T.Optional(T.Union([T.Literal("hour"), T.Literal("day")])) }),
        ...route({ need: "person", summary: "Counts of the audit log", tags: ["audit"] }),
      },
    )
    .get(
      "/audit/export",
      ({ query: { format = "ndjson", ...asked }, request }) => {
        const question =
          format === "leaves" ? { format, window: wholeWindow(asked) } : { format, product, filter: filterOf(asked) };
        const body = dispatch.stream(orgOf(request), "audit.export", question);
        const { type, name } = formats[format];
        const headers = { "content-type": type, "content-disposition": `attachment; filename="${name}"` };
        return new Response(body, { headers });
      },
      {
        query: query({
          ...filter,
          from: Edge,
          to: Edge,
          format: T.Optional(T.Union([T.Literal("ndjson"), T.Literal("ocsf"), T.Literal("csv"), T.Literal("leaves")])),
        }),
        ...route({
          need: "person",
          long: true,
          summary: "The log as a file: whole, or what the filters of /audit let through",
          tags: ["audit"],
          extension: true,
        }),
      },
    )
    .get(
      "/audit/mcp-servers",
      async ({ query: { limit = LIMIT_DEFAULT, cursor }, request, set }) => {
        const after = afterText(cursor);
        const asked = { limit: limit + 1, ...(after === undefined ? {} : { after }) };
        const servers = await dispatch.ask(orgOf(request), "audit.mcp_servers", asked);
        const items = servers.slice(0, limit);
        const next_cursor = servers.length > limit ? encodeCursor([items.at(-1)!.name]) : null;
        return pageReply(request, set, { items, next_cursor });
      },
      { query: query(pageQuery), ...route({ need: "person", summary: "MCP servers observed", tags: ["audit"] }) },
    )
    .get("/audit/stream", ({ query, request }) => liveTail(parts, request, query), {
      query: Tail,
      ...route({
        need: "person",
        long: true,
        summary: "Live tail as server-sent events; Last-Event-ID resumes",
        tags: ["audit"],
        extension: true,
      }),
    })
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
