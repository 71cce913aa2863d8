import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Invitation } from "../../directory/invitations.ts";
import { hashNew } from "../../directory/sign-in.ts";
import { refusal } from "../../errors.ts";
import { route } from "../access.ts";
import { note } from "../note.ts";
import type { Parts } from "../parts.ts";
import { body, Line, Password, Name } from "../schema.ts";
import { originOf, signInReply } from "./auth.ts";

const Accept = body({ token: Line, name: T.Optional(Name), password: T.Optional(Password) });

/** Joining an organisation with the link of an invitation: as a new account, or with an existing one's password. */
export function invitationRoutes(parts: Parts) {
  return new Elysia().post("/auth/accept-invitation", ({ body, request }) => accept(parts, request, body), {
    body: Accept,
    ...route({
      need: "public",
      rate: "login",
      summary: "Accept an invitation",
      tags: ["authentication"],
      extension: true,
    }),
  });
}

async function accept(parts: Parts, request: Request, entry: typeof Accept.static) {
  const { invitations, accounts, signIns } = parts.directory;
  const unknown = refusal("not_found", "This invitation is unknown, used, withdrawn or older than seven days.");
  const invitation = invitations.find(entry.token);
  if (!invitation) throw unknown;
  const { password } = entry;
  if (password === undefined) throw missingPassword();
  parts.rates.account.take(invitation.email);
  const known = accounts.byEmail(invitation.email);
  if (known) await signIns.provePassword(invitation.email, password);
  const password_hash = known
    ? undefined
    : await hashNew(parts.directory.passwords, password, invitation.email, "/password");
  // The link may have been used while the password was hashed.
  const account = join(parts, invitation, { password_hash, name: entry.name });
  if (!account) throw unknown;
  const { org, email, role } = invitation;
  const attributes = { account, email, role, invitation: invitation.id };
  await note(parts, { org, kind: "member.joined", actor: { kind: "person", id: account, email }, attributes });
  return signInReply(
    parts,
    await signIns.withPassword({ email, password, organisation: org, origin: originOf(request) }),
  );
}

/** The account that joined; undefined when the invitation is gone. */
function join(
  { directory }: Parts,
  { id, org, email, role }: Invitation,
  made: { password_hash: string | undefined; name: string | undefined },
) {
  const { accounts, invitations, members, atomic } = directory;
  return atomic(() => {
    if (!invitations.drop(id)) return undefined;
    const { password_hash, name } = made;
    const fresh = { email, ...(password_hash ? { password_hash } : {}), ...(name ? { name } : {}) };
    const account = (accounts.byEmail(email) ?? accounts.create(fresh)).id;
    members.add(org, account, role);
    return account;
  });
}

const missingPassword = () =>
  refusal("invalid", { details: [{ path: "/password", message: "Is required: a new one, or that of your account." }] });
