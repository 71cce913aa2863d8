import type { FromWorker, ToWorker } from "./protocol.ts";

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
  postMessage: PostBack;
  onmessage: ((event: { data: ToWorker }) => void) | null;
}

const TICK_MS = 1000;

/** Connects a thread's messages with the host that its first one starts. */
export function serveThread<S extends StartMessage>(
  scope: ThreadScope,
  open: (start: S, post: PostBack) => Host,
): void {
  let host: Host | undefined;
  scope.onmessage = ({ data: message }) => {
    if (message.kind === "start") {
      host = open(message as S, (reply, transfer) => scope.postMessage(reply, transfer));
      setInterval(() => host?.tick(), TICK_MS);
      scope.postMessage({ kind: "ready" });
    } else if (message.kind === "ask") host?.ask(message);
    else if (message.kind === "taken") host?.taken(message.id, message.count);
    else if (message.kind === "cancel") host?.cancel(message.id);
    else if (message.kind === "ping") scope.postMessage({ kind: "pong" });
    else {
      host?.close();
      scope.postMessage({ kind: "closed" });
    }
  };
}
