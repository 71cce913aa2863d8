import type { OrgStore } from "../store/org-store.ts";
import type { Context } from "./answer.ts";
import { ProvedCounts } from "./counts.ts";

export interface ChainState {
  valid: boolean;
  /** Entries recomputed, from the first. */
  count: number;
  /** False while the first verification of a long log is under way: nothing is known yet of what comes after `count`. */
  whole: boolean;
}

interface Known extends ChainState {
  whole_ms: number;
  /** What its entries said as they were recomputed, as far as something was signed. */
  counts: ProvedCounts;
  /** Being recomputed in pauses. */
  busy: boolean;
}

/** How long a verification of the whole log counts; until then only what came since is recomputed. */
const WHOLE_EVERY_MS = 3_600_000;
/** Recomputed while somebody waits for an answer; more is done in pauses. */
const AT_ONCE = 4_096;
/** Entries of one step without a pause: a few milliseconds. */
const STEP = 512;

const kept = new WeakMap<OrgStore, Known>();

function knownOf(store: OrgStore): Known {
  let known = kept.get(store);
  if (!known) kept.set(store, (known = { ...unknown, counts: new ProvedCounts() }));
  return known;
}

const unknown = { valid: true, count: 0, whole: false, whole_ms: -Infinity, busy: false };

const isFresh = ({ now }: Context, known: Known): boolean =>
  known.whole && known.valid && now() - known.whole_ms < WHOLE_EVERY_MS;

/** What is known by now of whether the chain verifies: a short rest is recomputed at once, a long one in pauses from here on. */
export function* chainState(context: Context): Generator<undefined, ChainState> {
  const { store } = context;
  const { size } = store.log.head();
  if (store.frozen !== undefined) return { valid: false, count: size, whole: true };
  const known = knownOf(store);
  const from = Math.max(0, known.count - 1);
  if (known.valid && size - from <= AT_ONCE) {
    const { valid } = yield* rested(store.log.verify({ from, to: size }));
    learn(context, known, { from, size, valid });
  }
  const fresh = isFresh(context, known);
  if (!(fresh && known.count >= size)) recheck(context, known, fresh ? known.count - 1 : 0);
  return stateOf(known);
}

/**
 * Recomputes the whole log, in slices, unless that was done within the hour, then what came since; and counts what its entries
 * say. When it returns, both are of the log as it stands. A log that does not verify is counted up to the break.
 */
export function* provedChain(context: Context): Generator<undefined, { chain: ChainState; counts: ProvedCounts }> {
  const { store } = context;
  const known = knownOf(store);
  const counts = isFresh(context, known) ? known.counts : new ProvedCounts();
  for (;;) {
    const { size } = store.log.head();
    const from = Math.max(0, counts.size - 1);
    const steps = store.log.verify({ from, to: size, proved: entry => counts.add(entry) });
    const { valid } = size - from > STEP ? yield* rested(steps) : finish(steps);
    learn(context, known, { from, size, valid });
    if (!valid || store.log.head().size === counts.size) break;
  }
  known.counts = counts;
  return { chain: store.frozen === undefined ? stateOf(known) : { ...stateOf(known), valid: false }, counts };
}

function* rested<T>(steps: Generator<unknown, T>): Generator<undefined, T> {
  let step = steps.next();
  for (; !step.done; step = steps.next()) yield undefined;
  return step.value;
}

function finish<T>(steps: Generator<unknown, T>): T {
  let step = steps.next();
  while (!step.done) step = steps.next();
  return step.value;
}

const stateOf = ({ valid, count, whole }: Known): ChainState => ({ valid, count, whole });

function learn({ now }: Context, known: Known, found: { from: number; size: number; valid: boolean }): void {
  known.valid = found.valid && (known.valid || found.from === 0);
  known.count = Math.max(known.count, found.size);
  if (found.from === 0) Object.assign(known, { whole: true, whole_ms: now() });
}

/** Goes on in pauses: from the first entry, or from where the log has been recomputed. */
function recheck(context: Context, known: Known, from: number): void {
  if (known.busy) return;
  known.busy = true;
  const { size } = context.store.log.head();
  const steps = context.store.log.verify({ from, to: size, slice: STEP, tables: false });
  context.later(() => {
    const step = steps.next();
    if (!step.done) {
      if (!known.whole) known.count = Math.max(known.count, step.value);
      return true;
    }
    known.busy = false;
    learn(context, known, { from, size, valid: step.value.valid });
    return false;
  });
}
