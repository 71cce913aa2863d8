import { type TProperties, type TSchema, Type as T } from "@sinclair/typebox";
import { BATCH_EVENTS_MAX, Event } from "../domain/audit/event.ts";
import { NativeScan } from "../domain/compliance/native-scan.ts";
import { SarifLog } from "../domain/compliance/sarif-schema.ts";
import { Policy } from "../domain/policy/rules/schema.ts";
import type { Media } from "./access.ts";

/**
 * Bodies of routes that read the bytes themselves, for the description only: by `METHOD /path` below /api (or the root), then by
 * media type. What is checked is checked where the bytes are read, most of it by these very schemas.
 */
export type Bodies = Partial<Record<Media, TSchema>>;

const O = (properties: TProperties) => T.Object(properties, { additionalProperties: true });
const records = (name: string) => O({ [name]: T.Array(O({})) });

const Yaml = T.String({ description: "The policy as its author writes it: docs/policy-language.md" });

export const requests: Record<string, Bodies> = {
  "POST /events": {
    json: T.Union([
      Event,
      O({ events: T.Array(Event, { maxItems: BATCH_EVENTS_MAX }) }),
      T.Array(Event, { maxItems: BATCH_EVENTS_MAX }),
    ]),
    ndjson: T.String({ description: `One event a line, at most ${BATCH_EVENTS_MAX}` }),
  },
  "POST /compliance/scans": { json: NativeScan, sarif: SarifLog },
  "PUT /policy": { json: Policy },
  "PUT /policy/yaml": { yaml: Yaml },
  "POST /hooks/:client": {
    json: T.Record(T.String(), T.Unknown(), {
      description: "What the coding agent hands to its hook on standard input, unchanged",
    }),
  },
  "POST /v1/logs": { json: records("resourceLogs") },
  "POST /v1/traces": { json: records("resourceSpans") },
  "POST /v1/metrics": { json: records("resourceMetrics") },
};
