import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { Columns, Shares } from "../parts/bars.tsx";
import { FirstAgent } from "../parts/first-agent.tsx";
import { Card, Page } from "../parts/page.tsx";
import { Await } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { number, plural } from "../state/times.ts";
import { useAsk, useEvery } from "../state/use-ask.ts";

const REFRESH_MS = 15_000;
const numbers = () => ask(api().dashboard.get());
type Numbers = Awaited<ReturnType<typeof numbers>>;

export default function Overview() {
  const asked = useAsk(numbers, []);
  useEvery(REFRESH_MS, asked.reload);
  return (
    <Page title="Overview" says="The last 24 hours. Every number leads to the list behind it.">
      <Await asked={asked} rows={8}>
        {data => (data.agents.total === 0 ? <FirstAgent /> : <Figures data={data} />)}
      </Await>
    </Page>
  );
}

const Figures = ({ data }: { data: Numbers }) => (
  <>
    <div class="card grid grid-cols-2 divide-line md:grid-cols-4 md:divide-x">
      <Figure
        href="/agents?status=active"
        value={data.agents.active}
        of={data.agents.total}
        text="agents active"
        note={
          data.agents.stale > 0 && (
            <Link class="link" href="/agents?status=stale">
              {plural(data.agents.stale, "stale agent")}
            </Link>
          )
        }
      />
      <Figure
        href="/audit?type=policy.decision&decision=BLOCK&range=24h"
        value={data.decisions_24h.block}
        text="calls blocked"
        alarm={data.decisions_24h.block > 0}
        note={
          <Link class="link" href="/audit?type=policy.decision&decision=ASK&range=24h">
            {number(data.decisions_24h.ask)} asked
          </Link>
        }
      />
      <Figure
        href="/drift?kind=unhooked_call"
        value={data.agents.unhooked_calls_24h}
        text="calls no hook saw"
        alarm={data.agents.unhooked_calls_24h > 0}
        note="Reported by telemetry alone"
      />
      <Figure
        href="/drift"
        value={data.drift.open}
        text="open drifts"
        alarm={data.drift.high > 0}
        note={
          <Link class="link" href="/drift?severity=high">
            {number(data.drift.high)} high
          </Link>
        }
      />
    </div>
    <div class="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Card
        title="Log entries by hour"
        aside={
          <Link class="link" href="/audit?range=24h">
            {plural(data.events.last_24h, "entry")}
          </Link>
        }
      >
        <div class="px-4 pt-4 pb-3">
          <Columns
            slices={data.events.hourly}
            label={`${data.events.last_24h} entries in the last 24 hours, ${data.decisions_24h.block} blocked`}
          />
          <div class="mt-1 flex justify-between text-xs text-soft">
            <Time iso={data.events.hourly[0]?.t} />
            <span>now</span>
          </div>
          <Decisions counts={data.decisions_24h} />
        </div>
      </Card>
      <Card title="Rules that matched" aside="24 hours">
        {data.top_rules.length === 0 ? (
          <p class="p-4 text-sm text-soft">
            No rule has matched a call.{" "}
            <Link class="link" href="/playground">
              Try a command
            </Link>{" "}
            to see one match.
          </p>
        ) : (
          <ol class="py-1.5">
            {data.top_rules.map(({ rule, count }) => (
              <li key={rule}>
                <Link
                  href={`/audit?rule=${encodeURIComponent(rule)}&range=24h`}
                  class="flex items-center justify-between gap-3 px-4 py-1 text-sm hover:bg-raised"
                >
                  <span class="truncate font-mono text-[0.8125rem]">{rule}</span>
                  <span>{number(count)}</span>
                </Link>
              </li>
            ))}
          </ol>
        )}
      </Card>
    </div>
    <div class="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Coverage rows={data.compliance} />
      <ChainCard chain={data.chain} />
    </div>
  </>
);

const Figure = ({
  href,
  value,
  of,
  text,
  note,
  alarm = false,
}: {
  href: string;
  value: number;
  of?: number;
  text: string;
  note?: ComponentChildren;
  alarm?: boolean;
}) => (
  <div class="p-4">
    <Link href={href} class="group inline-flex flex-wrap items-baseline gap-x-2">
      <span class={`text-2xl font-semibold tracking-tight ${alarm ? "text-block" : ""}`}>{number(value)}</span>
      {of !== undefined && <span class="text-sm text-soft">of {number(of)}</span>}
      <span class="text-sm group-hover:underline">{text}</span>
    </Link>
    <p class="flex min-h-6 items-center text-xs text-soft [&_a]:leading-6">{note || " "}</p>
  </div>
);

const colours = {
  block: "bg-chart-block",
  ask: "bg-chart-ask",
  warn: "bg-chart-warn",
  allow: "bg-chart-allow",
} as const;

function Decisions({ counts }: { counts: Numbers["decisions_24h"] }) {
  const kinds = Object.keys(colours) as (keyof typeof colours)[];
  return (
    <div class="mt-4">
      <Shares parts={kinds.map(kind => [counts[kind], colours[kind]])} />
      <ul class="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {kinds.map(kind => (
          <li key={kind}>
            <Link
              href={`/audit?type=policy.decision&decision=${kind.toUpperCase()}&range=24h`}
              class="flex min-h-6 items-center gap-1.5 hover:underline"
            >
              <span class={`size-2.5 rounded-sm ${colours[kind]}`} />
              {number(counts[kind])} {kind}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const Coverage = ({ rows }: { rows: Numbers["compliance"] }) => (
  <Card
    title="Frameworks"
    aside={
      <Link class="link" href="/compliance">
        Manage
      </Link>
    }
  >
    {rows.length === 0 ? (
      <p class="p-4 text-sm text-soft">
        No framework is enabled.{" "}
        <Link class="link" href="/compliance">
          Enable one
        </Link>{" "}
        to see which of its controls your agents' records support.
      </p>
    ) : (
      <ul class="divide-y divide-line">
        {rows.map(({ framework, covered, partial, failing, not_evaluated }) => (
          <li
            key={framework}
            class="grid grid-cols-[minmax(0,7rem)_minmax(0,1fr)_auto] items-center gap-4 px-4 py-2 text-sm"
          >
            <Link class="truncate font-medium hover:underline" href={`/posture?framework=${framework}`}>
              {framework}
            </Link>
            <Shares
              parts={[
                [covered, "bg-chart-allow"],
                [partial, "bg-chart-warn"],
                [failing, "bg-chart-block"],
                [not_evaluated, "bg-line"],
              ]}
            />
            <span class="text-xs text-soft">
              {failing > 0 ? (
                <Link class="link" href={`/posture?framework=${framework}&status=failing`}>
                  {number(failing)} failing
                </Link>
              ) : (
                `${number(covered)} of ${number(covered + partial + failing + not_evaluated)} covered`
              )}
            </span>
          </li>
        ))}
      </ul>
    )}
  </Card>
);

const ChainCard = ({ chain }: { chain: Numbers["chain"] }) => (
  <Card
    title="Audit chain"
    aside={
      <Link class="link" href="/posture/chain">
        Verify
      </Link>
    }
  >
    <div class="p-4 text-sm">
      <p class={`font-medium ${chain.valid ? "text-allow" : "text-block"}`}>
        {chain.valid ? "Every link holds" : "The chain does not verify"}
      </p>
      <p class="mt-1 text-soft">
        {number(chain.size)} entries, last checkpoint <Time iso={chain.last_checkpoint_at} relative />.
      </p>
    </div>
  </Card>
);
