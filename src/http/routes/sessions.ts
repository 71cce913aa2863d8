import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { iso } from "../../domain/time.ts";
import { route } from "../access.ts";
import { note } from "../note.ts";
import { pageOfAll, pageQuery, pageReply } from "../page.ts";
import { ownAccount } from "../own-account.ts";
import type { Parts } from "../parts.ts";
import { noContent } from "../reply.ts";
import { body, Id, Line, Password, query } from "../schema.ts";
import { actorOf } from "../visit.ts";
import { originOf, sessionReply } from "./auth.ts";

const one = T.Object({ id: Id });
const tags = ["authentication"];
const person = (summary: string) => route({ need: "person", summary, tags, extension: true });

/** A person's own password, sessions and remembered devices. */
export function sessionRoutes(parts: Parts) {
  const { sessions, trustedDevices, signIns } = parts.directory;
  return new Elysia()
    .post(
      "/auth/password",
      async ({ body: { current, new: next }, request }) => {
        const { account, email, org, session } = ownAccount(request);
        parts.rates.account.take(email);
        await signIns.changePassword({ account, current, next, session: session ?? "" });
        await note(parts, {
          org,
          kind: "account.password_changed",
          actor: actorOf(request),
          attributes: { account, email },
        });
        return noContent();
      },
      { body: body({ current: Password, new: Password }), ...person("Change the password; every other session ends") },
    )
    .post(
      "/auth/session",
      ({ body: { organisation }, request }) => {
        const { account, session } = ownAccount(request);
        return sessionReply(parts, signIns.move({ account, session, organisation, origin: originOf(request) }));
      },
      {
        body: body({ organisation: Line }),
        ...person("Go on in another organisation: a session there; the one before ends"),
      },
    )
    .get(
      "/auth/sessions",
      ({ query, request, set }) => {
        const { account, session } = ownAccount(request);
        const { items, next_cursor } = pageOfAll(sessions.list(account), query);
        const shown = items.map(({ account: _, ...one }) => ({
          ...one,
          current: one.id === session,
          ...{ created_at: iso(one.created_at), expires_at: iso(one.expires_at), last_seen_at: iso(one.last_seen_at) },
        }));
        return pageReply(request, set, { items: shown, next_cursor });
      },
      { query: query(pageQuery), ...person("Where one is signed in") },
    )
    .delete(
      "/auth/sessions/:id",
      ({ params: { id }, request }) => {
        sessions.revoke(ownAccount(request).account, id);
        return noContent();
      },
      { params: one, ...person("End a session") },
    )
    .get(
      "/auth/devices",
      ({ query, request, set }) => {
        const { items, next_cursor } = pageOfAll(trustedDevices.list(ownAccount(request).account), query);
        const shown = items.map(one => ({
          ...one,
          ...{ created_at: iso(one.created_at), expires_at: iso(one.expires_at), last_used_at: iso(one.last_used_at) },
        }));
        return pageReply(request, set, { items: shown, next_cursor });
      },
      { query: query(pageQuery), ...person("Devices that need no second factor") },
    )
    .delete(
      "/auth/devices/:id",
      ({ params: { id }, request }) => {
        trustedDevices.revoke(ownAccount(request).account, id);
        return noContent();
      },
      { params: one, ...person("Forget a device") },
    );
}
