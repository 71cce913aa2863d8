import { refusal } from "../errors.ts";

/** RFC 3339 with a zone; a bare date is its first moment in UTC. Throws `invalid` naming the parameter. */
export function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = SHAPE.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(ms))
    throw refusal("invalid", { details: [{ path: `/${name}`, message: "Must be an RFC 3339 time" }] });
  return ms;
}

const SHAPE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2}))?$/;

type Edge = { seq: number } | { ms: number };

/** A window of the log between two sequence numbers or times. One that ends before it begins is a mistake (422), not an empty window. */
export function windowOf(asked: { from?: string; to?: string }): { from?: Edge; to?: Edge } {
  const [from, to] = [edgeOf("from", asked.from), edgeOf("to", asked.to)];
  if (from && to && isBefore(to, from))
    throw refusal("invalid", { details: [{ path: "/to", message: "Must not be before `from`" }] });
  return { ...(from && { from }), ...(to && { to }) };
}

function isBefore(one: Edge, other: Edge): boolean {
  if ("seq" in one) return "seq" in other && one.seq < other.seq;
  return "ms" in other && one.ms < other.ms;
}

function edgeOf(name: string, text: string | undefined): Edge | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) };
  return { ms: timeOf(name, text)! };
}
