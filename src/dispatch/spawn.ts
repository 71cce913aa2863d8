import type { DemoStart, FromWorker, Start, ToWorker, VerifyStart } from "../actor/protocol.ts";
import { fromWire, Wire } from "../wire.ts";
import { programPaths, workerUrl } from "../assets.ts";

/** The only place a thread is started. */
export interface Thread {
  post(message: ToWorker, transfer?: ArrayBuffer[]): void;
  /** Ends it at once, whatever it is doing. */
  kill(): void;
}

export interface ThreadEvents {
  message(message: FromWorker): void;
  /** It could not start, or threw: it is gone. The cause is for the operator's log. */
  died(cause: string): void;
}

export const spawnOrgThread = (start: Start, events: ThreadEvents): Thread =>
  spawnThread(workerUrl("org"), start, events);
export const spawnDemoThread = (start: DemoStart, events: ThreadEvents): Thread =>
  spawnThread(workerUrl("demo"), start, events, noRights());
export const spawnVerifyThread = (start: VerifyStart, events: ThreadEvents): Thread =>
  spawnThread(workerUrl("verify"), start, events, noRights([start.orgs]));

/** Names that the YAML parser asks the environment for; nobody sets them. */
const HARMLESS = ["LOG_TOKENS", "LOG_STREAM"];
const underDeno = "Deno" in globalThis;

/**
 * Deno: nothing but reading the program itself and the paths of `more`. Bun knows no rights of threads: there
 * `actor/seal.ts` takes the ways out themselves.
 */
export const noRights = (more: string[] = []): object => {
  const read = [...programPaths(), ...more];
  const none = { write: false, net: false, run: false, ffi: false, sys: false };
  return underDeno ? { deno: { permissions: { ...none, read, env: HARMLESS } } } : {};
};

/** No thread is given the environment (Deno knows no such option): what it may know stands in its first message. */
const load = (url: URL, rights: object = {}): Worker =>
  new Worker(url, { type: "module", ...(underDeno ? {} : { env: {} }), ...rights } as WorkerOptions);

/** A thread of the organisations whose code loads while the server's own does: the first one to start takes it. */
let early: Worker | undefined;

export function loadEarly(): void {
  early = load(workerUrl("org"));
  // Whoever starts then loads it again, and hears of the failure.
  early.onerror = event => (event.preventDefault(), dropEarly());
}

/** When none is going to start. */
export function dropEarly(): void {
  early?.terminate();
  early = undefined;
}

function takeEarly(url: URL): Worker | undefined {
  if (url.href !== workerUrl("org").href) return undefined;
  const worker = early;
  early = undefined;
  return worker;
}

type AnyStart = Start | DemoStart | VerifyStart;

export function spawnThread(url: URL, start: AnyStart, events: ThreadEvents, rights: object = {}): Thread {
  const worker = takeEarly(url) ?? load(url, rights);
  let dead = false;
  const died = (cause: string) => {
    if (dead) return;
    dead = true;
    worker.terminate();
    events.died(cause);
  };
  worker.onmessage = ({ data }: { data: FromWorker | string }) => {
    for (const message of fromWire(data)) if (!dead) events.message(message);
  };
  worker.onerror = event => {
    event.preventDefault();
    died(causeOf(String(event.message)));
  };
  worker.onmessageerror = () => died("a message could not be read");
  const wire = new Wire<ToWorker>(
    (data, transfer = []) => void (dead || worker.postMessage(data, transfer)),
    setImmediate,
  );
  wire.post(start);
  return {
    post: (message, transfer) => wire.post(message, transfer),
    kill() {
      dead = true;
      worker.terminate();
    },
  };
}

/** Bun's text of it quotes the source around the place: only the line that says what happened is wanted. */
function causeOf(text: string): string {
  const lines = text.split("\n");
  return (lines.find(line => /^(Uncaught )?\w*error: /i.test(line)) ?? lines[0]!).slice(0, 300);
}
