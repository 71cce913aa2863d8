import { Refusal, refusal } from "../errors.ts";
import type { Answer, Context, Outcome } from "./answer.ts";

/** One write that waits for its commit. */
export interface Pending {
  answer: Extract<Answer<never, unknown>, { mode: "write" }>;
  input: unknown;
  bytes: number;
  settle(outcome: Outcome): void;
}

/** A commit takes at most so many bytes of waiting batches, so that nobody behind it waits long. */
const COMMIT_BYTES_MAX = 300 * 1024;

/** The writes that wait, urgent ones first; one call commits what fits into one commit. */
export class GroupCommit {
  readonly #context: Context;
  #urgent: Pending[] = [];
  #ordinary: Pending[] = [];

  constructor(context: Context) {
    this.#context = context;
  }

  get waiting(): number {
    return this.#urgent.length + this.#ordinary.length;
  }

  push(pending: Pending): void {
    (pending.answer.urgent ? this.#urgent : this.#ordinary).push(pending);
  }

  /** Commits one group and settles its members when it is durable. */
  flush(): void {
    const group = this.#take();
    if (group.length === 0) return;
    let outcomes: Outcome[];
    try {
      outcomes = this.#context.store.commit(() => group.map(pending => this.#attempt(pending)));
    } catch (error) {
      outcomes = group.map(() => failure(error));
    }
    group.forEach((pending, index) => void pending.settle(finish(outcomes[index]!)));
  }

  #take(): Pending[] {
    const group = this.#urgent;
    this.#urgent = [];
    let bytes = 0;
    let count = 0;
    while (count < this.#ordinary.length && (count === 0 || bytes + this.#ordinary[count]!.bytes <= COMMIT_BYTES_MAX)) {
      bytes += this.#ordinary[count++]!.bytes;
    }
    return group.concat(this.#ordinary.splice(0, count));
  }

  #attempt({ answer, input }: Pending): Outcome {
    try {
      return { answer: this.#context.store.attempt(() => answer.run(this.#context, input as never)) };
    } catch (error) {
      if (isDiskTrouble(error)) throw error;
      return failure(error);
    }
  }
}

function failure(error: unknown): Outcome {
  if (isDiskTrouble(error))
    return { refused: refusal("unavailable", "The log cannot be written at the moment. Nothing was stored.") };
  return error instanceof Refusal ? { refused: error } : { failed: error };
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

/** SQLITE_FULL, SQLITE_IOERR…: the whole group fails, not one member. */
function isDiskTrouble(error: unknown): boolean {
  return (
    error instanceof Error &&
    /SQLITE_(FULL|IOERR|CORRUPT|NOTADB|READONLY)|disk (is full|I\/O error)|database or disk is full/.test(
      `${(error as { code?: string }).code} ${error.message}`,
    )
  );
}
