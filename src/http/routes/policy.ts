import { createHash } from "node:crypto";
import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { admin, MIB, route } from "../access.ts";
import { ifMatch, pull } from "../etag.ts";
import { afterNumber, encodeCursor, LIMIT_DEFAULT, pageQuery, pageReply } from "../page.ts";
import type { Parts } from "../parts.ts";
import { body, query } from "../schema.ts";
import { actorOf, orgOf } from "../visit.ts";

const Draft = T.String({ maxLength: 512 * 1024 });

export function policyRoutes({ dispatch }: Parts) {
  const replace = async (request: Request, set: { headers: Record<string, unknown> }, yaml: string) => {
    const if_match = ifMatch(request);
    const change = { yaml, actor: actorOf(request), ...(if_match ? { if_match } : {}) };
    const changed = await dispatch.ask(orgOf(request), "policy.change", change);
    set.headers["etag"] = `"${changed.hash}"`;
    return changed;
  };
  const replaceJson = async (request: Request, set: { headers: Record<string, unknown> }, sent: unknown) => {
    // JSON is YAML: what is kept and shown is the document as it was sent, laid out for people.
    const changed = await replace(request, set, JSON.stringify(sent, null, 2));
    const { etag } = await dispatch.ask(orgOf(request), "policy.document", null);
    set.headers["etag"] = `"${etag}"`;
    return changed;
  };
  return new Elysia()
    .get(
      "/policy",
      async ({ request }) => {
        const { document, etag } = await dispatch.ask(orgOf(request), "policy.document", null);
        return pull(request, document, etag);
      },
      route({ need: "either", busy: true, summary: "The policy in force, signed", tags: ["policy"] }),
    )
    .get(
      "/policy/yaml",
      async ({ request }) => {
        const { yaml, etag } = await dispatch.ask(orgOf(request), "policy.yaml", null);
        return pull(request, yaml, etag, "application/yaml");
      },
      route({ need: "either", summary: "The policy as its author wrote it", tags: ["policy"] }),
    )
    .put(
      "/policy/yaml",
      ({ request, body, set }) => replace(request, set, typeof body === "string" ? body : ""),
      route({
        need: "person",
        roles: admin,
        media: ["yaml"],
        body_max_bytes: MIB,
        extension: true,
        summary: "Replace the policy; a mistake is answered with line and column",
        tags: ["policy"],
      }),
    )
    .put(
      "/policy",
      ({ request, body, set }) => replaceJson(request, set, body),
      route({
        need: "person",
        roles: admin,
        extension: true,
        summary: "Replace the policy, as JSON",
        tags: ["policy"],
      }),
    )
    .get(
      "/policy/history",
      async ({ query: { limit = LIMIT_DEFAULT, cursor }, request, set }) => {
        const before = afterNumber(cursor);
        const asked = { ...(before === undefined ? {} : { before }), limit: limit + 1 };
        const versions = await dispatch.ask(orgOf(request), "policy.history", asked);
        const items = versions.slice(0, limit);
        const next_cursor = versions.length > limit ? encodeCursor([items.at(-1)!.version]) : null;
        return pageReply(request, set, { items, next_cursor });
      },
      {
        query: query(pageQuery),
        ...route({
          need: "person",
          extension: true,
          summary: "Versions of the policy, newest first",
          tags: ["policy"],
        }),
      },
    )
    .get(
      "/policy/history/:version",
      ({ params: { version }, request }) => {
        if (!/^\d{1,9}$/.test(version)) throw refusal("not_found", "There is no such version.");
        return dispatch.ask(orgOf(request), "policy.past", { version: Number(version) });
      },
      {
        params: T.Object({ version: T.String() }),
        ...route({ need: "person", extension: true, summary: "One version with its text", tags: ["policy"] }),
      },
    )
    .post(
      "/policy/validate",
      ({ body: { yaml }, request }) => dispatch.ask(orgOf(request), "policy.examine", { yaml }),
      {
        body: body({ yaml: Draft }),
        ...route({ need: "person", extension: true, summary: "What is wrong with a draft, by line", tags: ["policy"] }),
      },
    )
    .post(
      "/policy/replay",
      ({ body: { yaml, last = 500 }, request }) => dispatch.finish(orgOf(request), "policy.replay", { yaml, last }),
      {
        body: body({ yaml: Draft, last: T.Optional(T.Integer({ minimum: 1, maximum: 5000 })) }),
        ...route({
          need: "person",
          extension: true,
          summary: "Verdicts on the last logged calls that a draft would change",
          tags: ["policy"],
        }),
      },
    )
    .get(
      "/agent/config",
      async ({ request }) => {
        const document = JSON.stringify(await dispatch.ask(orgOf(request), "policy.config", null));
        return pull(request, document, createHash("sha256").update(document).digest("hex"));
      },
      route({ need: "agent", busy: true, summary: "What an agent needs to know", tags: ["agents"] }),
    );
}
