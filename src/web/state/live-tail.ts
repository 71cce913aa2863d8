import { createParser } from "eventsource-parser";
import { useEffect, useRef, useState } from "preact/hooks";
import type { AuditRecord } from "../../domain/audit/record.ts";
import { raw } from "./api.ts";

export type TailState = "connecting" | "live" | "lost";
const RETRY_MS = 2000;

/** The log as it grows. After a lost connection it goes on where it stopped. */
export function useLiveTail(on: boolean, query: string, onEntries: (entries: AuditRecord[]) => void): TailState {
  const [state, setState] = useState<TailState>("connecting");
  const receive = useRef(onEntries);
  receive.current = onEntries;
  useEffect(() => {
    if (!on) return;
    const ending = new AbortController();
    void follow(query, ending.signal, setState, entries => receive.current(entries));
    return () => ending.abort();
  }, [on, query]);
  return state;
}

async function follow(
  query: string,
  signal: AbortSignal,
  say: (state: TailState) => void,
  receive: (entries: AuditRecord[]) => void,
): Promise<void> {
  let last = "";
  while (!signal.aborted) {
    try {
      const headers = { accept: "text/event-stream", ...(last ? { "last-event-id": last } : {}) };
      const response = await raw(`/audit/stream${query}`, { headers, signal });
      last = await read(response, last, () => say("live"), receive);
    } catch {}
    if (signal.aborted) return;
    say("lost");
    await new Promise(resolve => setTimeout(resolve, RETRY_MS));
  }
}

/**
 * The id of the last block read. Its first one says where the log stands: from then on nothing is missed. Entries of one
 * packet come together, so that a burst redraws once.
 */
async function read(
  response: Response,
  last: string,
  began: () => void,
  receive: (entries: AuditRecord[]) => void,
): Promise<string> {
  let entries: AuditRecord[] = [];
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === "entry") entries.push(JSON.parse(data) as AuditRecord);
    },
  });
  const ids = idsOf(last);
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return last;
      const text = decoder.decode(value, { stream: true });
      last = ids(text);
      parser.feed(text);
      began();
      if (entries.length === 0) continue;
      receive(entries);
      entries = [];
    }
  } catch {
    return last;
  }
}

/** The id of the last whole block so far. The parser tells none of a block without data, which counts too (HTML, §9.2.6). */
function idsOf(last: string): (text: string) => string {
  let [line, id] = ["", last];
  return text => {
    const lines = (line + text).split("\n");
    line = lines.pop()!;
    for (const one of lines) {
      if (one.startsWith("id: ")) id = one.slice("id: ".length);
      if (one === "") last = id;
    }
    return last;
  };
}
