import { Link } from "wouter-preact";
import { Badge } from "../parts/badges.tsx";
import { Command } from "../parts/copy.tsx";
import { download } from "../parts/export-menu.tsx";
import { Icon } from "../parts/icons.tsx";
import { Card, Page } from "../parts/page.tsx";
import { Await, Empty, Failure } from "../parts/states.tsx";
import { Table } from "../parts/table.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { inDemo } from "../state/demo.ts";
import { notify } from "../state/notices.ts";
import { session } from "../state/session.ts";
import { number } from "../state/times.ts";
import { useAct, useAsk } from "../state/use-ask.ts";

const catalogue = () => ask(api().compliance.frameworks.get({ query: { all: true } }));
type Framework = Awaited<ReturnType<typeof catalogue>>["items"][number];

const scansOf = (project: string) => `/compliance/scans?project=${encodeURIComponent(project)}`;

export default function Compliance() {
  const frameworks = useAsk(catalogue, []);
  const projects = useAsk(() => ask(api().compliance.scans.projects.get({ query: { limit: 200 } })), []);
  const exported = useAct();
  return (
    <Page
      title="Compliance"
      says="Frameworks you answer to, and the projects that are scanned for them."
      actions={
        <button
          type="button"
          class="btn"
          disabled={exported.busy}
          onClick={() => exported.act(() => download("/compliance/export?format=oscal", "assessment-results.json"))}
        >
          <Icon name="download" /> {exported.busy ? "Writing…" : "Export OSCAL"}
        </button>
      }
    >
      {exported.error && <Failure error={exported.error} />}
      <Card
        title="Projects"
        aside={
          <Link class="link" href="/compliance/scans">
            All scans
          </Link>
        }
      >
        <Await asked={projects} rows={2}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon="compliance" title="Nothing has been scanned yet">
                <p>Run Comply in a project, here or in CI. SARIF of other scanners is taken too.</p>
                <Command text="gatehouse comply scan --upload" />
              </Empty>
            ) : (
              <Table
                label="Projects"
                rows={items}
                keyOf={({ project }) => project}
                columns={[
                  {
                    title: "Project",
                    cell: ({ project }) => (
                      <Link class="font-medium hover:underline" href={scansOf(project)}>
                        {project}
                      </Link>
                    ),
                  },
                  { title: "Last scan", cell: ({ last_scan_at }) => <Time iso={last_scan_at} relative /> },
                  {
                    title: "Failing",
                    num: true,
                    cell: ({ project, fail }) => (
                      <Link class={`link ${fail > 0 ? "text-block" : ""}`} href={scansOf(project)}>
                        {number(fail)}
                      </Link>
                    ),
                  },
                  {
                    title: "Scans",
                    num: true,
                    cell: ({ project, scans }) => (
                      <Link class="link" href={scansOf(project)}>
                        {number(scans)}
                      </Link>
                    ),
                  },
                ]}
              />
            )
          }
        </Await>
      </Card>
      <Card title="Frameworks">
        <Await asked={frameworks}>
          {({ items }) => (
            <ul class="divide-y divide-line">
              {[...items]
                .sort((a, b) => Number(b.enabled) - Number(a.enabled))
                .map(framework => (
                  <FrameworkRow key={framework.id} framework={framework} changed={frameworks.reload} />
                ))}
            </ul>
          )}
        </Await>
      </Card>
    </Page>
  );
}

function FrameworkRow({
  framework: { id, title, version, enabled, controls },
  changed,
}: {
  framework: Framework;
  changed(): void;
}) {
  const { busy, error, act } = useAct();
  const mayChange = inDemo() || session.value?.organisation.role === "admin";
  const toggle = () =>
    act(async () => {
      if (enabled) await ask(api().compliance.frameworks.disable.post({ framework: id }));
      else await ask(api().compliance.frameworks.post({ framework: id }));
      notify(`${title} is ${enabled ? "disabled" : "enabled"}.`);
      changed();
    });
  return (
    <li class="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm">
      <div class="min-w-0 flex-1">
        <p class="flex flex-wrap items-center gap-2 font-medium">
          {enabled ? (
            <Link class="hover:underline" href={`/posture?framework=${id}`}>
              {title}
            </Link>
          ) : (
            title
          )}
          {enabled && <Badge tone="allow">enabled</Badge>}
        </p>
        <p class="text-xs text-soft">
          {id} · {version} · {number(controls)} controls
        </p>
      </div>
      {mayChange && (
        <button
          type="button"
          class="btn btn-small"
          disabled={busy}
          onClick={toggle}
          aria-label={`${enabled ? "Disable" : "Enable"} ${title}`}
        >
          {enabled ? "Disable" : "Enable"}
        </button>
      )}
      {error && <Failure error={error} />}
    </li>
  );
}
