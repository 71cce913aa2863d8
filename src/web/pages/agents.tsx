import { useEffect, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { Badge, StatusBadge } from "../parts/badges.tsx";
import { FirstAgent } from "../parts/first-agent.tsx";
import { Card, Page } from "../parts/page.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { Await, Empty } from "../parts/states.tsx";
import { StatusFilter } from "../parts/status-filter.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { inDemo } from "../state/demo.ts";
import { type Filters, useFilters } from "../state/filters.ts";
import { policyVersionNow } from "../state/policy.ts";
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

const filterNames = ["status", "policy", "q"] as const;
const list = (filters: Filters<(typeof filterNames)[number]>, cursor?: string) =>
  ask(api().agents.get({ query: { limit: PAGE, ...filters, ...(cursor ? { cursor } : {}) } as never }));
type Listed = Awaited<ReturnType<typeof list>>;

export default function Agents() {
  const [filters, setFilters] = useFilters(filterNames);
  const { status, policy, q } = filters;
  const stats = useAsk(() => ask(api().agents.stats.get()), []);
  const first = useAsk(() => list(filters), [JSON.stringify(filters)]);
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
  const newest = useAsk(policyVersionNow, []);
  return (
    <Page
      title="Agents"
      says="Installations that ask before they act. Stale means three heartbeats were missed."
      actions={
        !inDemo() && (
          <Link href="/device" class="btn btn-primary">
            Connect an agent
          </Link>
        )
      }
    >
      <div class="flex flex-wrap items-center gap-2">
        <StatusFilter
          choices={statuses.map(([value, text]) => ({ value, text, count: counts[value ?? "all"] ?? 0 }))}
          chosen={status}
          choose={status => setFilters({ status })}
        />
        {((stats.data?.policy_lag ?? 0) > 0 || policy) && (
          <button
            type="button"
            class="btn btn-small"
            aria-pressed={policy === "behind"}
            onClick={() => setFilters({ policy: policy ? undefined : "behind" })}
          >
            Behind on policy <span class="text-warn">{number(stats.data?.policy_lag ?? 0)}</span>
          </button>
        )}
        <SearchBox label="Search name, machine or owner" value={q} onChange={value => setFilters({ q: value })} />
      </div>
      <Await asked={first}>
        {page => {
          const items = [...page.items, ...more.flatMap(one => one.items)];
          const next = (more.at(-1) ?? page).next_cursor;
          if (items.length === 0 && Object.keys(filters).length === 0) return <FirstAgent />;
          if (items.length === 0)
            return (
              <Card>
                <Empty icon="search" title="No agent fits">
                  <button
                    type="button"
                    class="btn"
                    onClick={() => setFilters({ status: undefined, policy: undefined, q: undefined })}
                  >
                    Show all agents
                  </button>
                </Empty>
              </Card>
            );
          return (
            <Card>
              <Fleet items={items} newest={newest.data ?? 0} />
              {next && (
                <div class="border-t border-line p-2 text-center">
                  <button type="button" class="btn" onClick={async () => setMore([...more, await list(filters, next)])}>
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

const Fleet = ({ items, newest }: { items: Listed["items"]; newest: number }) => (
  <Table
    label="Agents"
    rows={items}
    keyOf={agent => agent.id}
    columns={[
      {
        title: "Agent",
        cell: ({ id, name, hostname }) => (
          <>
            <Link href={`/agents/${id}`} class="font-medium hover:underline">
              {name}
            </Link>
            {hostname && hostname !== name && <span class="block text-xs font-normal text-soft">{hostname}</span>}
          </>
        ),
      },
      { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
      {
        title: "Hooks",
        cell: ({ hooks }) => (
          <span class="flex flex-wrap gap-1">
            {hooks.length === 0 && <span class="text-soft">none reported</span>}
            {hooks.map(hook => (
              <HookBadge key={hook.client} hook={hook} />
            ))}
          </span>
        ),
      },
      { title: "Last seen", cell: ({ last_seen_at }) => <Time iso={last_seen_at} relative /> },
      { title: "Platform", cell: ({ platform }) => platform ?? "–" },
      { title: "Version", cell: ({ version }) => version ?? "–" },
      {
        title: "Policy",
        cell: ({ policy_version }) =>
          policy_version === null ? (
            "–"
          ) : (
            <>
              {policy_version}
              {policy_version < newest && <span class="ml-1.5 text-warn">behind</span>}
            </>
          ),
      },
      {
        title: "MCP servers",
        num: true,
        cell: ({ id, mcp_servers: { length } }) =>
          length === 0 ? (
            0
          ) : (
            <Link class="link" href={`/agents/${id}`}>
              {number(length)}
            </Link>
          ),
      },
    ]}
  />
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
