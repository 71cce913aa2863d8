/** Thread entry of the organisations: messages in, messages out. */
import { openWorld } from "../src/actor/open-world.ts";
import { OrgHost } from "../src/actor/org-host.ts";
import type { FromWorker, ToWorker } from "../src/actor/protocol.ts";
import { openOrgStore } from "../src/store/open.ts";

declare const self: {
  postMessage(message: FromWorker, transfer?: ArrayBuffer[]): void;
  onmessage: ((event: { data: ToWorker }) => void) | null;
};

let host: OrgHost | undefined;

self.onmessage = ({ data: message }) => {
  if (message.kind === "start") {
    host = new OrgHost(openWorld(message, openOrgStore, (reply, transfer) => self.postMessage(reply, transfer)));
    setInterval(() => host?.tick(), 1000);
    self.postMessage({ kind: "ready" });
  } else if (message.kind === "ask") host?.ask(message);
  else if (message.kind === "taken") host?.taken(message.id, message.count);
  else if (message.kind === "cancel") host?.cancel(message.id);
  else if (message.kind === "ping") self.postMessage({ kind: "pong" });
  else {
    host?.close();
    self.postMessage({ kind: "closed" });
  }
};
