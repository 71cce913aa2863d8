import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { SeverityBadge } from "../parts/badges.tsx";
import { Confirm } from "../parts/dialog.tsx";
import { Select } from "../parts/form.tsx";
import { Card, Page } from "../parts/page.tsx";
import { Await, Empty } from "../parts/states.tsx";
import { Only } from "../parts/status-filter.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { useAgentNames } from "../state/agent-names.ts";
import { api, ask } from "../state/api.ts";
import { inDemo } from "../state/demo.ts";
import { type Filters, useFilters } from "../state/filters.ts";
import { notify } from "../state/notices.ts";
import { session } from "../state/session.ts";
import { number, plural } from "../state/times.ts";
import { useAsk } from "../state/use-ask.ts";

const kinds = {
  undeclared_server: "Undeclared server",
  undeclared_tool: "Undeclared tool",
  unused_server: "Unused server",
  description_changed: "Description changed",
  schema_changed: "Input schema changed",
  annotation_changed: "Annotation changed",
  unhooked_call: "Call without a hook",
} as const;
type Kind = keyof typeof kinds;
const severities = ["critical", "high", "medium", "low"] as const;

/** A changed tool can be accepted as it is now; what was never declared is declared instead. */
const acceptable = new Set<string>(["description_changed", "schema_changed", "annotation_changed"]);

/** The time range that holds everything the count counts. */
const seen = ({ first_seen_at, last_seen_at }: { first_seen_at: string; last_seen_at: string }) =>
  `from=${first_seen_at}&to=${new Date(Date.parse(last_seen_at) + 1).toISOString()}`;

const filterNames = ["kind", "severity", "agent_id"] as const;
const list = (filters: Filters<(typeof filterNames)[number]>) =>
  ask(api().posture.drift.get({ query: { ...filters, limit: 200 } as never }));
type Item = Awaited<ReturnType<typeof list>>["items"][number];

export default function Drift() {
  const [filters, setFilters] = useFilters(filterNames);
  const names = useAgentNames();
  const asked = useAsk(() => list(filters), [JSON.stringify(filters)]);
  const [wanted, setWanted] = useState<Item>();
  const mayAccept = !inDemo() && session.value?.organisation.role === "admin";
  const servers = useAsk(() => ask(api().audit["mcp-servers"].get({ query: { limit: 200 } })), []);
  return (
    <Page
      title="Drift"
      says="What agents declare against what they were seen doing. A tool that turns destructive is high; a reworded description alone is low."
    >
      <div class="flex flex-wrap gap-2">
        <Select
          label="Kind"
          name="kind"
          hidden
          value={filters.kind ?? ""}
          options={[["", "Every kind"], ...Object.entries(kinds)]}
          onChange={kind => setFilters({ kind: kind || undefined })}
        />
        <Select
          label="Severity"
          name="severity"
          hidden
          value={filters.severity ?? ""}
          options={[["", "Every severity"], ...severities.map(one => [one, one] as const)]}
          onChange={severity => setFilters({ severity: severity || undefined })}
        />
        {filters.agent_id && (
          <Only what={names.get(filters.agent_id) ?? "one agent"} clear={() => setFilters({ agent_id: undefined })} />
        )}
      </div>
      <Card title="Differences">
        <Await asked={asked}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="drift" title="Nothing differs">
                Every call that was seen matches what its agent declares
                {Object.keys(filters).length > 0 ? ", under these filters" : ""}.
              </Empty>
            ) : (
              <Table
                label="Differences"
                rows={items}
                keyOf={one => [one.kind, one.agent_id, one.server, one.tool].join(" ")}
                columns={[
                  {
                    title: "What",
                    class: "sm:min-w-64",
                    cell: one => (
                      <>
                        <code class="block break-words">{[one.server, one.tool].filter(Boolean).join(" › ")}</code>
                        <span class="font-normal text-soft">{one.detail}</span>
                      </>
                    ),
                  },
                  { title: "Severity", cell: ({ severity }) => <SeverityBadge severity={severity} /> },
                  { title: "Kind", cell: ({ kind }) => kinds[kind as Kind] },
                  {
                    title: "Agent",
                    cell: ({ agent_id }) => (
                      <Link class="link" href={`/agents/${agent_id}`}>
                        {names.get(agent_id) ?? "agent"}
                      </Link>
                    ),
                  },
                  { title: "First seen", cell: one => <Time iso={one.first_seen_at} relative /> },
                  { title: "Last seen", cell: one => <Time iso={one.last_seen_at} relative /> },
                  {
                    title: "Count",
                    num: true,
                    cell: one => (
                      <Link
                        class="link"
                        href={`/audit?agent_id=${one.agent_id}&q=${encodeURIComponent(one.tool ?? one.server)}&${seen(one)}`}
                      >
                        {number(one.count)}
                      </Link>
                    ),
                  },
                  mayAccept &&
                    items.some(({ kind }) => acceptable.has(kind)) && {
                      title: "Change",
                      num: true,
                      cell: one =>
                        acceptable.has(one.kind) && (
                          <button
                            type="button"
                            class="btn btn-small"
                            onClick={() => setWanted(one)}
                            aria-label={`Accept ${one.tool}`}
                          >
                            Accept
                          </button>
                        ),
                    },
                ]}
              />
            )
          }
        </Await>
      </Card>
      <Card title="MCP servers seen in calls">
        <Await asked={servers}>
          {({ items }) =>
            items.length === 0 ? (
              <p class="p-4 text-sm text-soft">No MCP call has been logged.</p>
            ) : (
              <Table
                label="MCP servers"
                rows={items}
                keyOf={({ name }) => name}
                columns={[
                  { title: "Server", cell: ({ name }) => <code>{name}</code> },
                  {
                    title: "Declared",
                    cell: ({ declared }) => (declared ? "yes" : <span class="text-block">no</span>),
                  },
                  {
                    title: "Tools",
                    class: "max-w-md text-soft",
                    cell: ({ tools }) => tools.map(({ name }) => name).join(", "),
                  },
                  {
                    title: "Calls",
                    num: true,
                    cell: server => (
                      <Link class="link" href={`/audit?q=${encodeURIComponent(server.name)}&${seen(server)}`}>
                        {number(server.calls)}
                      </Link>
                    ),
                  },
                  { title: "By", cell: ({ agents }) => plural(agents, "agent") },
                  { title: "Last seen", cell: ({ last_seen_at }) => <Time iso={last_seen_at} relative /> },
                ]}
              />
            )
          }
        </Await>
      </Card>
      {wanted && <Accept one={wanted} onClose={() => setWanted(undefined)} done={asked.reload} />}
    </Page>
  );
}

const Accept = ({
  one: { agent_id, server, tool, detail, last_seen_at },
  onClose,
  done,
}: {
  one: Item;
  onClose(): void;
  done(): void;
}) => (
  <Confirm
    title={`Accept ${tool} as it is now?`}
    action="Accept"
    danger={false}
    onClose={onClose}
    work={async () => {
      await ask(api().posture.drift.accept.post({ agent_id, server, tool: tool!, last_seen_at }));
      notify(`${tool} is accepted as it is now.`);
      done();
    }}
  >
    <code>
      {server} › {tool}
    </code>{" "}
    {detail}. From here on it is compared with what it says now, at every agent that has this same definition. The log
    keeps what was accepted.
  </Confirm>
);
