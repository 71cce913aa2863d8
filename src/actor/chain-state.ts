import type { OrgStore } from "../store/org-store.ts";
import type { Context } from "./answer.ts";

export interface ChainState {
  valid: boolean;
  /** Entries recomputed, from the first. */
  count: number;
  /** False while the first verification of a long log is under way: nothing is known yet of what comes after `count`. */
  whole: boolean;
}

interface Known extends ChainState {
  whole_ms: number;
  /** Being recomputed in pauses. */
  busy: boolean;
}

/** How long a verification of the whole log counts; until then only what came since is recomputed. */
const WHOLE_EVERY_MS = 3_600_000;
/** Recomputed while somebody waits for an answer; more is done in pauses. */
const AT_ONCE = 4_096;
/** Entries of one step in a pause: a few milliseconds. */
const STEP = 512;

const kept = new WeakMap<OrgStore, Known>();

function knownOf(store: OrgStore): Known {
  let known = kept.get(store);
  if (!known) kept.set(store, (known = { valid: true, count: 0, whole: false, whole_ms: -Infinity, busy: false }));
  return known;
}

/**
 * Whether the chain verifies. `wait`: the whole log, in slices, unless that was done within the hour; then what came since.
 * Otherwise what is known by now: a short rest is recomputed at once, a long one in pauses from here on.
 */
export function* chainState(context: Context, { wait }: { wait: boolean }): Generator<undefined, ChainState> {
  const { store, now } = context;
  const { size } = store.log.head();
  if (store.frozen !== undefined) return { valid: false, count: size, whole: true };
  const known = knownOf(store);
  const isFresh = () => known.whole && known.valid && now() - known.whole_ms < WHOLE_EVERY_MS;
  const from = isFresh() || !wait ? Math.max(0, known.count - 1) : 0;
  if (wait || (known.valid && size - from <= AT_ONCE)) {
    const steps = store.log.verify({ from, to: size });
    let step = steps.next();
    for (; !step.done; step = steps.next()) yield undefined;
    learn(context, known, { from, size, valid: step.value.valid });
  }
  if (!wait && !(isFresh() && known.count >= size)) recheck(context, known, isFresh() ? known.count - 1 : 0);
  return stateOf(known);
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
      if (!known.whole) known.count = step.value;
      return true;
    }
    known.busy = false;
    learn(context, known, { from, size, valid: step.value.valid });
    return false;
  });
}
