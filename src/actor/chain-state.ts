import type { OrgStore } from "../store/org-store.ts";
import type { Context } from "./answer.ts";

export interface ChainState {
  valid: boolean;
  /** Entries recomputed. */
  count: number;
}

interface Checked extends ChainState {
  whole_ms: number;
}

/** How long a verification of the whole log counts; until then only what came since is recomputed. */
const WHOLE_EVERY_MS = 3_600_000;
const checked = new WeakMap<OrgStore, Checked>();

/** Whether the chain verifies, in slices. What has been recomputed within the hour is not recomputed again. */
export function* chainState({ store, now }: Context): Generator<undefined, ChainState> {
  if (store.frozen !== undefined) return { valid: false, count: store.log.head().size };
  const known = checked.get(store);
  const fresh = known?.valid && now() - known.whole_ms < WHOLE_EVERY_MS ? known : undefined;
  const from = fresh ? Math.max(0, fresh.count - 1) : 0;
  const { size } = store.log.head();
  const steps = store.log.verify({ from, to: size });
  let step = steps.next();
  for (; !step.done; step = steps.next()) yield undefined;
  const state = { valid: step.value.valid, count: size, whole_ms: fresh?.whole_ms ?? now() };
  checked.set(store, state);
  return state;
}
