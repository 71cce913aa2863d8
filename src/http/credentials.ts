import type { Directory } from "../directory/directory.ts";
import type { Credentials } from "./authenticate.ts";
import type { SessionTokens } from "./session-tokens.ts";

/** Tokens looked up where they live: agents' and access tokens by their hash, sessions by the id in their JWT. */
export function createCredentials(directory: Directory, tokens: SessionTokens): Credentials {
  return {
    agent: token => directory.agents.lookup(token),
    async person(token) {
      if (token.startsWith("ghp_")) return directory.accessTokens.lookup(token);
      const claims = await tokens.read(token);
      return claims && directory.sessions.lookup(claims.sid);
    },
  };
}
