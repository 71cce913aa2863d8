import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type { AuditRecord } from "../../domain/audit/record.ts";
import { AuditDrawer } from "../parts/audit-drawer.tsx";
import { AuditFacets } from "../parts/audit-facets.tsx";
import { AuditHead, AuditRow, useRowHeight, whoOf } from "../parts/audit-row.tsx";
import { Disclosure } from "../parts/disclosure.tsx";
import { ExportMenu } from "../parts/export-menu.tsx";
import { FirstAgent } from "../parts/first-agent.tsx";
import { Histogram } from "../parts/histogram.tsx";
import { Icon } from "../parts/icons.tsx";
import { Card, Page } from "../parts/page.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { Empty, Failure, Loading } from "../parts/states.tsx";
import { VirtualList } from "../parts/virtual-list.tsx";
import { useAgentNames } from "../state/agent-names.ts";
import { api, ask } from "../state/api.ts";
import { type AuditFilters, auditFilters, fits, useAuditFeed } from "../state/audit-feed.ts";
import { filled, lengths_ms } from "../state/buckets.ts";
import { useFilters } from "../state/filters.ts";
import { useLiveTail } from "../state/live-tail.ts";
import { bucketOf, rangeKey, useRange, windowOf } from "../state/range.ts";
import { number } from "../state/times.ts";
import { useAsk, useEvery } from "../state/use-ask.ts";

const REFRESH_MS = 10_000;

export default function Audit() {
  const [filters, setFilters] = useFilters(auditFilters);
  const [{ entry }, setEntry] = useFilters(["entry"] as const);
  const [range, setRange] = useRange();
  const window = useMemo(() => windowOf(range), [rangeKey(range)]);
  const bucket = bucketOf(range);
  const stats = useAsk(() => ask(api().audit.stats.get({ query: { ...window, bucket } })), [rangeKey(range), bucket]);
  useEvery(REFRESH_MS, stats.reload);
  const slices = useMemo(
    () => filled(stats.data?.series ?? [], lengths_ms[bucket], window.from, window.to),
    [stats.data],
  );
  const feed = useAuditFeed(filters, window);
  const agents = useAgentNames();
  const live = "preset" in range && filters.order !== "asc";
  const tail = useTail(filters, live, feed.prepend);
  // An entry, not a place in the list: new ones come in front of it.
  const [chosenSeq, choose] = useState<number>();
  useEffect(() => choose(undefined), [JSON.stringify(filters), rangeKey(range)]);
  const active = feed.items.findIndex(({ seq }) => seq === chosenSeq);
  const chosen = Object.entries(filters).filter(([name]) => name !== "order");
  const open = (seq: number | undefined) => setEntry({ entry: seq === undefined ? undefined : String(seq) });
  return (
    <Page
      title="Audit log"
      says="Everything agents and people did, in one hash-chained order."
      actions={
        <>
          {live && <TailButton tail={tail} />}
          <ExportMenu filters={filters} window={window} />
        </>
      }
    >
      <Card class="px-3 pt-3 pb-1">
        {stats.error && <Failure error={stats.error} retry={stats.reload} />}
        {stats.data && (
          <Histogram slices={slices} bucket_ms={lengths_ms[bucket]} onBrush={(from, to) => setRange({ from, to })} />
        )}
      </Card>
      <div class="grid items-start gap-4 lg:grid-cols-[13rem_minmax(0,1fr)]">
        <aside aria-label="Filters" class="card p-2.5 max-lg:hidden">
          {stats.data ? (
            <AuditFacets counts={stats.data} filters={filters} agents={agents} set={setFilters} />
          ) : (
            <Loading />
          )}
        </aside>
        <div class="card lg:hidden">
          <div class="px-3 py-1">
            <Disclosure title={`Filters${chosen.length > 0 ? ` (${chosen.length})` : ""}`}>
              {stats.data && <AuditFacets counts={stats.data} filters={filters} agents={agents} set={setFilters} />}
            </Disclosure>
          </div>
        </div>
        <Card>
          <div class="flex flex-wrap items-center gap-2 border-b border-line p-2">
            <SearchBox label="Search commands and fields" value={filters.q} onChange={q => setFilters({ q })} />
            {chosen.map(([name, value]) => (
              <button
                key={name}
                type="button"
                class="btn btn-small max-w-64"
                onClick={() => setFilters({ [name]: undefined })}
                aria-label={`Remove filter ${name.replace("_id", "")}: ${agents.get(value) ?? value}`}
              >
                <span class="truncate">
                  {name.replace("_id", "")}: {agents.get(value) ?? value}
                </span>
                <Icon name="close" class="size-3" />
              </button>
            ))}
            <button
              type="button"
              class="btn btn-small ml-auto"
              onClick={() => setFilters({ order: filters.order === "asc" ? undefined : "asc" })}
            >
              {filters.order === "asc" ? "Oldest first" : "Newest first"}
            </button>
          </div>
          {tail.waiting > 0 && (
            <button
              type="button"
              class="block w-full border-b border-line bg-accent-wash py-1.5 text-sm font-medium text-accent"
              onClick={tail.show}
            >
              {number(tail.waiting)} new – show
            </button>
          )}
          {feed.error && (
            <div class="p-3">
              <Failure error={feed.error} retry={feed.reload} />
            </div>
          )}
          <Entries
            feed={feed}
            agents={agents}
            active={active}
            onActive={index => choose(feed.items[index]?.seq)}
            onOpen={open}
            filtered={chosen.length > 0}
            clear={() => setFilters(Object.fromEntries(auditFilters.map(name => [name, undefined])) as never)}
          />
        </Card>
      </div>
      {entry !== undefined && /^\d+$/.test(entry) && (
        <AuditDrawer seq={Number(entry)} agents={agents} onClose={() => open(undefined)} onMove={open} />
      )}
    </Page>
  );
}

interface EntriesProps {
  feed: ReturnType<typeof useAuditFeed>;
  agents: Map<string, string>;
  active: number;
  onActive(index: number): void;
  onOpen(seq: number): void;
  filtered: boolean;
  clear(): void;
}

function Entries({ feed, agents, active, onActive, onOpen, filtered, clear }: EntriesProps) {
  const row_px = useRowHeight();
  if (feed.items.length === 0 && feed.loading) return <Loading rows={10} />;
  if (feed.items.length === 0 && filtered)
    return (
      <Empty icon="search" title="Nothing fits in this time range">
        <button type="button" class="btn" onClick={clear}>
          Remove all filters
        </button>
      </Empty>
    );
  if (feed.items.length === 0 && !feed.error) return <FirstAgent />;
  return (
    <>
      <AuditHead />
      <VirtualList
        label="Entries"
        count={feed.items.length}
        row_px={row_px}
        active={active}
        onActive={onActive}
        onOpen={index => onOpen(feed.items[index]!.seq)}
        onEnd={feed.loadMore}
      >
        {index => {
          const entry = feed.items[index];
          return entry && <AuditRow entry={entry} who={whoOf(entry, agents)} selected={index === active} />;
        }}
      </VirtualList>
    </>
  );
}

/** The live tail: new entries go to the front, or wait while it is paused. */
function useTail(filters: AuditFilters, on: boolean, prepend: (entries: AuditRecord[]) => void) {
  const [paused, setPaused] = useState(false);
  const held = useRef<AuditRecord[]>([]);
  const [waiting, setWaiting] = useState(0);
  const { type, agent_id, decision } = filters;
  const query = new URLSearchParams(
    Object.entries({ type, agent_id, decision }).filter((pair): pair is [string, string] => pair[1] !== undefined),
  ).toString();
  const state = useLiveTail(on, query ? `?${query}` : "", entries => {
    const wanted = entries.filter(entry => fits(entry, filters));
    if (wanted.length === 0) return;
    if (!paused) return prepend(wanted);
    held.current.push(...wanted);
    setWaiting(held.current.length);
  });
  const show = () => {
    prepend(held.current.splice(0));
    setWaiting(0);
  };
  useEffect(() => {
    held.current = [];
    setWaiting(0);
  }, [JSON.stringify(filters)]);
  const toggle = () => {
    if (paused) show();
    setPaused(!paused);
  };
  return { state, paused, waiting, show, toggle };
}

const TailButton = ({ tail }: { tail: ReturnType<typeof useTail> }) => (
  <button type="button" class="btn" aria-pressed={!tail.paused} onClick={tail.toggle}>
    <span class={`size-2 rounded-full ${tail.paused ? "bg-firm" : tail.state === "live" ? "bg-allow" : "bg-warn"}`} />
    {tail.paused ? "Paused" : tail.state === "live" ? "Live" : tail.state === "lost" ? "Reconnecting" : "Connecting"}
    <Icon name={tail.paused ? "play" : "pause"} class="size-3.5" />
  </button>
);
