import type { Directory } from "../directory/directory.ts";
import type { SignedIn } from "../directory/sessions.ts";
import type { Credentials } from "./authenticate.ts";
import type { SessionTokens } from "./session-tokens.ts";

/** People whose tokens an identity provider makes. */
export interface Outside {
  /** Whether a token says it is the provider's; nothing is verified by that. */
  claims(token: string): boolean;
  person(token: string): Promise<SignedIn | undefined>;
}

/**
 * Tokens looked up where they live: agents' and access tokens by their hash, sessions by the id in their JWT; what names the
 * identity provider as its issuer is verified with that provider's keys and with nothing else.
 */
export function createCredentials(directory: Directory, tokens: SessionTokens, outside?: Outside): Credentials {
  return {
    agent: token => directory.agents.lookup(token),
    async person(token) {
      if (token.startsWith("ghp_")) return directory.accessTokens.lookup(token);
      if (outside?.claims(token)) return outside.person(token);
      const claims = await tokens.read(token);
      return claims && directory.sessions.lookup(claims.sid);
    },
  };
}
