import { plant, type Mutation } from "./mutants.ts";
import { generator } from "./storm.ts";

/** One kind of fault: how to make it, whether it can be made here, and a mutant that would not survive it. */
export interface Harness {
  name: string;
  rounds: number;
  /** Why it cannot run on this machine; undefined where it can. */
  missing(): string | undefined;
  mutant: readonly Mutation[];
  /** What is said of the mutant when it is caught. */
  caught: RegExp;
  /** Changes of the source that belong to the fault itself, such as a thread that dies. */
  always?: readonly Mutation[];
  run(options: RunOptions): Promise<Outcome>;
}

export interface RunOptions {
  rounds: number;
  next: () => number;
  /** Root of another copy of the source, and its entry. */
  root?: string;
  main?: string;
}

export interface Outcome {
  /** Events that were acknowledged. */
  acknowledged: number;
  problems: string[];
  /** What happened, in a few words, so that a run in which nothing happened shows. */
  told: string;
}

/** The sound program, then the mutant; `caught` is what was said of it. */
export async function prove(harness: Harness, rounds: number, seed: number) {
  const sound = await once(harness, harness.always ?? [], rounds, seed);
  const mutant = await once(harness, [...(harness.always ?? []), ...harness.mutant], rounds, seed);
  return { sound, mutant, caught: mutant.problems.find(problem => harness.caught.test(problem)) };
}

export async function once(
  { run }: Harness,
  mutations: readonly Mutation[],
  rounds: number,
  seed: number,
): Promise<Outcome> {
  const next = generator(seed);
  if (mutations.length === 0) return run({ rounds, next });
  const copy = plant(mutations);
  return run({ rounds, next, root: copy.root, main: copy.main }).finally(copy.remove);
}
