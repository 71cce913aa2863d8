import type { Env } from "../../client/folder.ts";
import { homeOf, readCredentials } from "../../client/home.ts";
import { cachedPolicy } from "../../client/policy-cache.ts";
import type { Answer } from "../../hooks/dialect.ts";

/** What went wrong on our side. Enforced, it refuses (exit 2 is the one signal all agents obey); in audit-only it lets go. */
export function failure(env: Env, error: unknown): Answer {
  const home = homeOf(env);
  const mode = cachedPolicy(home, readCredentials(home)?.signing_keys ?? [])?.document.enforcement_mode;
  const said = `Gatehouse could not judge this call (${(error as Error).message}).`;
  return mode === "audit-only"
    ? { stdout: "{}\n", stderr: `${said} In audit-only it goes on all the same.\n`, exit: 0 }
    : {
        stdout: "",
        stderr: `${said} The organisation's policy refuses what cannot be judged; no person cancelled it.\n`,
        exit: 2,
      };
}
