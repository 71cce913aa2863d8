import type { FromWorker, ToWorker } from "./protocol.ts";
import { fromWire, Wire } from "../wire.ts";

type StartMessage = Extract<ToWorker, { kind: "start" }>;
export type PostBack = (message: FromWorker, transfer?: ArrayBuffer[]) => void;

/** What a thread runs: takes questions, answers them through the `post` it was made with. */
export interface Host {
  ask(ask: Extract<ToWorker, { kind: "ask" }>): void;
  taken(id: number, count: number): void;
  cancel(id: number): void;
  /** Once a second. */
  tick(): void;
  close(): void;
}

export interface ThreadScope {
  postMessage(message: FromWorker | string, transfer?: ArrayBuffer[]): void;
  onmessage: ((event: { data: ToWorker | string }) => void) | null;
}

const TICK_MS = 1000;

/** Connects a thread's messages with the host that its first one starts; `tid` is its system's number, where it may be told. */
export function serveThread<S extends StartMessage>(
  scope: ThreadScope,
  open: (start: S, post: PostBack) => Host,
  tid?: number,
): void {
  let host: Host | undefined;
  // What a commit answers is posted in one go.
  const wire = new Wire<FromWorker>((data, transfer) => scope.postMessage(data, transfer), queueMicrotask);
  const post: PostBack = (message, transfer) =>
    message.kind === "busy" ? scope.postMessage(message) : wire.post(message, transfer);
  const receive = (message: ToWorker) => {
    if (message.kind === "start") {
      host = open(message as S, post);
      setInterval(() => host?.tick(), TICK_MS);
      post({ kind: "ready", ...(tid !== undefined && { tid }) });
    } else if (message.kind === "ask") host?.ask(message);
    else if (message.kind === "taken") host?.taken(message.id, message.count);
    else if (message.kind === "cancel") host?.cancel(message.id);
    else if (message.kind === "ping") post({ kind: "pong" });
    else {
      host?.close();
      post({ kind: "closed" });
    }
  };
  scope.onmessage = ({ data }) => fromWire(data).forEach(receive);
}
