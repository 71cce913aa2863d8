import { Link, useParams } from "wouter-preact";
import { Badge, SeverityBadge, StatusBadge } from "../parts/badges.tsx";
import { Card, Facts, Page, Scroll } from "../parts/page.tsx";
import { Await } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { useFilters } from "../state/filters.ts";
import { number, plural } from "../state/times.ts";
import { useAsk } from "../state/use-ask.ts";

const detail = (id: string) => ask(api().compliance.scans.detail.get({ query: { id } }));
type Detail = Awaited<ReturnType<typeof detail>>;
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
          <div class="flex flex-wrap gap-1" role="group" aria-label="Status">
            {order.map(one => (
              <button
                key={one}
                type="button"
                class={`btn btn-small ${status === one ? "bg-accent-wash text-accent" : ""}`}
                aria-pressed={status === one}
                onClick={() => setFilters({ status: status === one ? undefined : one })}
              >
                {one.replace("_", " ")} {number(scan.summary[one as keyof typeof scan.summary])}
              </button>
            ))}
            {rule && (
              <button type="button" class="btn btn-small" onClick={() => setFilters({ rule: undefined })}>
                Only {rule}: show all
              </button>
            )}
          </div>
        }
      >
        {shown.length === 0 ? (
          <p class="p-4 text-sm text-soft">No result fits.</p>
        ) : (
          <Scroll label="Results">
            <table class="table">
              <thead>
                <tr>
                  <th>Status</th>
                  <th>Rule</th>
                  <th>Where</th>
                  <th>What</th>
                </tr>
              </thead>
              <tbody>
                {shown.slice(0, 500).map(one => (
                  <tr key={one.fingerprint + one.rule_id + one.location?.path + one.location?.line}>
                    <td class="whitespace-nowrap">
                      <StatusBadge status={one.status} /> {one.state === "new" && <Badge tone="accent">new</Badge>}
                    </td>
                    <td class="whitespace-nowrap">
                      <code>{one.rule_id}</code> {one.severity && <SeverityBadge severity={one.severity} />}
                    </td>
                    <td>
                      <code class="break-all">
                        {one.location ? `${one.location.path}${one.location.line ? `:${one.location.line}` : ""}` : "–"}
                      </code>
                    </td>
                    <td class="min-w-56">{one.message ?? ""}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Scroll>
        )}
        {shown.length > 500 && (
          <p class="border-t border-line px-4 py-2 text-sm text-soft">
            The first 500 of {number(shown.length)}; choose a status to narrow them down.
          </p>
        )}
      </Card>
    </>
  );
}
