import { Refusal } from "../errors.ts";
import type { Outcome } from "./answer.ts";
import type { FromWorker } from "./protocol.ts";

/** Chunks sent but not yet taken by the caller; past it the answer rests. */
const WINDOW = 4;
/** A slice ends after so many milliseconds, and everybody else gets a turn. */
const SLICE_MS = 8;

interface Running {
  steps: Generator<Uint8Array | undefined, unknown>;
  settle(outcome: Outcome): void;
  untaken: number;
  resting: boolean;
}

/** Answers that take long: run in slices, streamed with back-pressure, dropped when their caller has gone. */
export class LongAnswers {
  readonly #running = new Map<number, Running>();
  readonly #post: (message: FromWorker, transfer?: ArrayBuffer[]) => void;
  readonly #soon: (work: () => void) => void;

  constructor(post: (message: FromWorker, transfer?: ArrayBuffer[]) => void, soon: (work: () => void) => void) {
    this.#post = post;
    this.#soon = soon;
  }

  begin(id: number, steps: Generator<Uint8Array | undefined, unknown>, settle: (outcome: Outcome) => void): void {
    this.#running.set(id, { steps, settle, untaken: 0, resting: false });
    this.#soon(() => this.#slice(id));
  }

  taken(id: number, count: number): void {
    const running = this.#running.get(id);
    if (!running) return;
    running.untaken -= count;
    if (!running.resting) return;
    running.resting = false;
    this.#soon(() => this.#slice(id));
  }

  cancel(id: number): void {
    const running = this.#running.get(id);
    if (!running) return;
    this.#running.delete(id);
    running.steps.return(undefined);
    running.settle({ answer: null });
  }

  /** What it reads has gone: it ends here, whatever it has sent. */
  fail(id: number, refused: Refusal): void {
    const running = this.#running.get(id);
    if (running) this.#finish(id, running, { refused });
  }

  #slice(id: number): void {
    const running = this.#running.get(id);
    if (!running) return;
    const until = performance.now() + SLICE_MS;
    try {
      while (running.untaken < WINDOW && performance.now() < until) {
        const step = running.steps.next();
        if (step.done) return this.#finish(id, running, { answer: step.value });
        if (step.value) this.#send(id, running, step.value);
      }
    } catch (error) {
      return this.#finish(id, running, error instanceof Refusal ? { refused: error } : { failed: error });
    }
    running.resting = running.untaken >= WINDOW;
    if (!running.resting) this.#soon(() => this.#slice(id));
  }

  #send(id: number, running: Running, bytes: Uint8Array): void {
    running.untaken++;
    this.#post({ kind: "chunk", id, bytes });
  }

  #finish(id: number, running: Running, outcome: Outcome): void {
    this.#running.delete(id);
    running.settle(outcome);
  }
}
