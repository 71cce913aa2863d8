import { createOidc } from "../directory/oidc.ts";
import { createOidcSignIns } from "../directory/oidc-sign-in.ts";
import type { Outside } from "./credentials.ts";
import { note } from "./note.ts";
import type { Parts } from "./parts.ts";

/** The configured identity provider; undefined without one. An invitation accepted by signing in is logged as such. */
export function createOutside(parts: Parts): Outside | undefined {
  const { config, directory, logger, now } = parts;
  const { oidc_issuer: issuer } = config;
  const audience = config.oidc_audience ?? config.oidc_client_id;
  if (!issuer || !audience) return undefined;
  const warn = (message: string) => logger.warn("identity provider", { message });
  const signIns = createOidcSignIns(directory, createOidc({ issuer, audience, now, warn }), now);
  return {
    claims: signIns.claims,
    async person(token) {
      const caller = await signIns.person(token);
      if (!caller?.joined) return caller?.person;
      const { account, email } = caller.person;
      const { org, ...joined } = caller.joined;
      const attributes = { account, email, ...joined };
      await note(parts, { org, kind: "member.joined", actor: { kind: "person", id: account, email }, attributes });
      return caller.person;
    },
  };
}
