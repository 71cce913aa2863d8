import { Link } from "wouter-preact";
import { StatusBadge } from "../parts/badges.tsx";
import { Command } from "../parts/copy.tsx";
import { Card, Page, Scroll } from "../parts/page.tsx";
import { Await, Empty } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { useFilters } from "../state/filters.ts";
import { number } from "../state/times.ts";
import { useAsk } from "../state/use-ask.ts";

export default function Scans() {
  const [{ project }, setFilters] = useFilters(["project"] as const);
  const asked = useAsk(
    () => ask(api().compliance.scans.history.get({ query: { limit: 200, ...(project ? { project } : {}) } })),
    [project],
  );
  return (
    <Page
      title={project ? `Scans of ${project}` : "Scans"}
      says={
        <Link class="link" href="/compliance">
          Compliance
        </Link>
      }
      actions={
        project && (
          <button type="button" class="btn" onClick={() => setFilters({ project: undefined })}>
            All projects
          </button>
        )
      }
    >
      <Card>
        <Await asked={asked}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="compliance" title="No scans">
                <p>Run Comply in a project, here or in CI.</p>
                <Command text="gatehouse comply scan --upload" />
              </Empty>
            ) : (
              <Scroll label="Scans">
                <table class="table">
                  <thead>
                    <tr>
                      <th>Scan</th>
                      <th>Project</th>
                      <th>Status</th>
                      <th class="num">Failing</th>
                      <th class="num">New</th>
                      <th class="num">Fixed</th>
                      <th>Tools</th>
                      <th>Commit</th>
                    </tr>
                  </thead>
                  <tbody>
                    {items.map(scan => (
                      <tr key={scan.id}>
                        <td>
                          <Link class="link" href={`/compliance/scans/${scan.id}`}>
                            <Time iso={scan.received_at} />
                          </Link>
                        </td>
                        <td>{scan.project}</td>
                        <td>
                          <StatusBadge status={scan.status} />
                        </td>
                        <td class="num">
                          <Link class="link" href={`/compliance/scans/${scan.id}?status=fail`}>
                            {number(scan.summary.fail)}
                          </Link>
                        </td>
                        <td class={`num ${scan.summary.new > 0 ? "text-block" : ""}`}>{number(scan.summary.new)}</td>
                        <td class={`num ${scan.summary.fixed > 0 ? "text-allow" : ""}`}>
                          {number(scan.summary.fixed)}
                        </td>
                        <td>{scan.tools.map(({ name }) => name).join(", ")}</td>
                        <td>
                          <code>{scan.commit?.slice(0, 10) ?? "–"}</code> {scan.branch}
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </Scroll>
            )
          }
        </Await>
      </Card>
    </Page>
  );
}
