import { refusal } from "../errors.ts";

/** Answers a pull: 304 when the caller has this very body (RFC 9110 §13.1.2), else the body under its strong ETag. */
export function pull(request: Request, body: string, hash: string, type = "application/json"): Response {
  const etag = `"${hash}"`;
  const headers = { etag, "cache-control": "private, no-cache", "content-type": type };
  if (matches(request.headers.get("if-none-match"), etag)) return new Response(null, { status: 304, headers });
  return new Response(body, { headers });
}

function matches(sent: string | null, etag: string): boolean {
  return (sent ?? "").split(",").some(tag => tag.trim() === "*" || tag.trim().replace(/^W\//, "") === etag);
}

/** The hashes named by `If-Match`; undefined when it was not sent or is `*`. A weak tag names none (RFC 9110 §13.1.1). */
export function ifMatch(request: Request): string[] | undefined {
  const sent = request.headers.get("if-match");
  if (sent === null || sent.trim() === "*") return undefined;
  const hashes = sent.split(",").flatMap(tag => /^\s*"([0-9a-f]{64})"\s*$/.exec(tag)?.[1] ?? []);
  if (hashes.length === 0) throw refusal("precondition_failed");
  return hashes;
}
