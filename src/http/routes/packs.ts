import { createHash } from "node:crypto";
import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { route } from "../access.ts";
import { pull } from "../etag.ts";
import { afterText, encodeCursor, LIMIT_DEFAULT, pageQuery, pageReply } from "../page.ts";
import type { Parts } from "../parts.ts";
import { query } from "../schema.ts";
import { orgOf } from "../visit.ts";

const NAME = /^[a-z][a-z0-9-]{0,63}$/;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

/** The rule packs shipped with this version, for plans that include them; signed, so that a copy can be checked offline. */
export function packRoutes({ dispatch }: Parts) {
  return new Elysia()
    .get(
      "/packs",
      async ({ query: { limit = LIMIT_DEFAULT, cursor }, request, set }) => {
        const after = afterText(cursor);
        const asked = { ...(after === undefined ? {} : { after }), limit: limit + 1 };
        const packs = await dispatch.ask(orgOf(request), "packs.list", asked);
        const items = packs.slice(0, limit);
        const next_cursor = packs.length > limit ? encodeCursor([items.at(-1)!.name]) : null;
        const body = JSON.stringify(pageReply(request, set, { items, next_cursor }));
        return pull(request, body, sha256(body));
      },
      { query: query(pageQuery), ...route({ need: "either", summary: "Rule packs", tags: ["packs"] }) },
    )
    .get(
      "/packs/:name",
      async ({ params: { name }, request }) => {
        if (!NAME.test(name)) throw refusal("not_found", "There is no pack of that name.");
        const body = JSON.stringify(await dispatch.ask(orgOf(request), "packs.get", { name }));
        return pull(request, body, sha256(body));
      },
      {
        params: T.Object({ name: T.String() }),
        ...route({ need: "either", summary: "One rule pack with its content", tags: ["packs"] }),
      },
    );
}
