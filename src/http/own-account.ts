import type { SignedIn } from "../directory/sessions.ts";
import { refusal } from "../errors.ts";
import { personOf } from "./visit.ts";

/**
 * The person, where something of the account itself is shown or changed: never the shared demo account, and signed in, not
 * merely holding an access token – a token that leaks must not become a way to stay.
 */
export function ownAccount(request: Request): SignedIn {
  const person = personOf(request);
  if (person.demo) throw refusal("demo_account");
  if (person.token !== undefined)
    throw refusal("wrong_caller", "Sign in for this; an access token cannot change its account.");
  return person;
}
