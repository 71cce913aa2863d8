import type { SignedIn } from "../directory/sessions.ts";
import type { Credentials } from "./authenticate.ts";
import type { Parts } from "./parts.ts";

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
export function createCredentials(
  { directory, tokens, demo, demo_directory }: Pick<Parts, "directory" | "tokens" | "demo" | "demo_directory">,
  outside?: Outside,
): Credentials {
  return {
    async demo(session) {
      const facts = await demo.enter(session);
      demo_directory.entered(facts);
      return facts;
    },
    agent: token => directory.agents.lookup(token),
    async person(token) {
      if (token.startsWith("ghp_")) return directory.accessTokens.lookup(token);
      if (outside?.claims(token)) return outside.person(token);
      const claims = await tokens.read(token);
      return claims && directory.sessions.lookup(claims.sid);
    },
  };
}
