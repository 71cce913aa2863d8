import type { FromWorker } from "../actor/protocol.ts";
import { Refusal, refusal } from "../errors.ts";

/** A question on its way: who waits for it, until when, and what it weighs. */
export interface Waiting {
  org: string;
  bytes: number;
  deadline: number;
  resolve(answer: unknown): void;
  reject(error: unknown): void;
  chunk?(bytes: Uint8Array): void;
}

export interface MailboxLimits {
  /** Waiting requests of one organisation. */
  count_max: number;
  bytes_max: number;
}

interface Load {
  count: number;
  bytes: number;
}

/** The questions a thread has not answered yet, bounded per organisation so that one cannot starve the others. */
export class Mailbox {
  readonly #limits: MailboxLimits;
  readonly #waiting = new Map<number, Waiting>();
  readonly #loads = new Map<string, Load>();

  constructor(limits: MailboxLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#waiting.size;
  }

  /** Bytes of the largest input that waits. */
  get heaviest(): number {
    return Math.max(0, ...[...this.#waiting.values()].map(({ bytes }) => bytes));
  }

  /** Throws `busy` when the organisation has too much waiting. */
  add(id: number, waiting: Waiting): void {
    const load = this.#loads.get(waiting.org) ?? { count: 0, bytes: 0 };
    const { count_max, bytes_max } = this.#limits;
    if (load.count >= count_max || load.bytes + waiting.bytes > bytes_max) throw refusal("busy", { retry_after_s: 1 });
    load.count++;
    load.bytes += waiting.bytes;
    this.#loads.set(waiting.org, load);
    this.#waiting.set(id, waiting);
  }

  settle(message: Extract<FromWorker, { id: number }>): { failed?: string } {
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return {};
    if (message.kind === "chunk") {
      waiting.chunk?.(message.bytes);
      return {};
    }
    this.#remove(message.id, waiting);
    if (message.kind === "answer") waiting.resolve(message.answer);
    else if (message.kind === "refused") waiting.reject(new Refusal(message.code, message.extra));
    else {
      waiting.reject(refusal("internal_error"));
      return { failed: message.cause };
    }
    return {};
  }

  /** Gives up on what is past its deadline. Its answer, should it come, is dropped. */
  expire(now: number): number[] {
    const late = [...this.#waiting].filter(([, { deadline }]) => deadline <= now);
    for (const [id, waiting] of late) {
      this.#remove(id, waiting);
      waiting.reject(refusal("timeout", { retry_after_s: 1 }));
    }
    return late.map(([id]) => id);
  }

  forget(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting) this.#remove(id, waiting);
  }

  /** The thread has gone: nobody may wait for ever. */
  rejectAll(error: unknown): void {
    for (const [id, waiting] of [...this.#waiting]) {
      this.#remove(id, waiting);
      waiting.reject(error);
    }
  }

  #remove(id: number, waiting: Waiting): void {
    this.#waiting.delete(id);
    const load = this.#loads.get(waiting.org)!;
    load.count--;
    load.bytes -= waiting.bytes;
    if (load.count === 0) this.#loads.delete(waiting.org);
  }
}
