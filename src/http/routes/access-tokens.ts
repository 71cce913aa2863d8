import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { AccessToken } from "../../directory/access-tokens.ts";
import { iso, isoOrNull } from "../../domain/time.ts";
import { route } from "../access.ts";
import { note } from "../note.ts";
import { pageOfAll, pageQuery, pageReply } from "../page.ts";
import { ownAccount } from "../own-account.ts";
import type { Parts } from "../parts.ts";
import { noContent } from "../reply.ts";
import { body, Id, query, Name } from "../schema.ts";
import { actorOf } from "../visit.ts";

const DAY_S = 86_400;
const DAYS_DEFAULT = 90;
const DAYS_MAX = 366;
const Create = body({
  name: Name,
  expires_in_days: T.Optional(T.Integer({ minimum: 1, maximum: DAYS_MAX, description: `Default ${DAYS_DEFAULT}` })),
});
const person = (summary: string) => route({ need: "person", summary, tags: ["authentication"], extension: true });

const reply = ({ created_at, expires_at, last_used_at, ...token }: AccessToken) => ({
  ...token,
  ...{ created_at: iso(created_at), expires_at: iso(expires_at), last_used_at: isoOrNull(last_used_at) },
});

/** Named access tokens (`ghp_…`) a script acts with as its person, in this organisation, with that person's role. */
export function accessTokenRoutes(parts: Parts) {
  const { accessTokens } = parts.directory;
  return new Elysia()
    .get(
      "/auth/tokens",
      ({ query, request, set }) => {
        const { account, org } = ownAccount(request);
        const { items, next_cursor } = pageOfAll(accessTokens.list(account, org), query);
        return pageReply(request, set, { items: items.map(reply), next_cursor });
      },
      { query: query(pageQuery), ...person("One's access tokens") },
    )
    .post(
      "/auth/tokens",
      async ({ body: { name, expires_in_days = DAYS_DEFAULT }, request, set }) => {
        const { account, org } = ownAccount(request);
        const made = accessTokens.create({ account, org, name, expires_in_s: expires_in_days * DAY_S });
        const attributes = { token: made.id, name, expires_at: iso(made.expires_at) };
        await note(parts, { org, kind: "token.created", actor: actorOf(request), attributes }, () =>
          accessTokens.revoke(account, org, made.id),
        );
        set.status = 201;
        return reply(made);
      },
      { body: Create, ...person("Make an access token; it is shown once") },
    )
    .delete(
      "/auth/tokens/:id",
      async ({ params: { id }, request }) => {
        const { account, org } = ownAccount(request);
        accessTokens.revoke(account, org, id);
        await note(parts, { org, kind: "token.revoked", actor: actorOf(request), attributes: { token: id } });
        return noContent();
      },
      { params: T.Object({ id: Id }), ...person("Revoke an access token") },
    );
}
