import { createHash } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { eventsMax, readOtlp, type Signal } from "../../hooks/otlp.ts";
import { MIB, route } from "../access.ts";
import { decode, parseJson, readBytes } from "../body.ts";
import { declaredBy } from "../declared.ts";
import type { Parts } from "../parts.ts";
import { agentOf } from "../visit.ts";

const bodyMax = 4 * MIB;
const unpackedMax = 32 * MIB;
const rejectedMember = { logs: "rejectedLogRecords", traces: "rejectedSpans", metrics: "rejectedDataPoints" } as const;

/** OTLP/HTTP with JSON (opentelemetry-proto): what coding agents export, as audit events. At the origin's root, as exporters expect. */
export const otlpRoutes = (parts: Parts) =>
  new Elysia().use(signalRoute("logs", parts)).use(signalRoute("traces", parts)).use(signalRoute("metrics", parts));

const signalRoute = (signal: Signal, { dispatch, now }: Parts) =>
  new Elysia().post(
    `/v1/${signal}`,
    async ({ request }) => {
      const { agent, org } = agentOf(request);
      const found = readOtlp(signal, await readTelemetry(request), {
        now_ms: now(),
        random: () => crypto.randomUUID(),
        servers: await declaredBy(dispatch, org, agent),
        sha256: text => createHash("sha256").update(text).digest("hex"),
      });
      if ("problem" in found) throw refusal("invalid", `${found.problem[0]!.toUpperCase()}${found.problem.slice(1)}.`);
      if (found.events.length === 0) return { partialSuccess: {} };
      const bytes = new TextEncoder().encode(JSON.stringify(found.events.slice(0, eventsMax)));
      const asked = { agent, media: "json", encoding: "identity", bytes } as const;
      const { rejected } = await dispatch.ask(org, "events.ingest", asked, { bytes: bytes.byteLength });
      if (rejected.length === 0) return { partialSuccess: {} };
      return {
        partialSuccess: { [rejectedMember[signal]]: String(rejected.length), errorMessage: rejected[0]!.message },
      };
    },
    {
      parse: "none",
      ...route({
        need: "agent",
        busy: true,
        raw: true,
        body_max_bytes: bodyMax,
        summary: `OTLP/HTTP ${signal} as JSON`,
        tags: ["agents"],
        extension: true,
      }),
    },
  );

async function readTelemetry(request: Request): Promise<unknown> {
  const media = (request.headers.get("content-type") ?? "").split(";", 1)[0]!.trim().toLowerCase();
  if (media !== "application/json")
    throw refusal(
      "unsupported_media_type",
      "Send OTLP as JSON: set OTEL_EXPORTER_OTLP_PROTOCOL=http/json in the agent.",
    );
  const bytes = await readBytes(request, bodyMax);
  if (bytes.byteLength === 0) throw refusal("malformed_json", "The body is empty.");
  return parseJson(decode(unpacked(bytes, request.headers.get("content-encoding"))));
}

function unpacked(bytes: Uint8Array, encoding: string | null): Uint8Array {
  if (encoding === null || encoding === "identity") return bytes;
  if (encoding !== "gzip") throw refusal("unsupported_encoding", "Send it unpacked, or packed with gzip.");
  try {
    return gunzipSync(bytes, { maxOutputLength: unpackedMax });
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE")
      throw refusal("too_large", `At most ${unpackedMax} bytes unpacked are taken here.`);
    throw refusal("malformed", "The body is not valid gzip.");
  }
}
