import { Type as T } from "@sinclair/typebox";
import { Elysia, t } from "elysia";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";
import { edgeOf } from "../time-query.ts";
import { orgOf } from "../visit.ts";

const Edge = T.Optional(T.String({ maxLength: 40, description: "Sequence number or RFC 3339 time" }));
const Whole = t.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export function postureRoutes({ dispatch }: Parts) {
  return new Elysia()
    .get(
      "/posture/attestation-chain",
      ({ query, request }) => {
        const from = edgeOf("from", query.from);
        const to = edgeOf("to", query.to);
        return dispatch.finish(orgOf(request), "posture.verify", { ...(from ? { from } : {}), ...(to ? { to } : {}) });
      },
      {
        query: T.Object({ from: Edge, to: Edge }),
        ...route({ need: "person", summary: "Recompute the hash chain of a window", tags: ["posture"] }),
      },
    )
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
      query: T.Object({ seq: Whole, size: T.Optional(Whole) }),
      ...route({
        need: "person",
        summary: "RFC 6962 inclusion proof of one entry",
        tags: ["posture"],
        extension: true,
      }),
    });
}
