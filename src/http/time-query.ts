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

/** A sequence number or a time. */
export function edgeOf(name: string, text: string | undefined): { seq: number } | { ms: number } | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,15}$/.test(text)) return { seq: Number(text) };
  return { ms: timeOf(name, text)! };
}
