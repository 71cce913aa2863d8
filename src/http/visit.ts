import type { Actor } from "../domain/org/actor.ts";
import type { KnownAgent } from "../directory/agents.ts";
import type { SignedIn } from "../directory/sessions.ts";
import { refusal } from "../errors.ts";
import type { Access } from "./access.ts";

export type Caller = { kind: "nobody" } | SignedIn | KnownAgent;

/** What the front door found out about a request before the router saw it. */
export interface Visit {
  request_id: string;
  /** As the request wrote it, without the query. */
  path: string;
  /** Found out when it is first asked for: the runtime takes 7 µs to tell. */
  readonly ip: string;
  caller: Caller;
  access: Access;
  headers: Record<string, string>;
  /** Decides the caller anew: throws once the token no longer opens this route. Of answers that take long. */
  recheck?: () => Caller | Promise<Caller>;
}

const visits = new WeakMap<Request, Visit>();

export const admit = (request: Request, visit: Visit) => void visits.set(request, visit);

export function visitOf(request: Request): Visit {
  const visit = visits.get(request);
  if (!visit) throw new Error("a request reached a handler without passing the front door");
  return visit;
}

export function personOf(request: Request): SignedIn {
  const { caller } = visitOf(request);
  if (caller.kind !== "person") throw refusal("wrong_caller");
  return caller;
}

export function agentOf(request: Request): KnownAgent {
  const { caller } = visitOf(request);
  if (caller.kind !== "agent") throw refusal("wrong_caller");
  return caller;
}

/** The organisation of whoever calls. */
export function orgOf(request: Request): string {
  const { caller } = visitOf(request);
  if (caller.kind === "nobody") throw refusal("unauthenticated");
  return caller.org;
}

/** Who acts, for the organisation's log. */
export function actorOf(request: Request): Actor {
  const { caller } = visitOf(request);
  if (caller.kind === "person") return { kind: "person", id: caller.account, email: caller.email };
  if (caller.kind === "agent") return { kind: "agent", id: caller.agent };
  throw refusal("unauthenticated");
}
