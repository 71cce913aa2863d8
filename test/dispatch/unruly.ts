/** A thread that does on request what threads must not do. */
import type { FromWorker, ToWorker } from "../../src/actor/protocol.ts";
import { threadId } from "../../src/actor/thread-id.ts";
import { fromWire } from "../../src/wire.ts";

declare const self: {
  postMessage(message: FromWorker): void;
  onmessage: ((event: { data: ToWorker | string }) => void) | null;
};

self.onmessage = ({ data }) => fromWire(data).forEach(receive);

function receive(message: ToWorker): void {
  if (message.kind === "start") {
    const tid = threadId();
    self.postMessage({ kind: "ready", ...(tid !== undefined && { tid }) });
  } else if (message.kind === "ping") self.postMessage({ kind: "pong" });
  else if (message.kind === "close") self.postMessage({ kind: "closed" });
  else if (message.kind === "ask") answer(message.id, message.question);
}

function answer(id: number, question: string): void {
  if (question === "spin") for (;;);
  if (question === "crash") throw new Error("secret of the source");
  if (question !== "silence") self.postMessage({ kind: "answer", id, answer: question });
}
