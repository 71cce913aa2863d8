import { refusal } from "../errors.ts";
import type { Parts } from "./parts.ts";
import { pathOf } from "./address.ts";
import { visitOf } from "./visit.ts";

const KEY_MAX = 255;

/**
 * Does `work` once for an `Idempotency-Key` (24 h): sent again, the same request gets the same reply. Throws `invalid` for a
 * key that came with another request, `conflict` while the first is under way.
 */
export async function idempotent<T>(
  parts: Pick<Parts, "directory">,
  request: Request,
  body: unknown,
  work: () => Promise<T>,
): Promise<T> {
  const sent = request.headers.get("idempotency-key");
  const { caller } = visitOf(request);
  if (sent === null || caller.kind === "nobody") return work();
  if (sent === "" || sent.length > KEY_MAX) throw keyFault(`Use 1 to ${KEY_MAX} characters.`);
  const who = caller.kind === "person" ? caller.account : caller.agent;
  const key = JSON.stringify([who, request.method, pathOf(request.url), sent]);
  const { idempotency } = parts.directory;
  const begun = idempotency.begin(caller.org, key, JSON.stringify(body));
  if (begun.state === "done") return JSON.parse(begun.reply) as T;
  if (begun.state === "differs") throw keyFault("It was used for a different request.");
  if (begun.state === "under_way")
    throw refusal("conflict", "The first request with this Idempotency-Key is still under way.");
  try {
    const reply = await work();
    idempotency.finish(caller.org, key, JSON.stringify(reply));
    return reply;
  } catch (error) {
    idempotency.abandon(caller.org, key);
    throw error;
  }
}

const keyFault = (message: string) => refusal("invalid", { details: [{ path: "Idempotency-Key", message }] });
