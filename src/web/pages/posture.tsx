import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { StatusBadge } from "../parts/badges.tsx";
import { Shares } from "../parts/bars.tsx";
import { ControlEvidence } from "../parts/control-evidence.tsx";
import { Icon } from "../parts/icons.tsx";
import { Card, Page } from "../parts/page.tsx";
import { Await, Empty } from "../parts/states.tsx";
import { StatusFilter } from "../parts/status-filter.tsx";
import { api, ask } from "../state/api.ts";
import { useFilters } from "../state/filters.ts";
import { useFrameworkNames } from "../state/framework-names.ts";
import { number } from "../state/times.ts";
import { useAsk } from "../state/use-ask.ts";

const coverage = () => ask(api().compliance.status.get({ query: {} }));
type Covered = Awaited<ReturnType<typeof coverage>>["frameworks"][number];
const statuses = ["failing", "partial", "covered", "not_evaluated"] as const;
const colours = {
  failing: "bg-chart-block",
  partial: "bg-chart-warn",
  covered: "bg-chart-allow",
  not_evaluated: "bg-line",
} as const;

/** Framework → control → evidence. Failing first: that is what people come for. */
export default function Posture() {
  const asked = useAsk(coverage, []);
  const [{ framework }, setFilters] = useFilters(["framework", "status", "control"] as const);
  return (
    <Page
      title="Posture"
      says="What your records support, control by control. It is evidence for an assessment, never a statement of compliance."
      actions={
        <Link class="btn" href="/posture/chain">
          <Icon name="posture" /> Verify the chain
        </Link>
      }
    >
      <Await asked={asked}>
        {({ frameworks }) => {
          if (frameworks.length === 0)
            return (
              <Card>
                <Empty icon="compliance" title="No framework is enabled">
                  <Link class="btn btn-primary" href="/compliance">
                    Choose frameworks
                  </Link>
                </Empty>
              </Card>
            );
          const chosen = frameworks.find(one => one.framework === framework) ?? frameworks[0]!;
          return (
            <>
              <div class="grid grid-cols-2 gap-3 md:grid-cols-3 xl:grid-cols-4">
                {frameworks.map(one => (
                  <Tile
                    key={one.framework}
                    one={one}
                    chosen={one === chosen}
                    onChoose={() => setFilters({ framework: one.framework, status: undefined, control: undefined })}
                  />
                ))}
              </div>
              <Controls framework={chosen} />
            </>
          );
        }}
      </Await>
    </Page>
  );
}

const Tile = ({
  one: { framework, summary, controls },
  chosen,
  onChoose,
}: {
  one: Covered;
  chosen: boolean;
  onChoose(): void;
}) => (
  <button
    type="button"
    class={`card p-3 text-left ${chosen ? "border-accent outline outline-accent" : "hover:bg-raised"}`}
    aria-pressed={chosen}
    onClick={onChoose}
  >
    <span class="line-clamp-2 font-medium">{useFrameworkNames().get(framework) ?? framework}</span>
    <span class="mt-0.5 block text-xs text-soft">
      {summary.failing > 0 ? (
        <strong class="text-block">{number(summary.failing)} failing</strong>
      ) : (
        `${number(summary.covered)} of ${number(controls.length)} covered`
      )}
    </span>
    <span class="mt-2 block">
      <Shares parts={statuses.map(status => [summary[status], colours[status]])} />
    </span>
  </button>
);

function Controls({ framework: { framework, summary, controls } }: { framework: Covered }) {
  const [{ status, control }, setFilters] = useFilters(["status", "control"] as const);
  const rank = (one: string) => statuses.indexOf(one as (typeof statuses)[number]);
  const shown = controls
    .filter(one => !status || one.status === status)
    .sort((a, b) => rank(a.status) - rank(b.status));
  return (
    <Card
      title={useFrameworkNames().get(framework) ?? framework}
      aside={
        <StatusFilter
          choices={statuses.map(value => ({ value, count: summary[value], colour: colours[value] }))}
          chosen={status}
          choose={status => setFilters({ status })}
        />
      }
    >
      {shown.length === 0 && <p class="p-4 text-sm text-soft">No control has this status.</p>}
      <ul class="divide-y divide-line">
        {shown.map(one => (
          <Control
            key={one.control}
            framework={framework}
            control={one}
            open={control === one.control}
            onToggle={open => setFilters({ control: open ? one.control : undefined })}
          />
        ))}
      </ul>
    </Card>
  );
}

function Control({
  framework,
  control,
  open,
  onToggle,
}: {
  framework: string;
  control: Covered["controls"][number];
  open: boolean;
  onToggle(open: boolean): void;
}) {
  const [id] = useState(() => `control-${control.control.replaceAll(/\W/g, "-")}`);
  return (
    <li>
      <button
        type="button"
        class="grid w-full grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-3 px-4 py-2 text-left text-sm hover:bg-raised"
        aria-expanded={open}
        aria-controls={id}
        onClick={() => onToggle(!open)}
      >
        <Icon name="right" class={`size-3.5 text-soft ${open ? "rotate-90" : ""}`} />
        <span class="min-w-0 sm:grid sm:grid-cols-[7rem_minmax(0,1fr)] sm:gap-3">
          <code class="block">{control.control}</code>
          <span>{control.title}</span>
        </span>
        <StatusBadge status={control.status} />
      </button>
      {open && (
        <div id={id} class="border-t border-line bg-raised/40 px-4 py-3">
          <ControlEvidence framework={framework} control={control.control} />
        </div>
      )}
    </li>
  );
}
