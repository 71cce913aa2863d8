import type { Client } from "../../hooks/dialect.ts";

/** One call of a hook, as it is handed from process to process. */
export interface Question {
  client: Client;
  /** The hook's name from the command line, for agents whose payload does not carry it. */
  hook?: string | undefined;
  /** What the agent sent, unread. */
  payload: string;
  /** What the event stands under when the call has no identity of its own. */
  nonce: string;
  /** The person's home: a resident answers for one only. */
  user: string;
  cwd: string;
}
