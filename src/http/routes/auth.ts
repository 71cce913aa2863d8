import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { setUp } from "../../directory/first-run.ts";
import type { SignIn, SignedInNow } from "../../directory/sign-in.ts";
import { emailKey } from "../../domain/identity/email.ts";
import { route } from "../access.ts";
import { noteIfPossible } from "../note.ts";
import { noContent } from "../reply.ts";
import type { Parts } from "../parts.ts";
import { body, Line, Name } from "../schema.ts";
import { personOf, visitOf } from "../visit.ts";

const Login = body({
  email: T.String({ minLength: 1, maxLength: 320 }),
  password: T.String({ minLength: 1, maxLength: 1024 }),
  organisation: T.Optional(Line),
  trusted_device: T.Optional(Line),
});

const Setup = body({
  code: Line,
  email: T.String({ minLength: 1, maxLength: 320 }),
  password: T.String({ minLength: 1, maxLength: 1024 }),
  name: T.Optional(Name),
  organisation: T.Optional(Name),
});

/** Sign-in with email and password; what it answers is the same for an unknown address and a wrong password, in the same time. */
export function authRoutes(parts: Parts) {
  const { directory, rates } = parts;
  return new Elysia()
    .post(
      "/auth/login",
      async ({ body, request }) => {
        const visit = visitOf(request);
        Object.assign(visit.headers, rates.account.take(emailKey(body.email) ?? ""));
        const { email, password, organisation, trusted_device } = body;
        const where = { ...(organisation ? { organisation } : {}), ...(trusted_device ? { trusted_device } : {}) };
        return signInReply(
          parts,
          await directory.signIns.withPassword({ email, password, ...where, origin: originOf(request) }),
        );
      },
      {
        body: Login,
        ...route({
          need: "public",
          rate: "login",
          summary: "Sign in with email and password",
          tags: ["authentication"],
        }),
      },
    )
    .post(
      "/auth/setup",
      async ({ body: { code, email, password, name, organisation }, request, set }) => {
        const { org_name, plan } = parts.config;
        const entry = {
          code,
          email,
          password,
          organisation: organisation ?? org_name,
          plan,
          ...(name ? { name } : {}),
        };
        await setUp(directory, parts.setup, entry);
        set.status = 201;
        return signInReply(parts, await directory.signIns.withPassword({ email, password, origin: originOf(request) }));
      },
      {
        body: Setup,
        ...route({
          need: "public",
          rate: "login",
          summary: "Found the first organisation with the one-time code",
          tags: ["authentication"],
          extension: true,
        }),
      },
    )
    .post(
      "/auth/logout",
      ({ request }) => {
        const { account, session } = personOf(request);
        if (session) directory.sessions.revoke(account, session);
        return noContent();
      },
      route({ need: "person", summary: "End this session", tags: ["authentication"], extension: true }),
    )
    .get(
      "/auth/session",
      ({ request }) => {
        const { account, org, role } = personOf(request);
        const { id, email, name, two_factor } = directory.accounts.get(account);
        const memberships = directory.members
          .places(account)
          .map(place => ({ id: place.id, name: place.name, role: place.role }));
        const organisation = { id: org, name: directory.organisations.get(org).name, role };
        return { account: { id, email, name, two_factor }, organisation, role, memberships };
      },
      route({
        need: "person",
        summary: "Who is signed in, where, with which role",
        tags: ["authentication"],
        extension: true,
      }),
    );
}

export const originOf = (request: Request) => ({
  ip: visitOf(request).ip,
  user_agent: request.headers.get("user-agent") ?? "",
});

/** A session and its token, or the second factor that is still wanted. */
export async function signInReply(parts: Parts, signed: SignIn) {
  if (signed.kind === "two_factor")
    return { two_factor: { challenge: signed.challenge, expires_in: signed.expires_in } };
  return sessionReply(parts, signed);
}

/** What a session opens with; that somebody signed in stands in the organisation's log where that can be written. */
export async function sessionReply(parts: Parts, { session, account, organisation }: SignedInNow) {
  const { id, email, name, two_factor } = account;
  const { id: org, role } = organisation;
  const actor = { kind: "person" as const, id, email };
  await noteIfPossible(parts, {
    org,
    kind: "account.signed_in",
    actor,
    attributes: { session: session.id, ip: session.ip },
  });
  return {
    token: await parts.tokens.issue({ sub: id, org, role, sid: session.id }, session.expires_at),
    token_type: "Bearer" as const,
    expires_in: Math.ceil((session.expires_at - parts.now()) / 1000),
    account: { id, email, name, two_factor },
    organisation: { id: org, name: organisation.name, role },
  };
}
