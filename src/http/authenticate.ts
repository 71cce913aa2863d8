import { refusal } from "../errors.ts";
import type { Access } from "./access.ts";
import type { KnownAgent } from "../directory/agents.ts";
import type { SignedIn } from "../directory/sessions.ts";
import type { Caller } from "./visit.ts";

/** Who stands behind a token; undefined for one that is unknown, expired or revoked. */
export interface Credentials {
  agent(token: string): KnownAgent | undefined;
  person(token: string): Promise<SignedIn | undefined>;
}

/** Decides the caller from the headers alone and refuses whoever may not come in. The body has not been read yet. */
export async function authenticate(headers: Headers, access: Access, credentials: Credentials): Promise<Caller> {
  if (access.need === "public") return { kind: "nobody" };
  if (headers.has("x-demo-session")) throw refusal("demo_not_allowed");
  const caller = await callerOf(headers.get("authorization"), credentials);
  if (access.need !== "either" && access.need !== caller.kind) throw refusal("wrong_caller");
  if (caller.kind === "person" && access.roles && !access.roles.includes(caller.role)) throw refusal("forbidden");
  return caller;
}

async function callerOf(header: string | null, credentials: Credentials): Promise<KnownAgent | SignedIn> {
  if (header === null) throw refusal("unauthenticated");
  const [, token] = /^bearer +([A-Za-z0-9._~+/=-]{1,8192}) *$/i.exec(header) ?? [];
  const caller = token && (token.startsWith("gha_") ? credentials.agent(token) : await credentials.person(token));
  if (!caller) throw refusal("invalid_token");
  return caller;
}
