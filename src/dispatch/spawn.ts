import type { FromWorker, Start, ToWorker } from "../actor/protocol.ts";
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

export function spawnOrgThread(start: Start, events: ThreadEvents): Thread {
  const worker = new Worker(workerUrl("org"), { type: "module" });
  let dead = false;
  const died = (cause: string) => {
    if (dead) return;
    dead = true;
    worker.terminate();
    events.died(cause);
  };
  worker.onmessage = event => void (dead || events.message(event.data as FromWorker));
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
    post: (message, transfer) => void (dead || worker.postMessage(message, transfer ?? [])),
    kill() {
      dead = true;
      worker.terminate();
    },
  };
}
