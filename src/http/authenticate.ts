import type { WorkspaceFacts } from "../domain/demo/workspace.ts";
import { isToken } from "../domain/identity/tokens.ts";
import { refusal } from "../errors.ts";
import type { Access } from "./access.ts";
import type { KnownAgent } from "../directory/agents.ts";
import type { SignedIn } from "../directory/sessions.ts";
import type { Caller } from "./visit.ts";

/** Who stands behind a token; undefined for one that is unknown, expired or revoked. */
export interface Credentials {
  agent(token: string): KnownAgent | undefined;
  person(token: string): Promise<SignedIn | undefined>;
  /** The workspace behind a demo handle. Throws `demo_expired`. */
  demo(session: string): Promise<WorkspaceFacts>;
}

/**
 * Decides the caller from the headers alone and refuses whoever may not come in. The body has not been read yet. Agents, who ask
 * most, are known at once.
 */
export function authenticate(headers: Headers, access: Access, credentials: Credentials): Caller | Promise<Caller> {
  if (access.demo) return credentials.demo(handleOf(headers)).then(facts => visitor(facts, access));
  if (access.need === "public") return { kind: "nobody" };
  if (headers.has("x-demo-session")) throw refusal("demo_not_allowed");
  const token = tokenOf(headers.get("authorization"));
  if (token.startsWith("gha_")) return allowed(credentials.agent(token), access);
  return credentials.person(token).then(person => allowed(person, access));
}

function tokenOf(header: string | null): string {
  if (header === null) throw refusal("unauthenticated");
  const [, token] = /^bearer +([A-Za-z0-9._~+/=-]{1,8192}) *$/i.exec(header) ?? [];
  if (token === undefined) throw refusal("invalid_token");
  return token;
}

function allowed(caller: KnownAgent | SignedIn | undefined, { need, roles }: Access): Caller {
  if (!caller) throw refusal("invalid_token");
  if (need !== "either" && need !== caller.kind) throw refusal("wrong_caller");
  if (caller.kind === "person" && roles && !roles.includes(caller.role)) throw refusal("forbidden");
  return caller;
}

/** The demo handle of a request; what does not look like one is not worth asking about. */
export function handleOf(headers: Headers): string {
  const session = headers.get("x-demo-session") ?? "";
  if (!isToken("demo", session)) throw refusal("demo_expired");
  return session;
}

/** A visitor is the demo company's admin; where agents ask, the visitor asks as one of its agents. */
function visitor({ org, visitor: { id, email, name, role }, agent }: WorkspaceFacts, { need }: Access): Caller {
  if (need === "agent") return { kind: "agent", agent, org };
  return { kind: "person", account: id, email, name, org, role, demo: true };
}
