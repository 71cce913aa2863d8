import { Type as T } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { Elysia } from "elysia";
import { driftKinds } from "../../domain/posture/drift.ts";
import { admin, route } from "../access.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, pageQuery, pageReply, unknownCursor } from "../page.ts";
import type { Parts } from "../parts.ts";
import { peopleOf } from "../people.ts";
import { body, Id, query, Severity, Time, whole } from "../schema.ts";
import { timeOf, windowOf } from "../time-query.ts";
import { actorOf, orgOf } from "../visit.ts";

const Edge = T.Optional(T.String({ maxLength: 40, description: "Sequence number or RFC 3339 time" }));
const Whole = whole({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const Framework = T.String({ minLength: 1, maxLength: 40 });
const Control = T.String({ minLength: 1, maxLength: 40 });

const Name = T.String({ minLength: 1, maxLength: 1024 });

const DriftQuery = query({
  ...pageQuery,
  kind: T.Optional(T.Union(driftKinds.map(kind => T.Literal(kind)))),
  severity: T.Optional(Severity),
  agent_id: T.Optional(Id),
});

const Count = T.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const Position = T.Tuple([Severity, Count, Count]);

/** What `/posture/drift` gave as a cursor. */
function driftPosition(key: unknown) {
  if (key === undefined) return undefined;
  if (!Value.Check(Position, key)) throw unknownCursor();
  const [severity, last_seen_ms, told] = key;
  return { severity, last_seen_ms, told };
}

/** What `/posture/evidence` gave as a cursor. */
function attestationKey(key: unknown) {
  if (key === undefined) return undefined;
  if (!Value.Check(T.Tuple([T.String(), T.String()]), key)) throw unknownCursor();
  return { framework: key[0], control: key[1] };
}

export function postureRoutes(parts: Parts) {
  const { dispatch } = parts;
  return new Elysia()
    .get(
      "/posture/evidence",
      async ({ query: { framework, limit = LIMIT_DEFAULT, cursor }, request, set }) => {
        const org = orgOf(request);
        const after = attestationKey(decodeCursor(cursor));
        const { items, more } = await dispatch.finish(org, "posture.evidence", {
          people: peopleOf(parts, org),
          limit,
          ...(framework === undefined ? {} : { framework }),
          ...(after ? { after } : {}),
        });
        const last = items.at(-1);
        const next_cursor = more && last ? encodeCursor([last.framework, last.control]) : null;
        return pageReply(request, set, { items, next_cursor });
      },
      {
        query: query({ ...pageQuery, framework: T.Optional(Framework) }),
        ...route({ need: "person", summary: "Signed attestations, one per control", tags: ["posture"] }),
      },
    )
    .get(
      "/posture/control-evidence",
      async ({ query, request }) => {
        const org = orgOf(request);
        const asked = { ...query, people: peopleOf(parts, org) };
        return { items: await dispatch.finish(org, "posture.control_evidence", asked), next_cursor: null };
      },
      {
        query: query({ framework: Framework, control: Control }),
        ...route({ need: "person", summary: "Signed attestations of one control", tags: ["posture"] }),
      },
    )
    .get(
      "/posture/drift",
      async ({ query: { limit = LIMIT_DEFAULT, cursor, ...filter }, request, set }) => {
        const after = driftPosition(decodeCursor(cursor));
        const asked = { ...filter, limit, ...(after && { after }) };
        const { items, next } = await dispatch.finish(orgOf(request), "posture.drift", asked);
        const next_cursor = next ? encodeCursor([next.severity, next.last_seen_ms, next.told]) : null;
        return pageReply(request, set, { items, next_cursor });
      },
      {
        query: DriftQuery,
        ...route({ need: "person", summary: "Declared against observed MCP servers and tools", tags: ["posture"] }),
      },
    )
    .post(
      "/posture/drift/accept",
      ({ body: { agent_id, server, tool, last_seen_at }, request }) => {
        const change = { agent_id, server, tool, last_seen_ms: timeOf("last_seen_at", last_seen_at)! };
        return dispatch.ask(orgOf(request), "posture.accept_drift", { ...change, actor: actorOf(request) });
      },
      {
        body: body({ agent_id: Id, server: Name, tool: Name, last_seen_at: Time }),
        ...route({
          need: "person",
          roles: admin,
          summary: "Accept a changed tool: what it says now is what it is compared with",
          tags: ["posture"],
          extension: true,
        }),
      },
    )
    .get("/posture/attestation-chain", ({ query, request }) => dispatch.verify(orgOf(request), windowOf(query)), {
      query: query({ from: Edge, to: Edge }),
      ...route({ need: "person", summary: "Recompute the hash chain of a window", tags: ["posture"] }),
    })
    .get(
      "/posture/checkpoint",
      async ({ request }) => {
        const note = await dispatch.ask(orgOf(request), "posture.checkpoint", null);
        return new Response(note, { headers: { "content-type": "text/plain; charset=utf-8" } });
      },
      route({ need: "person", summary: "C2SP signed note over the log's tree", tags: ["posture"], extension: true }),
    )
    .get(
      "/posture/keys",
      ({ request }) => dispatch.ask(orgOf(request), "posture.keys", null),
      route({ need: "person", summary: "Keys that verify the log's checkpoints", tags: ["posture"], extension: true }),
    )
    .get("/posture/proof", ({ query, request }) => dispatch.ask(orgOf(request), "posture.proof", query), {
      query: query({ seq: Whole, size: T.Optional(Whole) }),
      ...route({
        need: "person",
        summary: "RFC 6962 inclusion proof of one entry",
        tags: ["posture"],
        extension: true,
      }),
    });
}
