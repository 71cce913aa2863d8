import { Link, useParams } from "wouter-preact";
import { Badge, SeverityBadge, StatusBadge } from "../parts/badges.tsx";
import { Card, Facts, Page } from "../parts/page.tsx";
import { Await } from "../parts/states.tsx";
import { Only, StatusFilter } from "../parts/status-filter.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { useFilters } from "../state/filters.ts";
import { number, plural } from "../state/times.ts";
import { useAsk } from "../state/use-ask.ts";

const detail = (id: string) => ask(api().compliance.scans.detail.get({ query: { id } }));
type Detail = Awaited<ReturnType<typeof detail>>;
const SHOWN_MAX = 500;
const order = ["fail", "error", "pass", "not_applicable"];

export default function Scan() {
  const { id } = useParams<{ id: string }>();
  const asked = useAsk(() => detail(id), [id]);
  const project = asked.data?.project;
  return (
    <Page
      title={project ? `Scan of ${project}` : "Scan"}
      says={
        <Link
          class="link"
          href={project ? `/compliance/scans?project=${encodeURIComponent(project)}` : "/compliance/scans"}
        >
          All its scans
        </Link>
      }
    >
      <Await asked={asked}>{scan => <Parts scan={scan} />}</Await>
    </Page>
  );
}

function Parts({ scan }: { scan: Detail }) {
  const [{ status, rule }, setFilters] = useFilters(["status", "rule"] as const);
  const shown = scan.results
    .filter(one => (!status || one.status === status) && (!rule || one.rule_id === rule))
    .sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status));
  return (
    <>
      <Card title="Scan" aside={<StatusBadge status={scan.status} />}>
        <Facts
          rows={[
            ["Received", <Time key="at" iso={scan.received_at} long />],
            ["Tools", scan.tools.map(({ name, version }) => [name, version].filter(Boolean).join(" ")).join(", ")],
            [
              "Commit",
              <span key="commit">
                <code>{scan.commit ?? "not said"}</code> {scan.branch}
              </span>,
            ],
            [
              "Against the one before",
              `${plural(scan.summary.new, "new failure")}, ${number(scan.summary.fixed)} fixed, ${number(scan.summary.unchanged)} unchanged`,
            ],
            [
              "In the log",
              <Link key="seq" class="link" href={`/audit?entry=${scan.seq}&range=all`}>
                entry {scan.seq}
              </Link>,
            ],
          ]}
        />
        {scan.truncated && (
          <p class="border-t border-line px-4 py-2 text-sm text-warn">
            There were too many results; the most severe were kept.
          </p>
        )}
      </Card>
      <Card
        title="Results"
        aside={
          <StatusFilter
            choices={order.map(value => ({ value, count: scan.summary[value as keyof typeof scan.summary] }))}
            chosen={status}
            choose={status => setFilters({ status })}
          >
            {rule && <Only what={rule} clear={() => setFilters({ rule: undefined })} />}
          </StatusFilter>
        }
      >
        {shown.length === 0 ? (
          <p class="p-4 text-sm text-soft">No result fits.</p>
        ) : (
          <Table
            label="Results"
            rows={shown.slice(0, SHOWN_MAX)}
            keyOf={one => [one.fingerprint, one.rule_id, one.location?.path, one.location?.line].join(" ")}
            columns={[
              {
                title: "Rule",
                class: "whitespace-nowrap",
                cell: ({ rule_id, severity }) => (
                  <>
                    <code>{rule_id}</code> {severity && <SeverityBadge severity={severity} />}
                  </>
                ),
              },
              {
                title: "Status",
                class: "whitespace-nowrap",
                cell: ({ status, state }) => (
                  <>
                    <StatusBadge status={status} /> {state === "new" && <Badge tone="accent">new</Badge>}
                  </>
                ),
              },
              {
                title: "Where",
                cell: ({ location }) => (
                  <code class="break-all">
                    {location ? `${location.path}${location.line ? `:${location.line}` : ""}` : "–"}
                  </code>
                ),
              },
              { title: "What", class: "sm:min-w-56", cell: ({ message }) => message },
            ]}
          />
        )}
        {shown.length > SHOWN_MAX && (
          <p class="border-t border-line px-4 py-2 text-sm text-soft">
            The first {SHOWN_MAX} of {number(shown.length)}; choose a status to narrow them down.
          </p>
        )}
      </Card>
    </>
  );
}
