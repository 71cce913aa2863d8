import type { FromWorker, HeadReport, Intro } from "../actor/protocol.ts";
import { refusal } from "../errors.ts";
import type { Logger } from "../logger.ts";
import { Mailbox, type MailboxLimits } from "./mailbox.ts";
import type { Thread, ThreadEvents } from "./spawn.ts";

export interface ShardParts {
  spawn(events: ThreadEvents): Thread;
  limits: MailboxLimits;
  /** What an organisation's thread is told before its first question; left out where there is nothing to tell. */
  intro?(org: string): Intro;
  heads(reports: HeadReport[]): void;
  /** Processor time that the thread of this number has used so far (processor-time.ts). */
  cpuMs(tid?: number): number;
  logger: Logger;
}

export interface Post {
  org: string;
  question: string;
  input: unknown;
  bytes: number;
  deadline_ms: number;
  transfer?: ArrayBuffer[];
  chunk?(bytes: Uint8Array): void;
}

/**
 * A thread that answers no ping while it burns so much processor time spins: it is ended and replaced. Counted in processor
 * time, since on a busy machine or a slow disk a healthy thread is silent for long, too.
 */
const SPINNING_CPU_MS = 700;
/** A large batch is one piece of work: a thread that has one may be at it for so much longer. */
const CPU_MS_PER_MIB = 150;
/** Whatever it is doing, and however busy the machine: longer than this nobody may wait. */
const SILENT_MS_MAX = 30_000;
const WATCH_MS = 100;
/** What waits at the end has so long to be committed. */
const CLOSING_MS_MAX = 10_000;

/** One worker thread with its mailbox: restarted when it dies or hangs, its waiting callers answered with an error. */
export class Shard {
  readonly #parts: ShardParts;
  readonly #mailbox: Mailbox;
  readonly #introduced = new Set<string>();
  readonly #watch: ReturnType<typeof setInterval>;
  /** Undefined between a death and the next start. */
  #thread: Thread | undefined;
  #next = 1;
  #heard = performance.now();
  #pinged = false;
  #pingedCpuMs = 0;
  #tid: number | undefined;
  /** It has said that it is at something long. */
  #busy = false;
  #closing?: () => void;
  #closed?: Promise<void>;
  #ready = false;
  #failures = 0;
  readonly #first = Promise.withResolvers<void>();

  constructor(parts: ShardParts) {
    this.#parts = parts;
    this.#mailbox = new Mailbox(parts.limits);
    this.#thread = this.#spawn();
    this.#watch = setInterval(() => this.#look(), WATCH_MS);
    this.#watch.unref?.();
  }

  get alive(): boolean {
    return this.#ready;
  }

  /** Resolved once the thread has answered for the first time. */
  get started(): Promise<void> {
    return this.#first.promise;
  }

  get waiting(): number {
    return this.#mailbox.size;
  }

  /** Throws `busy` or `unavailable` when the question cannot even be asked. */
  ask(post: Post): { id: number; answer: Promise<unknown> } {
    const { org, question, input, bytes, deadline_ms, transfer, chunk } = post;
    if (this.#closing) throw refusal("unavailable", "The server is shutting down.");
    if (!this.#thread) throw refusal("unavailable", "The worker is being restarted. Try again.");
    const id = this.#next++;
    const { promise: answer, resolve, reject } = Promise.withResolvers<unknown>();
    this.#mailbox.add(id, {
      org,
      bytes,
      deadline: performance.now() + deadline_ms,
      resolve,
      reject,
      ...(chunk ? { chunk } : {}),
    });
    this.#thread.post({ kind: "ask", id, org, question, input, ...this.#introduction(org) }, transfer);
    return { id, answer };
  }

  #introduction(org: string): { intro?: Intro } {
    const { intro } = this.#parts;
    if (!intro || org === "" || this.#introduced.has(org)) return {};
    this.#introduced.add(org);
    return { intro: intro(org) };
  }

  /** Its standing has changed: the next question tells. */
  reintroduce(org: string): void {
    this.#introduced.delete(org);
  }

  taken(id: number, count: number): void {
    this.#thread?.post({ kind: "taken", id, count });
  }

  cancel(id: number): void {
    this.#mailbox.forget(id);
    this.#thread?.post({ kind: "cancel", id });
  }

  /** Lets what waits be answered and committed, then ends the thread. */
  close(): Promise<void> {
    return (this.#closed ??= this.#end());
  }

  async #end(): Promise<void> {
    clearInterval(this.#watch);
    const told = new Promise<void>(resolve => (this.#closing = resolve));
    if (this.#ready) {
      this.#thread?.post({ kind: "close" });
      await Promise.race([told, new Promise(resolve => setTimeout(resolve, CLOSING_MS_MAX).unref?.())]);
    }
    this.#thread?.kill();
    this.#mailbox.rejectAll(refusal("unavailable", "The server is shutting down."));
  }

  #spawn(): Thread {
    this.#ready = false;
    this.#heard = performance.now();
    return this.#parts.spawn({ message: message => this.#receive(message), died: cause => this.#replace(cause) });
  }

  #receive(message: FromWorker): void {
    this.#heard = performance.now();
    this.#pinged = false;
    this.#busy = message.kind === "busy";
    if ("id" in message) {
      const { failed } = this.#mailbox.settle(message);
      if (failed) this.#parts.logger.error("a question failed", { cause: failed });
    } else if (message.kind === "heads") this.#parts.heads(message.heads);
    else if (message.kind === "log") this.#parts.logger[message.level](message.message, message.fields);
    else if (message.kind === "ready") this.#begin(message.tid);
    else if (message.kind === "closed") this.#closing?.();
  }

  #begin(tid: number | undefined): void {
    this.#ready = true;
    this.#tid = tid;
    this.#failures = 0;
    this.#first.resolve();
  }

  /** Deadlines; and a thread that owes answers but does not even answer a ping is replaced. */
  #look(): void {
    const now = performance.now();
    for (const id of this.#mailbox.expire(now)) this.#thread?.post({ kind: "cancel", id });
    if (!this.#ready) return;
    if (this.#pinged) return this.#hangs(now) ? this.#replace("it hung") : undefined;
    this.#pinged = true;
    this.#pingedCpuMs = this.#parts.cpuMs(this.#tid);
    this.#heard = now;
    this.#thread?.post({ kind: "ping" });
  }

  #hangs(now: number): boolean {
    const silent_ms = now - this.#heard;
    if (silent_ms > SILENT_MS_MAX) return true;
    if (this.#busy || silent_ms < SPINNING_CPU_MS) return false;
    const patience_ms = SPINNING_CPU_MS + (this.#mailbox.heaviest / 2 ** 20) * CPU_MS_PER_MIB;
    return this.#parts.cpuMs(this.#tid) - this.#pingedCpuMs > patience_ms;
  }

  #replace(cause: string): void {
    this.#thread?.kill();
    this.#introduced.clear();
    this.#pinged = this.#busy = false;
    this.#parts.logger.error("a worker was replaced", { cause, waiting: this.#mailbox.size });
    this.#mailbox.rejectAll(refusal("unavailable", "The worker was restarted. Try again."));
    if (this.#closing) return this.#closing();
    this.#ready = false;
    this.#thread = undefined;
    const failures = this.#failures++;
    if (failures === 0) this.#thread = this.#spawn();
    else setTimeout(() => this.#closing || (this.#thread = this.#spawn()), Math.min(1000, 10 * 2 ** failures));
  }
}
