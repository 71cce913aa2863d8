import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { route } from "../access.ts";
import { note } from "../note.ts";
import { ownAccount } from "../own-account.ts";
import type { Parts } from "../parts.ts";
import { noContent } from "../reply.ts";
import { body, Line } from "../schema.ts";
import { actorOf } from "../visit.ts";
import { originOf, sessionReply } from "./auth.ts";

const Code = T.String({ minLength: 6, maxLength: 32, description: "Six digits, or a recovery code" });
const Verify = body({ challenge: Line, code: Code, remember_device: T.Optional(T.Boolean()) });
const tags = ["authentication"];

/** Time-based one-time passwords (RFC 6238) on top of the password or the identity provider. */
export function twoFactorRoutes(parts: Parts) {
  const { twoFactor } = parts.directory;
  const changed = (request: Request, two_factor: boolean) => {
    const { org, account, email } = ownAccount(request);
    return note(parts, {
      org,
      kind: "account.two_factor_changed",
      actor: actorOf(request),
      attributes: { account, email, two_factor },
    });
  };
  return new Elysia()
    .post("/auth/2fa/verify", ({ body, request }) => verify(parts, request, body), {
      body: Verify,
      ...route({ need: "public", rate: "login", summary: "The second step of signing in", tags }),
    })
    .post("/auth/2fa/setup", ({ request }) => twoFactor.setup(ownAccount(request).account), {
      ...route({ need: "person", summary: "A fresh secret for an authenticator app", tags, extension: true }),
    })
    .post(
      "/auth/2fa/enable",
      async ({ body: { code }, request }) => {
        const { account } = ownAccount(request);
        parts.rates.second_factor.take(account);
        const codes = twoFactor.enable(account, code);
        await changed(request, true);
        return codes;
      },
      {
        body: body({ code: Code }),
        ...route({ need: "person", summary: "Turn two-factor on with a first code", tags, extension: true }),
      },
    )
    .post(
      "/auth/2fa/disable",
      async ({ body: { code }, request }) => {
        const { account } = ownAccount(request);
        parts.rates.second_factor.take(account);
        twoFactor.disable(account, code);
        await changed(request, false);
        return noContent();
      },
      {
        body: body({ code: Code }),
        ...route({ need: "person", summary: "Turn two-factor off", tags, extension: true }),
      },
    );
}

async function verify(parts: Parts, request: Request, { challenge, code, remember_device }: typeof Verify.static) {
  const { challenges, signIns } = parts.directory;
  const account = challenges.find(challenge);
  if (!account) throw refusal("invalid_code", "This sign-in has ended. Start again with the password.");
  parts.rates.second_factor.take(account);
  const signed = signIns.withCode({
    challenge,
    code,
    remember_device: remember_device ?? false,
    origin: originOf(request),
  });
  const { trusted_device } = signed;
  return { ...(await sessionReply(parts, signed)), ...(trusted_device ? { trusted_device } : {}) };
}
