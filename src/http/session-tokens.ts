import { jwt } from "@elysiajs/jwt";
import { Elysia } from "elysia";
import { LRUCache } from "lru-cache";
import type { Role } from "../domain/identity/roles.ts";
import { lazily } from "../domain/lazily.ts";

/** Claims of a session token (RFC 7519); `sid` is looked up at every request, the rest is for the client. */
export interface Claims {
  sub: string;
  org: string;
  role: Role;
  sid: string;
}

export interface SessionTokens {
  issue(claims: Claims, expires_ms: number): Promise<string>;
  /** Undefined for anything but an unexpired token of ours. */
  read(token: string): Promise<Claims | undefined>;
}

export function createSessionTokens(secret: Uint8Array, now: () => number): SessionTokens {
  const sessions = lazily(
    () => new Elysia().use(jwt({ name: "sessions", secret: secret as never, alg: "HS256" })).decorator.sessions,
  );
  // Verified before: the same text cannot become false, only too old.
  const known = lazily(() => new LRUCache<string, { claims: Claims; expires_ms: number }>({ max: 10_000 }));
  const verify = async (token: string): Promise<Claims | undefined> => {
    const payload = await sessions().verify(token, { currentDate: new Date(now()) });
    if (!payload) return undefined;
    const { sub, org, role, sid, exp } = payload as Partial<Claims> & { exp?: number };
    if (!sub || !org || !role || !sid || !exp) return undefined;
    const claims = { sub, org, role, sid };
    known().set(token, { claims, expires_ms: exp * 1000 });
    return claims;
  };
  return {
    issue: ({ sub, org, role, sid }, expires_ms) =>
      sessions().sign({ sub, org, role, sid, exp: Math.floor(expires_ms / 1000) }),
    read: token => {
      const before = known().get(token);
      return before && before.expires_ms > now() ? Promise.resolve(before.claims) : verify(token);
    },
  };
}
