import { Refusal } from "../errors.ts";
import type { LogHead } from "../domain/audit/leaf.ts";
import { diskRefusal, diskTrouble } from "../store/disk-trouble.ts";
import type { Answer, Context, Outcome } from "./answer.ts";

/** One write that waits for its commit. */
export interface Pending {
  answer: Extract<Answer<never, unknown>, { mode: "write" }>;
  input: unknown;
  settle(outcome: Outcome): void;
}

/** A commit takes at most so many bytes of waiting batches, so that nobody behind it waits long. */
const COMMIT_BYTES_MAX = 300 * 1024;
/** Batches that weigh more than this are longer work than a commit of its own for what is urgent. */
const BESIDE_BYTES_MAX = 32 * 1024;
/** How much larger packed events are once unpacked: what they weigh has to be known before they are. */
const PACKED = 8;
const SMALL_BYTES = 512;

/** The writes that wait, urgent ones first; one call commits what fits into one commit. */
export class GroupCommit {
  readonly #context: Context;
  #urgent: Pending[] = [];
  #ordinary: Pending[] = [];
  /** The last commit left batches waiting for the sake of urgent ones: the next one does not. */
  #passedBy = false;
  /** The head of the last group that became durable here. */
  acknowledged: LogHead | undefined;

  constructor(context: Context) {
    this.#context = context;
  }

  get waiting(): number {
    return this.#urgent.length + this.#ordinary.length;
  }

  push(pending: Pending): void {
    (pending.answer.urgent ? this.#urgent : this.#ordinary).push(pending);
  }

  /** Commits one group and settles its members when it is durable. Returns what kept it from becoming so. */
  flush(): unknown {
    const group = this.#take();
    if (group.length === 0) return undefined;
    const { store } = this.#context;
    let outcomes: Outcome[];
    let failed: unknown;
    try {
      outcomes = store.commit(() => group.map(pending => this.#attempt(pending)));
      const { seq, hash } = store.log.head();
      this.acknowledged = { seq, hash };
    } catch (error) {
      failed = error;
      outcomes = group.map(() => failure(error));
    }
    group.forEach((pending, index) => void pending.settle(finish(outcomes[index]!)));
    return failed;
  }

  /** Nothing of what waits will be committed. */
  refuse(refused: Refusal): void {
    for (const pending of [...this.#urgent.splice(0), ...this.#ordinary.splice(0)]) pending.settle({ refused });
  }

  #take(): Pending[] {
    const group = this.#urgent;
    this.#urgent = [];
    let bytes = 0;
    let count = 0;
    for (const { input } of this.#ordinary) {
      const weight = weightOf(input);
      if (count > 0 && bytes + weight > COMMIT_BYTES_MAX) break;
      bytes += weight;
      count++;
    }
    this.#passedBy = group.length > 0 && bytes > BESIDE_BYTES_MAX && !this.#passedBy;
    return this.#passedBy ? group : group.concat(this.#ordinary.splice(0, count));
  }

  #attempt({ answer, input }: Pending): Outcome {
    try {
      return { answer: this.#context.store.attempt(() => answer.run(this.#context, input as never)) };
    } catch (error) {
      // The whole group fails, not one member.
      if (diskTrouble(error)) throw error;
      return failure(error);
    }
  }
}

function weightOf(input: unknown): number {
  const { bytes, encoding = "identity" } = (input ?? {}) as { bytes?: Uint8Array; encoding?: string };
  return bytes ? bytes.byteLength * (encoding === "identity" ? 1 : PACKED) : SMALL_BYTES;
}

function failure(error: unknown): Outcome {
  const refused = error instanceof Refusal ? error : diskRefusal(error);
  return refused ? { refused } : { failed: error };
}

/** Values that exist only after the commit, such as the head, are asked for now. */
function finish(outcome: Outcome): Outcome {
  if (!("answer" in outcome) || typeof outcome.answer !== "function") return outcome;
  try {
    return { answer: outcome.answer() };
  } catch (error) {
    return failure(error);
  }
}
