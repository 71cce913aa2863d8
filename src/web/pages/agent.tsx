import { useState } from "preact/hooks";
import { Link, useLocation, useParams } from "wouter-preact";
import { Badge, SeverityBadge, StatusBadge } from "../parts/badges.tsx";
import { CopyButton } from "../parts/copy.tsx";
import { Confirm, Dialog } from "../parts/dialog.tsx";
import { Field, Form } from "../parts/form.tsx";
import { Card, Facts, Page } from "../parts/page.tsx";
import { Await } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { inDemo } from "../state/demo.ts";
import { notify } from "../state/notices.ts";
import { policyVersionNow } from "../state/policy.ts";
import { rangeKey, rangeName, rangeQuery, useRange, windowOf } from "../state/range.ts";
import { session } from "../state/session.ts";
import { number, plural } from "../state/times.ts";
import { useAsk, useEvery } from "../state/use-ask.ts";
import { HookBadge } from "./agents.tsx";

const REFRESH_MS = 15_000;
const get = (id: string) => ask(api().agents({ id }).get());
type Agent = Awaited<ReturnType<typeof get>>;

export default function AgentPage() {
  const { id } = useParams<{ id: string }>();
  const asked = useAsk(() => get(id), [id]);
  const [, go] = useLocation();
  const [open, setOpen] = useState<"remove" | "rename">();
  useEvery(REFRESH_MS, asked.reload);
  const mayChange = !inDemo() && session.value?.organisation.role === "admin";
  const agent = asked.data;
  return (
    <Page
      title={agent?.name ?? "Agent"}
      says={
        <Link href="/agents" class="link">
          All agents
        </Link>
      }
      actions={
        mayChange &&
        agent && (
          <>
            <button type="button" class="btn" onClick={() => setOpen("rename")}>
              Rename
            </button>
            <button type="button" class="btn btn-danger" onClick={() => setOpen("remove")}>
              Remove
            </button>
          </>
        )
      }
    >
      <Await asked={asked}>{data => <Parts agent={data} />}</Await>
      {open === "remove" && agent && (
        <Confirm
          title={`Remove ${agent.name}?`}
          action="Remove and revoke"
          onClose={() => setOpen(undefined)}
          work={async () => {
            await ask(api().agents({ id }).delete());
            notify(`${agent.name} is removed; its token is dead.`);
            go("/agents");
          }}
        >
          Its token dies at once: it can no longer check calls, pull policy or send events. What it logged stays. To
          come back it has to be approved again.
        </Confirm>
      )}
      {open === "rename" && agent && (
        <Dialog title="Rename" onClose={() => setOpen(undefined)}>
          <Form
            action="Rename"
            work={async ({ name }) => {
              await ask(api().agents({ id }).patch({ name: name! }));
              setOpen(undefined);
              asked.reload();
            }}
          >
            <Field label="Name" name="name" required value={agent.name} maxLength={200} />
          </Form>
        </Dialog>
      )}
    </Page>
  );
}

const Parts = ({ agent }: { agent: Agent }) => (
  <div class="pair">
    <Card title="Installation" aside={<StatusBadge status={agent.status} />}>
      <Facts
        rows={[
          ["Last seen", <Time key="seen" iso={agent.last_seen_at} relative />],
          ["Machine", agent.hostname ?? "not said"],
          ["Platform", [agent.platform, agent.version].filter(Boolean).join(" · ") || "not said"],
          ["Owner", agent.owner ?? "unknown"],
          ["Connected", <Time key="made" iso={agent.created_at} long />],
          ["Policy", <PolicyLag key="policy" has={agent.policy_version} />],
          [
            "Id",
            <span key="id" class="flex items-center gap-2">
              <code class="truncate">{agent.id}</code>
              <CopyButton text={agent.id} />
            </span>,
          ],
        ]}
      />
      <Calls id={agent.id} />
    </Card>
    <Card title="Hooks">
      {agent.hooks.length === 0 ? (
        <p class="p-4 text-sm text-soft">
          No heartbeat has named a hook. Put one in place with <code>gatehouse install claude-code</code>.
        </p>
      ) : (
        <Table
          label="Hooks"
          rows={agent.hooks}
          keyOf={hook => hook.client}
          columns={[
            { title: "Coding agent", cell: hook => <HookBadge hook={hook} /> },
            { title: "Version", cell: ({ version }) => version ?? "–" },
            { title: "Fingerprint", cell: ({ fingerprint }) => <code>{fingerprint?.slice(0, 12) ?? "–"}</code> },
          ]}
        />
      )}
    </Card>
    <Servers agent={agent} />
    <Drifts id={agent.id} />
  </div>
);

/** What it logged in the time range. */
function Calls({ id }: { id: string }) {
  const [range] = useRange();
  const asked = useAsk(() => ask(api().audit.stats.get({ query: windowOf(range) })), [id, rangeKey(range)]);
  const count = asked.data?.by_agent.find(one => one.agent_id === id)?.count ?? 0;
  return (
    <p class="border-t border-line px-4 py-2.5 text-sm">
      <Link class="link" href={`/audit?agent_id=${id}&${rangeQuery(range)}`}>
        {asked.data ? plural(count, "entry") : "Its entries"}
      </Link>{" "}
      in the log, {rangeName(range)}
    </p>
  );
}

function PolicyLag({ has }: { has: number | null }) {
  const newest = useAsk(policyVersionNow, []);
  if (has === null) return <>not pulled yet</>;
  const behind = (newest.data ?? has) - has;
  return (
    <>
      version {has}
      {newest.data !== undefined &&
        (behind > 0 ? (
          <span class="text-warn">
            {" "}
            · {number(behind)} behind,{" "}
            <Link class="link" href={`/policy?tab=history&version=${has}`}>
              what changed
            </Link>
          </span>
        ) : (
          " · the newest"
        ))}
    </>
  );
}

const Servers = ({ agent }: { agent: Agent }) => (
  <Card title="MCP servers it declares">
    {agent.mcp_servers.length === 0 ? (
      <p class="p-4 text-sm text-soft">None.</p>
    ) : (
      <ul class="divide-y divide-line">
        {agent.mcp_servers.map(server => (
          <li key={server.name} class="px-4 py-2 text-sm">
            <p class="flex flex-wrap items-center gap-2 font-medium">
              {server.name} {server.transport && <Badge>{server.transport}</Badge>}
            </p>
            <code class="block text-xs break-all text-soft">{server.command ?? server.url ?? ""}</code>
            {server.tools && server.tools.length > 0 && (
              <p class="mt-0.5 text-xs text-soft">{server.tools.map(tool => tool.name).join(", ")}</p>
            )}
          </li>
        ))}
      </ul>
    )}
  </Card>
);

function Drifts({ id }: { id: string }) {
  const asked = useAsk(() => ask(api().posture.drift.get({ query: { agent_id: id } })), [id]);
  return (
    <Card
      title="Declared against observed"
      aside={
        <Link class="link" href={`/drift?agent_id=${id}`}>
          Drift
        </Link>
      }
    >
      <Await asked={asked} rows={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="p-4 text-sm text-soft">Its calls match what it declares, and every call passed a hook.</p>
          ) : (
            <ul class="divide-y divide-line">
              {items.slice(0, 8).map(one => (
                <li key={one.kind + one.server + one.tool} class="flex items-start gap-2 px-4 py-2 text-sm">
                  <SeverityBadge severity={one.severity} />
                  <span class="min-w-0">
                    <code class="break-all">{[one.server, one.tool].filter(Boolean).join(" › ")}</code> {one.detail}
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Await>
    </Card>
  );
}
