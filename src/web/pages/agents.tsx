import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Badge, StatusBadge } from "../parts/badges.tsx";
import { FirstAgent } from "../parts/first-agent.tsx";
import { Card, Page, Scroll } from "../parts/page.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { Await, Empty } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { useFilters } from "../state/filters.ts";
import { number } from "../state/times.ts";
import { useAsk, useEvery } from "../state/use-ask.ts";

type Status = "active" | "stale" | "never_seen";
const REFRESH_MS = 15_000;
const PAGE = 100;
const statuses: [Status | undefined, string][] = [
  [undefined, "All"],
  ["active", "Active"],
  ["stale", "Stale"],
  ["never_seen", "Never seen"],
];

const list = (status: string | undefined, q: string | undefined, cursor?: string) =>
  ask(
    api().agents.get({
      query: {
        limit: PAGE,
        ...(status ? { status: status as Status } : {}),
        ...(q ? { q } : {}),
        ...(cursor ? { cursor } : {}),
      },
    }),
  );
type Listed = Awaited<ReturnType<typeof list>>;

export default function Agents() {
  const [{ status, q }, setFilters] = useFilters(["status", "q"] as const);
  const stats = useAsk(() => ask(api().agents.stats.get()), []);
  const first = useAsk(() => list(status, q), [status, q]);
  const [more, setMore] = useState<Listed[]>([]);
  useEffect(() => setMore([]), [first.data]);
  useEvery(REFRESH_MS, () => {
    stats.reload();
    if (more.length === 0) first.reload();
  });
  const counts: Record<string, number | undefined> = {
    all: stats.data?.total,
    ...(stats.data as unknown as Record<string, number>),
  };
  const newest = Math.max(0, ...(first.data?.items ?? []).map(agent => agent.policy_version ?? 0));
  return (
    <Page
      title="Agents"
      says="Installations that ask before they act. Stale means three heartbeats were missed."
      actions={
        <Link href="/device" class="btn btn-primary">
          Connect an agent
        </Link>
      }
    >
      <div class="flex flex-wrap items-center gap-2">
        <div class="flex flex-wrap gap-1" role="group" aria-label="Status">
          {statuses.map(([value, text]) => (
            <button
              key={text}
              type="button"
              class={`btn btn-small ${status === value ? "bg-accent-wash text-accent" : ""}`}
              aria-pressed={status === value}
              onClick={() => setFilters({ status: value })}
            >
              {text} <span class="opacity-80">{number(counts[value ?? "all"] ?? 0)}</span>
            </button>
          ))}
        </div>
        <SearchBox label="Search name, machine or owner" value={q} onChange={value => setFilters({ q: value })} />
        {stats.data && stats.data.policy_lag > 0 && (
          <Badge tone="warn">{number(stats.data.policy_lag)} not on the newest policy</Badge>
        )}
      </div>
      <Await asked={first}>
        {page => {
          const items = [...page.items, ...more.flatMap(one => one.items)];
          const next = (more.at(-1) ?? page).next_cursor;
          if (items.length === 0 && !status && !q) return <FirstAgent />;
          if (items.length === 0)
            return (
              <Card>
                <Empty icon="search" title="No agent fits">
                  <button type="button" class="btn" onClick={() => setFilters({ status: undefined, q: undefined })}>
                    Show all agents
                  </button>
                </Empty>
              </Card>
            );
          return (
            <Card>
              <Scroll label="Agents">
                <Table items={items} newest={newest} />
              </Scroll>
              {next && (
                <div class="border-t border-line p-2 text-center">
                  <button
                    type="button"
                    class="btn"
                    onClick={async () => setMore([...more, await list(status, q, next)])}
                  >
                    Show more
                  </button>
                </div>
              )}
            </Card>
          );
        }}
      </Await>
    </Page>
  );
}

const Table = ({ items, newest }: { items: Listed["items"]; newest: number }) => (
  <table class="table">
    <thead>
      <tr>
        <th>Agent</th>
        <th>Status</th>
        <th>Hooks</th>
        <th>Last seen</th>
        <th>Platform</th>
        <th>Version</th>
        <th class="num">Policy</th>
        <th class="num">MCP servers</th>
      </tr>
    </thead>
    <tbody>
      {items.map(agent => (
        <tr key={agent.id}>
          <td>
            <Link href={`/agents/${agent.id}`} class="font-medium hover:underline">
              {agent.name}
            </Link>
            {agent.hostname && agent.hostname !== agent.name && (
              <span class="block text-xs text-soft">{agent.hostname}</span>
            )}
          </td>
          <td>
            <StatusBadge status={agent.status} />
          </td>
          <td>
            <span class="flex flex-wrap gap-1">
              {agent.hooks.length === 0 && <span class="text-soft">none reported</span>}
              {agent.hooks.map(hook => (
                <HookBadge key={hook.client} hook={hook} />
              ))}
            </span>
          </td>
          <td>
            <Time iso={agent.last_seen_at} relative />
          </td>
          <td>{agent.platform ?? "–"}</td>
          <td>{agent.version ?? "–"}</td>
          <td class="num">
            {agent.policy_version ?? "–"}
            {agent.policy_version !== null && agent.policy_version < newest && (
              <span class="ml-1 text-warn">behind</span>
            )}
          </td>
          <td class="num">{number(agent.mcp_servers.length)}</td>
        </tr>
      ))}
    </tbody>
  </table>
);

export const HookBadge = ({
  hook,
}: {
  hook: { client: string; installed: boolean; trusted?: boolean | undefined };
}) => {
  if (!hook.installed)
    return (
      <Badge tone="block" title="The hook is missing">
        {hook.client}: missing
      </Badge>
    );
  if (hook.trusted === false)
    return (
      <Badge tone="warn" title="Installed, but the agent does not run it until it is trusted">
        {hook.client}: untrusted
      </Badge>
    );
  return (
    <Badge tone="allow" title="The hook is in place">
      {hook.client}
    </Badge>
  );
};
