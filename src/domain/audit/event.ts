import { type Static, Type as T, type TSchema } from "@sinclair/typebox";
import { isDeeperThan } from "../json-depth.ts";
import { checkOf } from "../schema-check.ts";
import { isMoment } from "../time.ts";
import type { Facets } from "./facets.ts";

const optional = <S extends TSchema>(schema: S) => T.Optional(schema);
const Line = T.String({ maxLength: 1024 });
const Text = T.String({ maxLength: 32 * 1024 });

/** An audit event as agents send it. `id` is the client's own, never rewritten; types are dotted and open-ended. */
export const Event = T.Object({
  id: T.String({ pattern: "^[A-Za-z0-9._:-]{1,128}$" }),
  time: T.String({ maxLength: 40 }),
  type: T.String({ pattern: "^[a-z0-9._-]{1,128}$" }),
  session_id: optional(Line),
  client: optional(T.String({ pattern: "^[a-z0-9][a-z0-9._-]{0,63}$" })),
  actor: optional(T.Union([Line, T.Record(T.String(), T.Unknown())])),
  action: optional(
    T.Object({
      kind: Line,
      command: optional(Text),
      server: optional(Line),
      tool: optional(Line),
      args: optional(T.Unknown()),
      cwd: optional(T.String({ maxLength: 4096 })),
    }),
  ),
  decision: optional(T.Union([T.Literal("ALLOW"), T.Literal("WARN"), T.Literal("ASK"), T.Literal("BLOCK")])),
  decision_id: optional(Line),
  rules: optional(T.Array(Line, { maxItems: 100 })),
  exit_code: optional(T.Integer()),
  duration_ms: optional(T.Number({ minimum: 0 })),
  tool_use_id: optional(Line),
  trace_id: optional(Line),
  attributes: optional(T.Record(T.String(), T.Unknown())),
});
export type Event = Static<typeof Event>;

export const EVENT_BYTES_MAX = 64 * 1024;
const NESTING_MAX = 64;
export const BATCH_EVENTS_MAX = 5000;
// Asked for every member of every event: an object without a prototype answers several times faster than a Set.
const known: Readonly<Record<string, true>> = Object.assign(
  Object.create(null),
  Object.fromEntries(Object.keys(Event.properties).map(name => [name, true])),
);
const check = checkOf(Event);

/** Why one event of a batch was not taken; its neighbours are. */
export interface EventFault {
  error: "invalid_event" | "too_large" | "reserved_type";
  message: string;
}

export interface ReadEvent {
  event: Event;
  /** What is stored: as it came, unknown members under `attributes`. */
  body: string;
  facets: Facets;
}

const fault = (error: EventFault["error"], message: string): { fault: EventFault } => ({ fault: { error, message } });

/** `reserved` tells the kinds that only the server writes. */
export function readEvent(raw: unknown, reserved: (type: string) => boolean): ReadEvent | { fault: EventFault } {
  if (!check().Check(raw)) return fault("invalid_event", sentence(raw));
  if (!isMoment(raw.time)) return fault("invalid_event", "time must be an RFC 3339 time with a zone.");
  if (reserved(raw.type)) return fault("reserved_type", "Only the server writes entries of this type.");
  const shape = shapeOf(raw);
  if (shape === "deep") return fault("invalid_event", `An event is nested at most ${NESTING_MAX} levels deep.`);
  const event = shape === "known" ? raw : moveUnknown(raw);
  const body = JSON.stringify(event);
  if (body.length > EVENT_BYTES_MAX || utf8Length(body) > EVENT_BYTES_MAX)
    return fault("too_large", `An event has at most ${EVENT_BYTES_MAX} bytes.`);
  return { event, body, facets: facetsOf(event) };
}

/** The first thing that is wrong, in words that repeat nothing of the input. */
function sentence(raw: unknown): string {
  if (raw === null || typeof raw !== "object" || Array.isArray(raw)) return "An event must be an object.";
  const first = check().Errors(raw).First();
  return `${first?.path.slice(1).replaceAll("/", ".") || "event"}: ${first?.message ?? "is not valid"}.`;
}

/** `known`: stored as it came (a client's order of members is its own, and steady). */
function shapeOf(raw: Event): "known" | "unknown" | "deep" {
  let shape: "known" | "unknown" = "known";
  for (const name in raw) {
    if (known[name] !== true) shape = "unknown";
    const value = raw[name as keyof Event];
    if (typeof value === "object" && isDeeperThan(value, NESTING_MAX - 1)) return "deep";
  }
  return shape;
}

function moveUnknown(raw: Event): Event {
  const event = Object.fromEntries(Object.entries(raw).filter(([name]) => known[name]));
  return { ...event, attributes: attributesOf(raw) } as Event;
}

/** Losing none: a member whose name `attributes` has too goes there as `event.<name>`. Not by assignment: `__proto__` is a name. */
function attributesOf(raw: Event): Record<string, unknown> {
  const attributes = raw.attributes ?? {};
  const extra = Object.entries(raw).filter(([name]) => !known[name]);
  const named = extra.map(([name, value]) => [Object.hasOwn(attributes, name) ? `event.${name}` : name, value]);
  return { ...attributes, ...Object.fromEntries(named) };
}

/** What an event says of itself to statistics and filters. */
export function facetsOf({ type, client, rules, action, decision_id }: Event): Facets {
  const facets: Facets = {};
  if (client !== undefined) facets.client = client;
  if (rules !== undefined && rules.length > 0) facets.rules = rules;
  if (action?.kind === "mcp") {
    if (action.server !== undefined) facets.server = action.server;
    if (action.tool !== undefined) facets.tool = action.tool;
  }
  if (decision_id !== undefined && type !== "policy.decision") facets.echo = true;
  return facets;
}

/** Hooks name both ends of a call alike: the id under which an MCP call that ran was judged before, if it was. */
export function judgedAs({ id, action, tool_use_id }: Event): string | undefined {
  const isEnd = action?.kind === "mcp" && tool_use_id !== undefined && id.endsWith(":after");
  return isEnd ? `${id.slice(0, -"after".length)}before` : undefined;
}

/** Bytes in UTF-8, without making them; only asked for texts near the limit. */
function utf8Length(text: string): number {
  if (text.length * 3 <= EVENT_BYTES_MAX) return text.length;
  let bytes = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return bytes;
}
