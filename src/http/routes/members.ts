import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Member } from "../../domain/org/members.ts";
import { isId } from "../../domain/identity/ids.ts";
import { roles } from "../../domain/identity/roles.ts";
import { iso } from "../../domain/time.ts";
import { refusal } from "../../errors.ts";
import { admin, route } from "../access.ts";
import { idempotent } from "../idempotent.ts";
import { note } from "../note.ts";
import { decodeCursor, encodeCursor, LIMIT_DEFAULT, pageQuery, pageReply, unknownCursor } from "../page.ts";
import type { Parts } from "../parts.ts";
import { noContent } from "../reply.ts";
import { roomFor } from "../room.ts";
import { body, Email, Id, query } from "../schema.ts";
import { actorOf, personOf } from "../visit.ts";

const RoleName = T.Union(roles.map(role => T.Literal(role)));
const Invite = body({ email: Email, role: RoleName });
const one = T.Object({ id: Id });

export const memberReply = ({ created_at, ...member }: Member) => ({ ...member, created_at: iso(created_at) });

/** Who belongs to the organisation, and who is asked to. */
export function memberRoutes(parts: Parts) {
  const { members, invitations } = parts.directory;
  return new Elysia()
    .get(
      "/org/members",
      ({ query: { limit = LIMIT_DEFAULT, cursor }, request, set }) => {
        const found = members.list(personOf(request).org, limit + 1, afterOf(cursor));
        const items = found.slice(0, limit);
        const last = items.at(-1);
        const next_cursor = found.length > limit && last ? encodeCursor([last.created_at, last.id]) : null;
        return pageReply(request, set, { items: items.map(memberReply), next_cursor });
      },
      { query: query(pageQuery), ...route({ need: "person", summary: "List members", tags: ["organisation"] }) },
    )
    .post(
      "/org/members",
      async ({ body, request, set }) => {
        const reply = await idempotent(parts, request, body, () => invite(parts, request, body));
        set.status = 201;
        return reply;
      },
      { body: Invite, ...route({ need: "person", roles: admin, summary: "Invite a member", tags: ["organisation"] }) },
    )
    .patch(
      "/org/members/:id",
      async ({ params: { id }, body: { role }, request }) => {
        const { org } = personOf(request);
        const before = members.get(org, id);
        if (before.status === "invited")
          throw refusal("conflict", "Withdraw the invitation and invite again with the other role.");
        if (before.role !== role) {
          members.changeRole(org, id, role);
          const attributes = { account: id, email: before.email, role, before: before.role };
          await note(parts, { org, kind: "member.role_changed", actor: actorOf(request), attributes }, () =>
            members.changeRole(org, id, before.role),
          );
        }
        return memberReply(members.get(org, id));
      },
      {
        params: one,
        body: body({ role: RoleName }),
        ...route({ need: "person", roles: admin, summary: "Change a role", tags: ["organisation"], extension: true }),
      },
    )
    .delete(
      "/org/members/:id",
      async ({ params: { id }, request }) => {
        const { org } = personOf(request);
        const { email, role, status } = members.get(org, id);
        const actor = actorOf(request);
        if (status === "invited") invitations.withdraw(org, id);
        else members.remove(org, id);
        const kind = status === "invited" ? ("invitation.withdrawn" as const) : ("member.removed" as const);
        await note(parts, {
          org,
          kind,
          actor,
          attributes: { [status === "invited" ? "invitation" : "account"]: id, email, role },
        });
        return noContent();
      },
      {
        params: one,
        ...route({
          need: "person",
          roles: admin,
          summary: "Remove a member or withdraw an invitation",
          tags: ["organisation"],
        }),
      },
    );
}

async function invite(parts: Parts, request: Request, { email, role }: typeof Invite.static) {
  const { org, account } = personOf(request);
  const { invitations, members } = parts.directory;
  roomFor(parts, org, "seats");
  const { invitation, token } = invitations.create({ org, email, role, invited_by: account });
  const attributes = { invitation: invitation.id, email: invitation.email, role };
  const undo = () => void invitations.drop(invitation.id);
  await note(parts, { org, kind: "member.invited", actor: actorOf(request), attributes }, undo);
  const invitation_url = `${parts.public_url}/invitation?token=${token}`;
  return { ...memberReply(members.get(org, invitation.id)), invitation_url, expires_at: iso(invitation.expires_at) };
}

function afterOf(cursor: string | undefined): [number, string] | undefined {
  const key = decodeCursor(cursor);
  if (!key) return undefined;
  const [created_at, id] = key;
  if (typeof created_at === "number" && typeof id === "string" && (isId("usr", id) || isId("inv", id)))
    return [created_at, id];
  throw unknownCursor();
}
