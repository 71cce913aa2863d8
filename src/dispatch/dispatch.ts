import type { Input, Output, Question } from "../actor/org-actor.ts";
import { Shard, type ShardParts } from "./shard.ts";

export interface AskOptions {
  /** Milliseconds until the caller gives up with `timeout`. */
  deadline_ms?: number;
  /** What the input weighs in the organisation's queue. */
  bytes?: number;
  /** Buffers handed over instead of copied. */
  transfer?: ArrayBuffer[];
}

/** What threads may be asked: by its name, what comes with a question and what comes back. */
type Table<T> = { [Q in keyof T]: { input: unknown; output: unknown } };
export type OrgTable = { [Q in Question]: { input: Input<Q>; output: Output<Q> } };

/** The road from the server to threads: those of the organisations, unless it says of which else. */
export interface Dispatch<T extends Table<T> = OrgTable> {
  ask<Q extends Name<T>>(org: string, question: Q, input: T[Q]["input"], options?: AskOptions): Promise<T[Q]["output"]>;
  /** A long answer's bytes as they come; the answer itself when they end. Back-pressure reaches the worker. */
  stream<Q extends Name<T>>(org: string, question: Q, input: T[Q]["input"]): ReadableStream<Uint8Array>;
  /** A long answer without deadline, for instance an assessment. */
  finish<Q extends Name<T>>(org: string, question: Q, input: T[Q]["input"]): Promise<T[Q]["output"]>;
  /** An organisation's plan has changed: its thread is told with the next question. */
  reintroduce(org: string): void;
  /** Resolved when every thread takes questions. */
  started(): Promise<void>;
  health(): { threads: number; alive: number; waiting: number };
  close(): Promise<void>;
}

type Name<T> = keyof T & string;

/** With verification, which may be the work of more threads than one. */
export interface OrgDispatch extends Dispatch {
  /** Recomputes the hashes of a window of an organisation's log; as long as it takes. */
  verify(org: string, window: Input<"posture.verify">): Promise<Output<"posture.verify">>;
}

const DEADLINE_MS = 10_000;
const INPUT_BYTES = 512;

export function createDispatch<T extends Table<T> = OrgTable>(threads: number, parts: ShardParts): Dispatch<T> {
  const shards = Array.from({ length: threads }, () => new Shard(parts));
  let turn = 0;
  const shardOf = (org: string): Shard => shards[(org === "" ? turn++ : hash(org)) % shards.length]!;
  const ask: Dispatch<T>["ask"] = (org, question, input, options = {}) => {
    const { deadline_ms = DEADLINE_MS, bytes = INPUT_BYTES, transfer = [] } = options;
    try {
      return shardOf(org).ask({ org, question, input, bytes, deadline_ms, transfer }).answer as Promise<never>;
    } catch (error) {
      return Promise.reject(error);
    }
  };
  return {
    ask,
    finish: (org, question, input) => ask(org, question, input, { deadline_ms: Number.POSITIVE_INFINITY }),
    stream: (org, question, input) => stream(shardOf(org), org, question, input),
    reintroduce: org => shardOf(org).reintroduce(org),
    started: async () => void (await Promise.all(shards.map(shard => shard.started))),
    health: () => ({
      threads: shards.length,
      alive: shards.filter(shard => shard.alive).length,
      waiting: shards.reduce((sum, shard) => sum + shard.waiting, 0),
    }),
    close: async () => void (await Promise.all(shards.map(shard => shard.close()))),
  };
}

function stream(shard: Shard, org: string, question: string, input: unknown): ReadableStream<Uint8Array> {
  let id = 0;
  let sent = 0;
  let taken = 0;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const chunk = (bytes: Uint8Array) => (sent++, controller.enqueue(bytes));
        const asked = shard.ask({
          org,
          question,
          input,
          bytes: INPUT_BYTES,
          deadline_ms: Number.POSITIVE_INFINITY,
          chunk,
        });
        id = asked.id;
        asked.answer.then(
          () => controller.close(),
          error => controller.error(error),
        );
      },
      // Called when nothing is queued here any more: everything sent so far has been taken.
      pull() {
        if (sent > taken) shard.taken(id, sent - taken);
        taken = sent;
      },
      cancel: () => shard.cancel(id),
    },
    { highWaterMark: 1 },
  );
}

/** FNV-1a: stable over restarts, so that an organisation stays with its thread. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  return value >>> 0;
}
