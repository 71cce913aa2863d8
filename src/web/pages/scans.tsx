import { Link } from "wouter-preact";
import { StatusBadge } from "../parts/badges.tsx";
import { Command } from "../parts/copy.tsx";
import { Card, Page } from "../parts/page.tsx";
import { Await, Empty } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
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
              <Table
                label="Scans"
                rows={items}
                keyOf={({ id }) => id}
                columns={[
                  {
                    title: "Scan",
                    cell: ({ id, received_at }) => (
                      <Link class="link" href={`/compliance/scans/${id}`}>
                        <Time iso={received_at} />
                      </Link>
                    ),
                  },
                  { title: "Project", cell: one => one.project },
                  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
                  {
                    title: "Failing",
                    num: true,
                    cell: ({ id, summary }) => (
                      <Link class="link" href={`/compliance/scans/${id}?status=fail`}>
                        {number(summary.fail)}
                      </Link>
                    ),
                  },
                  {
                    title: "New",
                    num: true,
                    cell: ({ id, summary }) => (
                      <Link class={`link ${summary.new > 0 ? "text-block" : ""}`} href={`/compliance/scans/${id}`}>
                        {number(summary.new)}
                      </Link>
                    ),
                  },
                  {
                    title: "Fixed",
                    num: true,
                    cell: ({ id, summary }) => (
                      <Link class={`link ${summary.fixed > 0 ? "text-allow" : ""}`} href={`/compliance/scans/${id}`}>
                        {number(summary.fixed)}
                      </Link>
                    ),
                  },
                  { title: "Tools", cell: ({ tools }) => tools.map(({ name }) => name).join(", ") },
                  {
                    title: "Commit",
                    cell: ({ commit, branch }) => (
                      <>
                        <code>{commit?.slice(0, 10) ?? "–"}</code> {branch}
                      </>
                    ),
                  },
                ]}
              />
            )
          }
        </Await>
      </Card>
    </Page>
  );
}
