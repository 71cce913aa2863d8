import { join } from "node:path";
import { Feed, prepare } from "../feed.ts";
import {
  folderBytes,
  ingest,
  openHost,
  type Row,
  type Rows,
  register,
  residentMb,
  send,
  tell,
  timed,
  withFolder,
} from "./host.ts";

/** As many as one request may bring. */
const BATCH = 5000;
const [ORG, AGENT] = ["org_a", "agt_a"];
/** Idle seconds after each size: what a quiet moment merges and forgets. */
const IDLE_TICKS = 3;

/** One organisation that grows to `max` events by factors of ten; opened afresh at each size. */
export const growEvents = (max: number): Rows =>
  withFolder(data => {
    const rows: Rows = {};
    const feed = new Feed();
    prepare(BATCH);
    for (let [size, target] = [0, 10_000]; target <= max; size = target, target *= 10) {
      const filled = fill(data, feed, size, target);
      tell(rows, target, { ...filled, ...look(data) });
    }
    return rows;
  });

function fill(data: string, feed: Feed, size: number, target: number): Row {
  const { host, ask } = openHost(data);
  if (size === 0) register(ask, ORG, AGENT);
  const started = performance.now();
  for (let sent = size; sent < target; sent += BATCH) {
    ingest(ask, ORG, AGENT, feed.batch(BATCH));
    if (sent % 1_000_000 === 0 && sent > 0) console.error(`  ${sent.toLocaleString("en")} events`);
  }
  const per_second = Math.round(((target - size) * 1000) / (performance.now() - started));
  for (let idle = 0; idle < IDLE_TICKS; idle++) host.tick();
  host.close();
  return { "events/s": per_second };
}

function look(data: string): Row {
  const { host, ask } = openHost(data);
  const opening = timed("open", 1, () => void ask(ORG, "org.mode"));
  const head = (ask(ORG, "audit.newest") as number) + 1;
  const page = (query: object) => ask(ORG, "audit.page", { limit: 50, ...query });
  const row = {
    "open ms": opening["open p50"]!,
    ...timed("page", 200, () => page({})),
    ...timed("deep", 200, turn => page({ cursor: `e${Math.floor((head * (turn + 1)) / 201).toString(36)}` })),
    ...timed("filter", 50, () => page({ kind: "shell.exec", decision: "BLOCK" })),
    ...timed("stats", 50, () => ask(ORG, "audit.stats", {})),
    ...timed("ingest", 50, turn => send(ask, ORG, "agt_b", head + turn * 100, 100)),
    "bytes/event": Math.round(folderBytes(join(data, "orgs")) / head),
    "rss MB": residentMb(),
  };
  host.close();
  return { ...row, "idle rss MB": residentMb() };
}
