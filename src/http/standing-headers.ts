/**
 * What every reply carries unless its handler said otherwise: OWASP Secure Headers for replies that are data – nothing in them
 * may run, be framed or be read by another site – and that nothing is kept.
 */
const STANDING = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-frame-options": "DENY",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "interest-cohort=()",
  "cache-control": "no-store",
};
/** No handler sets this one, so a reply that has it has them all. */
const MARK = "x-content-type-options";

const standing = Object.entries(STANDING);
const ofData = new Headers({ "content-type": "application/json", ...STANDING });

/** Data as a reply with all its headers: copied as a whole they cost a tenth of what setting each costs. */
export const dataReply = (value: unknown, status: number): Response =>
  new Response(JSON.stringify(value), { status, headers: ofData });

/** Adds what is missing. */
export function complete(headers: Headers): void {
  if (headers.has(MARK)) return;
  for (const [name, value] of standing) if (!headers.has(name)) headers.set(name, value);
}
