import { Buffer } from "node:buffer";
import { Type as T } from "@sinclair/typebox";
import { refusal } from "../errors.ts";
import { parametersOf, pathOf } from "./address.ts";
import { whole } from "./schema.ts";

/** Lists: keyset pages, `Link: rel="next"` (RFC 8288). */
export const LIMIT_DEFAULT = 50;
export const LIMIT_MAX = 200;

/** Query members every list takes; spread into a route's own. */
export const pageQuery = {
  limit: T.Optional(
    whole({ minimum: 1, maximum: LIMIT_MAX, description: `At most ${LIMIT_MAX}, default ${LIMIT_DEFAULT}` }),
  ),
  cursor: T.Optional(T.String({ maxLength: 512, description: "`next_cursor` of the page before" })),
};

export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

/** The list reply, with the address of the next page in `Link`. */
export function pageReply<Item>(
  request: Request,
  set: { headers: Record<string, unknown> },
  page: Page<Item>,
): Page<Item> {
  if (page.next_cursor !== null) {
    const asked = parametersOf(request.url);
    asked.set("cursor", page.next_cursor);
    set.headers["link"] = `<${pathOf(request.url)}?${asked}>; rel="next"`;
  }
  return page;
}

/** What a list says to a cursor it has not given. */
export const unknownCursor = () =>
  refusal("invalid", { details: [{ path: "/cursor", message: "Is not a cursor that this list gave" }] });

/** A page of a list that is at hand whole. Throws `invalid` when the cursor's item is gone or was never there. */
export function pageOfAll<Item extends { id: string }>(
  all: Item[],
  { limit = LIMIT_DEFAULT, cursor }: { limit?: number; cursor?: string },
): Page<Item> {
  const after = afterText(cursor);
  const start = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
  if (after !== undefined && start === 0) throw unknownCursor();
  const items = all.slice(start, start + limit);
  return { items, next_cursor: start + limit < all.length ? encodeCursor([items.at(-1)!.id]) : null };
}

/** A cursor is opaque to callers: base64url of a JSON array. */
export const encodeCursor = (key: (string | number)[]): string =>
  Buffer.from(JSON.stringify(key)).toString("base64url");

/** The one key of a list by number. */
export const afterNumber = (cursor: string | undefined) => onlyKey(cursor, Number.isSafeInteger) as number | undefined;
/** The one key of a list by name. */
export const afterText = (cursor: string | undefined) =>
  onlyKey(cursor, key => typeof key === "string") as string | undefined;

function onlyKey(cursor: string | undefined, fits: (key: unknown) => boolean): string | number | undefined {
  const key = decodeCursor(cursor);
  if (key === undefined || (key.length === 1 && fits(key[0]))) return key?.[0];
  throw unknownCursor();
}

/** Throws `invalid` when it is not one of ours. */
export function decodeCursor(cursor: string | undefined): (string | number)[] | undefined {
  if (cursor === undefined) return undefined;
  try {
    const key: unknown = JSON.parse(Buffer.from(cursor, "base64url").toString());
    if (Array.isArray(key) && key.every(part => typeof part === "string" || typeof part === "number")) return key;
  } catch {}
  throw unknownCursor();
}
