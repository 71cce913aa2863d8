import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { MIB, route } from "../access.ts";
import { mediaOf, readBytes } from "../body.ts";
import { encodingOf } from "../encoding.ts";
import type { Parts } from "../parts.ts";
import { agentOf, visitOf } from "../visit.ts";

/** `POST /events`: the bytes go to the organisation's thread untouched and are durable before the reply. */
export function eventRoutes({ dispatch }: Parts) {
  return new Elysia().post(
    "/events",
    async ({ request }) => {
      const { agent, org } = agentOf(request);
      const { access } = visitOf(request);
      const media = mediaOf(request, access.media!) as "json" | "ndjson";
      const encoding = encodingOf(request);
      const bytes = await readBytes(request, access.body_max_bytes!);
      if (bytes.byteLength === 0) throw refusal("malformed_json", "The body is empty.");
      const transfer = [bytes.buffer as ArrayBuffer];
      return dispatch.ask(
        org,
        "events.ingest",
        { agent, media, encoding, bytes },
        { bytes: bytes.byteLength, transfer },
      );
    },
    route({
      need: "agent",
      busy: true,
      raw: true,
      media: ["json", "ndjson"],
      body_max_bytes: 8 * MIB,
      summary: "Audit events: one, a list, or NDJSON; packed with gzip or zstd if liked",
      tags: ["agents"],
    }),
  );
}
