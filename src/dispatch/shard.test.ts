import { expect, test } from "bun:test";
import type { FromWorker, ToWorker } from "../actor/protocol.ts";
import { Refusal } from "../errors.ts";
import { createLogger } from "../logger.ts";
import { Shard } from "./shard.ts";
import type { ThreadEvents } from "./spawn.ts";

/** A thread under the test's control. */
function fakeThreads() {
  const threads: { events: ThreadEvents; sent: ToWorker[]; killed: boolean }[] = [];
  const spawn = (events: ThreadEvents) => {
    const thread = { events, sent: [] as ToWorker[], killed: false };
    threads.push(thread);
    return { post: (message: ToWorker) => void thread.sent.push(message), kill: () => void (thread.killed = true) };
  };
  const say = (message: FromWorker) => threads.at(-1)!.events.message(message);
  return { threads, spawn, say };
}

function shardWith(limits = { count_max: 3, bytes_max: 1000 }, usedMs = () => performance.now()) {
  const fake = fakeThreads();
  const lines: string[] = [];
  const shard = new Shard({
    spawn: fake.spawn,
    limits,
    intro: () => ({ recorded: null, standing: { entitled: false, retention_days: null } }),
    heads: () => {},
    // Thread 7 rests.
    cpuMs: tid => (tid === 7 ? 0 : usedMs()),
    logger: createLogger(
      "debug",
      line => void lines.push(line),
      () => 0,
    ),
  });
  fake.say({ kind: "ready" });
  const ask = (org = "org_a", bytes = 10, deadline_ms = 1000) =>
    shard.ask({ org, question: "q", input: null, bytes, deadline_ms }).answer.then(
      answer => ({ answer }),
      (error: Refusal) => ({ refused: error.code }),
    );
  return { ...fake, shard, ask, lines };
}

/** From its ping on a thread's time is counted. */
async function pinged(sent: ToWorker[]): Promise<void> {
  while (!sent.some(({ kind }) => kind === "ping")) await Bun.sleep(5);
}

const ids = (sent: ToWorker[]) => sent.flatMap(message => (message.kind === "ask" ? [message.id] : []));

test("the introduction goes with the first question about an organisation only", async () => {
  const { ask, threads } = shardWith();
  void ask("org_a");
  void ask("org_a");
  void ask("org_b");
  const intros = threads[0]!.sent.filter(message => message.kind === "ask").map(message => "intro" in message);
  expect(intros).toEqual([true, false, true]);
});

test("one organisation's full mailbox is refused, another's is not", async () => {
  const { ask, say } = shardWith();
  const first = [ask(), ask(), ask()];
  expect(() => ask()).toThrow(Refusal);
  const other = ask("org_b");
  for (const id of [1, 2, 3, 4, 5]) say({ kind: "answer", id, answer: id });
  await Promise.all([...first, other]);
  const next = ask();
  say({ kind: "answer", id: 6, answer: "now there is room" });
  expect(await next).toEqual({ answer: "now there is room" });
});

test("bytes are bounded too", () => {
  const { ask } = shardWith();
  void ask("org_a", 900);
  expect(() => ask("org_a", 200)).toThrow("Too much is waiting");
});

test("a thread that dies rejects who waits, is replaced, and its cause stays in the log", async () => {
  const { ask, threads, say, lines } = shardWith();
  const waiting = ask();
  threads[0]!.events.died("secret source text");
  expect(await waiting).toEqual({ refused: "unavailable" });
  await Bun.sleep(5);
  expect(threads.length).toBe(2);
  expect(lines.join()).toContain("secret source text");
  say({ kind: "ready" });
  const again = ask();
  say({ kind: "answer", id: ids(threads[1]!.sent)[0]!, answer: "ok" });
  expect(await again).toEqual({ answer: "ok" });
});

test("what is asked after a death goes to the next thread, and is refused while there is none: never forgotten", async () => {
  const { ask, threads, say } = shardWith();
  threads[0]!.events.died("x");
  const between = ask("org_a", 10, 60_000);
  say({ kind: "answer", id: ids(threads[1]!.sent)[0]!, answer: "from the next" });
  expect(await between).toEqual({ answer: "from the next" });
  threads[1]!.events.died("again, before it was ready");
  expect(() => ask("org_a")).toThrow("being restarted");
});

test("a thread that answers no ping is killed and replaced after a second of work", async () => {
  const used = { ms: 0 };
  const { ask, threads } = shardWith(undefined, () => used.ms);
  const waiting = ask("org_a", 10, 60_000);
  await pinged(threads[0]!.sent);
  used.ms = 1_000;
  expect(await waiting).toEqual({ refused: "unavailable" });
  expect(threads[0]!.killed).toBe(true);
});

test("a thread that says it is busy is not taken for one that spins, until it is heard again", async () => {
  const { ask, say, threads } = shardWith();
  const waiting = ask("org_a", 10, 60_000);
  say({ kind: "busy" });
  await Bun.sleep(1300);
  expect(threads[0]!.killed).toBe(false);
  say({ kind: "pong" });
  expect(await waiting).toEqual({ refused: "unavailable" });
  expect(threads[0]!.killed).toBe(true);
});

test("what other threads use is not held against one", async () => {
  const { threads, say } = shardWith();
  say({ kind: "ready", tid: 7 });
  await Bun.sleep(1300);
  expect(threads[0]!.killed).toBe(false);
});

test("a thread at work on a large batch is given as much longer as that takes", async () => {
  const bytes = 8 * 1024 * 1024;
  const used = { ms: 0 };
  const { ask, threads } = shardWith({ count_max: 3, bytes_max: bytes }, () => used.ms);
  const waiting = ask("org_a", bytes, 60_000);
  await pinged(threads[0]!.sent);
  used.ms = 1_800;
  await Bun.sleep(1300);
  expect(threads[0]!.killed).toBe(false);
  used.ms = 2_000;
  expect(await waiting).toEqual({ refused: "unavailable" });
});

test("a question past its deadline is given up and cancelled in the thread", async () => {
  const { ask, threads, say } = shardWith();
  const keepAlive = setInterval(() => say({ kind: "pong" }), 20);
  expect(await ask("org_a", 10, 50)).toEqual({ refused: "timeout" });
  expect(threads[0]!.sent.some(message => message.kind === "cancel")).toBe(true);
  clearInterval(keepAlive);
});

test("an internal failure is told to the operator, not to the caller", async () => {
  const { ask, say, lines } = shardWith();
  const waiting = ask();
  say({ kind: "failed", id: 1, cause: "TypeError: table is locked" });
  expect(await waiting).toEqual({ refused: "internal_error" });
  expect(lines.join()).toContain("table is locked");
});
