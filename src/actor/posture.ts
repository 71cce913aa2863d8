import { refusal } from "../errors.ts";
import { type Context, long, read } from "./answer.ts";

/** One end of a window: a sequence number, or Unix ms. */
export type Edge = { seq: number } | { ms: number };

const seqOf = ({ store }: Context, edge: Edge | undefined): number | undefined =>
  edge && ("seq" in edge ? edge.seq : store.log.seqAt(edge.ms));

export interface Window {
  from?: Edge;
  to?: Edge;
}

/** Sequence numbers `[from, to)` of a window: a number as end is included, a time is where the next would begin. */
export function rangeOf(context: Context, { from, to }: Window): { from: number; to: number } {
  const { size } = context.store.log.head();
  const start = Math.min(seqOf(context, from) ?? 0, size);
  const end = Math.min(to === undefined ? size : seqOf(context, to)! + ("seq" in to ? 1 : 0), size);
  return { from: start, to: Math.max(start, end) };
}

/** `GET /posture/attestation-chain`: recomputes every hash of the window. Sequence numbers include both ends, a time ends before it. */
export const verify = long(function* (context, window: Window) {
  const steps = context.store.log.verify(rangeOf(context, window));
  let step = steps.next();
  for (; !step.done; step = steps.next()) yield undefined;
  // Told as it was asked for: `to` is the last entry of the window (one before `from` when nothing lies in it).
  return { ...step.value, to: step.value.to - 1, checkpoint: context.store.log.checkpoint() };
});

/** What it takes to verify a window in parts, elsewhere. */
export const span = read((context, window: Window) => {
  const { seq, hash } = context.store.log.head();
  return { ...rangeOf(context, window), head: { seq, hash }, vkey: context.vkey };
});

export const checkpoint = read(({ store }, _: null) => store.log.checkpoint());

export const keys = read(({ vkey, store }, _: null) => ({
  keys: [{ vkey, since: new Date(store.log.entry(0)?.ts ?? 0).toISOString() }],
}));

export const proof = read(({ store }, { seq, size }: { seq: number; size?: number }) => {
  if (seq >= (size ?? store.log.head().size)) throw refusal("not_found", "The log holds no such entry.");
  return store.log.proof(seq, size);
});
