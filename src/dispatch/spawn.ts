import type { DemoStart, FromWorker, Start, ToWorker } from "../actor/protocol.ts";
import { fromWire, toWire } from "../wire.ts";
import { workerUrl } from "../assets.ts";

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
  spawnThread(workerUrl("demo"), start, events);

/** No thread is given the environment: what it may know stands in `start`. */
export function spawnThread(url: URL, start: Start | DemoStart, events: ThreadEvents): Thread {
  const worker = new Worker(url, { type: "module", env: {} } as WorkerOptions);
  let dead = false;
  const died = (cause: string) => {
    if (dead) return;
    dead = true;
    worker.terminate();
    events.died(cause);
  };
  worker.onmessage = event => void (dead || events.message(fromWire(event.data as FromWorker | string)));
  worker.onerror = event => {
    event.preventDefault();
    died(
      String(event.message ?? "unknown")
        .split("\n", 1)[0]!
        .slice(0, 300),
    );
  };
  worker.onmessageerror = () => died("a message could not be read");
  worker.postMessage(start);
  return {
    post: (message, transfer) => void (dead || worker.postMessage(toWire(message), transfer ?? [])),
    kill() {
      dead = true;
      worker.terminate();
    },
  };
}
