import type { MakeId } from "../domain/identity/ids.ts";
import type { Refusal } from "../errors.ts";
import type { OrgStore } from "../store/org-store.ts";
import type { Standing } from "./protocol.ts";
import type { Rulebooks } from "./rulebooks.ts";

/** What an answer may use: one organisation, time and identity. Nothing else of the world reaches the actor. */
export interface Context {
  org: string;
  store: OrgStore;
  rulebooks: Rulebooks;
  now(): number;
  /** A fresh id behind a type prefix: `dec_…` (UUIDv7). */
  id: MakeId;
  /** Signs with the organisation's key; base64. */
  sign(message: string): string;
  /** Public key of the organisation's log as a C2SP verifier key. */
  vkey: string;
  heartbeat_s: number;
  /** What its plan gives it; changes while it is open. */
  standing: Standing;
  /** Runs short steps now and then, between other work, until one returns false. */
  later(step: () => boolean): void;
  /** Tells the operator about something that must not happen. */
  alarm(message: string, fields: Record<string, string | number>): void;
}

/**
 * One question an organisation answers.
 * `read`: at once, from what is committed. `write`: within a group commit, replied to when durable; a returned function
 * is called after the commit, for what only then is known. `long`: in slices, so that it never holds up others; bytes it
 * yields are streamed, what it returns is the answer.
 */
export type Answer<I, O> =
  | { mode: "read"; run(context: Context, input: I): O }
  | { mode: "write"; urgent: boolean; run(context: Context, input: I): O | (() => O) }
  | { mode: "long"; run(context: Context, input: I): Generator<Uint8Array | undefined, O> };

export const read = <I, O>(run: (context: Context, input: I) => O): Answer<I, O> => ({ mode: "read", run });
export const write = <I, O>(run: (context: Context, input: I) => O | (() => O)): Answer<I, O> => ({
  mode: "write",
  urgent: false,
  run,
});
/** Served before batches: somebody's shell command is waiting for it. */
export const urgent = <I, O>(run: (context: Context, input: I) => O | (() => O)): Answer<I, O> => ({
  mode: "write",
  urgent: true,
  run,
});
export const long = <I, O>(
  run: (context: Context, input: I) => Generator<Uint8Array | undefined, O>,
): Answer<I, O> => ({
  mode: "long",
  run,
});

export type InputOf<A> = A extends { run(context: Context, input: infer I): unknown } ? I : never;
export type OutputOf<A> = A extends Answer<infer _, infer O> ? O : never;
export type Outcome = { answer: unknown } | { refused: Refusal } | { failed: unknown };
