import { type Detail, Refusal, refusal } from "../errors.ts";
import { describeError, type Logger } from "../logger.ts";
import { diskRefusal } from "../store/disk-trouble.ts";

/** The one place that turns whatever was thrown into the reply. Nothing of the input, SQL or stack goes out. */
export function refuse(error: unknown, request_id: string, logger: Logger): Response {
  const known = asRefusal(error);
  const disk = known ? undefined : diskRefusal(error);
  if (!known)
    logger.error(disk ? "the disk refused a request" : "request failed", { request_id, cause: describeError(error) });
  return refusalResponse(known ?? disk ?? refusal("internal_error"), request_id);
}

export function refusalResponse(refused: Refusal, request_id: string): Response {
  const { details, members, retry_after_s, headers: own } = refused.extra;
  const body = {
    error: refused.code,
    message: refused.message,
    request_id,
    ...(details ? { details } : {}),
    ...members,
  };
  const headers = new Headers({
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-request-id": request_id,
    ...own,
  });
  if (refused.status === 401) headers.set("www-authenticate", challenge(refused));
  if (refused.status === 503 || refused.status === 429) headers.set("retry-after", String(retry_after_s ?? 1));
  return new Response(JSON.stringify(body), { status: refused.status, headers });
}

/** RFC 6750 §3: no error code when no token was sent. */
function challenge(refused: Refusal): string {
  return refused.code === "invalid_token"
    ? 'Bearer realm="gatehouse", error="invalid_token"'
    : 'Bearer realm="gatehouse"';
}

function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  // What our own parser throws arrives wrapped.
  const { cause } = error as { cause?: unknown };
  if (cause instanceof Refusal) return cause;
  const { code, all } = error as { code?: string; all?: Issue[] };
  if (code === "VALIDATION") return refusal("invalid", { details: (all ?? []).map(detail).filter(firstOfPath()) });
  if (code === "PARSE") return refusal("malformed_json");
  if (code === "NOT_FOUND") return refusal("not_found");
  if (code === "INVALID_COOKIE_SIGNATURE") return refusal("malformed");
  return undefined;
}

interface Issue {
  path?: string;
  message?: string;
  schema?: { anyOf?: { const?: unknown }[]; const?: unknown; type?: string; minimum?: number; maximum?: number };
}

/** A sentence about the schema alone, so that nothing of the input is echoed. */
function detail(issue: Issue): Detail {
  const allowed = issue.schema?.anyOf?.map(option => option.const).filter(value => typeof value === "string");
  const message = allowed?.length ? `Must be one of: ${allowed.join(", ")}` : (issue.message ?? "Is not valid");
  return { path: issue.path || "/", message: wholeNumber(issue.schema) ?? message };
}

/** What a number in a query must be, whichever way it is none. */
const wholeNumber = ({ type, minimum, maximum }: NonNullable<Issue["schema"]> = {}) =>
  type === "integer" && minimum !== undefined && maximum !== undefined
    ? `Must be a whole number from ${minimum} to ${maximum}`
    : undefined;

function firstOfPath() {
  const seen = new Set<string>();
  return ({ path }: Detail) => !seen.has(path) && seen.add(path) !== undefined && seen.size <= 50;
}
