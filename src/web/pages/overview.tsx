import type { ComponentChildren } from "preact";
import { Link } from "wouter-preact";
import { Columns, Shares } from "../parts/bars.tsx";
import { FirstAgent } from "../parts/first-agent.tsx";
import { Card, Page } from "../parts/page.tsx";
import { Await } from "../parts/states.tsx";
import { Time } from "../parts/time.tsx";
import { api, ask } from "../state/api.ts";
import { filled, lengths_ms } from "../state/buckets.ts";
import { useFrameworkNames } from "../state/framework-names.ts";
import { bucketOf, type Range, rangeKey, rangeName, rangeQuery, useRange, windowOf } from "../state/range.ts";
import { number, plural } from "../state/times.ts";
import { useAsk, useEvery } from "../state/use-ask.ts";

const REFRESH_MS = 15_000;
const numbers = () => ask(api().dashboard.get());
type Numbers = Awaited<ReturnType<typeof numbers>>;
type Counts = Awaited<ReturnType<typeof counted>>;
const counted = (query: { from?: string; to?: string; bucket: "hour" | "day" }) =>
  ask(api().audit.stats.get({ query }));

export default function Overview() {
  const [range] = useRange();
  const [window, bucket] = [windowOf(range), bucketOf(range)];
  // Apart, because the numbers that rest on the whole log may take longer than the others.
  const fleet = useAsk(() => ask(api().agents.stats.get()), []);
  const now = useAsk(numbers, []);
  const activity = useAsk(() => counted({ ...window, bucket }), [rangeKey(range)]);
  useEvery(REFRESH_MS, () => (now.reload(), activity.reload()));
  return (
    <Page title="Overview" says="How the fleet stands now, and what it did in the time range above.">
      <Await asked={fleet} rows={8}>
        {({ total }) =>
          total === 0 ? (
            <FirstAgent />
          ) : (
            <>
              {!now.data && !now.error && (
                <p class="text-sm text-soft" role="status">
                  Adding up. The first look in an hour verifies the chain of the whole log, which takes a while on a
                  long one.
                </p>
              )}
              <Await asked={now} rows={2}>
                {data => <Standing data={data} />}
              </Await>
              <Await asked={activity} rows={6}>
                {counts => <Activity counts={counts} range={range} bucket={bucket} />}
              </Await>
              {now.data && (
                <div class="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
                  <Coverage rows={now.data.compliance} />
                  <ChainCard chain={now.data.chain} />
                </div>
              )}
            </>
          )
        }
      </Await>
    </Page>
  );
}

const Standing = ({ data: { agents, decisions_24h, drift } }: { data: Numbers }) => (
  <div class="card grid grid-cols-2 divide-line md:grid-cols-4 md:divide-x">
    <Figure
      href="/agents?status=active"
      value={agents.active}
      of={agents.total}
      text="agents active"
      note={
        agents.stale > 0 ? (
          <Link class="link" href="/agents?status=stale">
            {plural(agents.stale, "stale agent")}
          </Link>
        ) : (
          "None is stale"
        )
      }
    />
    <Figure
      href="/audit?type=policy.decision&decision=BLOCK&range=24h"
      value={decisions_24h.block}
      text="blocked in 24 hours"
      alarm={decisions_24h.block > 0}
      note={
        <Link class="link" href="/audit?type=policy.decision&decision=ASK&range=24h">
          {number(decisions_24h.ask)} asked
        </Link>
      }
    />
    <Figure
      href="/drift?kind=unhooked_call"
      value={agents.unhooked_calls_24h}
      text="calls no hook saw"
      alarm={agents.unhooked_calls_24h > 0}
      note="24 hours, from telemetry"
    />
    <Figure
      href="/drift"
      value={drift.open}
      text="open drifts"
      alarm={drift.high > 0}
      note={
        <Link class="link" href="/drift?severity=high">
          {number(drift.high)} high
        </Link>
      }
    />
  </div>
);

const RULES_MAX = 10;

function Activity({ counts, range, bucket }: { counts: Counts; range: Range; bucket: "hour" | "day" }) {
  const { from, to } = windowOf(range);
  const slices = filled(counts.series, lengths_ms[bucket], from, to);
  const query = rangeQuery(range);
  return (
    <div class="grid gap-4 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Card
        title={`Log entries by ${bucket}`}
        aside={
          <Link class="link" href={`/audit?${query}`}>
            {plural(counts.total, "entry")}
          </Link>
        }
      >
        <div class="px-4 pt-4 pb-3">
          <Columns
            slices={slices}
            label={`${counts.total} entries in the time range, ${counts.by_decision.BLOCK} blocked`}
          />
          <div class="mt-1 flex justify-between text-xs text-soft">
            <Time iso={slices[0]?.t} minute />
            {to ? <Time iso={to} minute /> : <span>now</span>}
          </div>
          <Decisions counts={counts} query={query} />
        </div>
      </Card>
      <Card title="Rules that matched" aside={rangeName(range)}>
        {counts.by_rule.length === 0 ? (
          <p class="p-4 text-sm text-soft">
            No rule has matched a call in this time.{" "}
            <Link class="link" href="/playground">
              Try a command
            </Link>{" "}
            to see one match.
          </p>
        ) : (
          <ol class="py-1.5">
            {counts.by_rule.slice(0, RULES_MAX).map(({ rule, count }) => (
              <li key={rule}>
                <Link
                  href={`/audit?rule=${encodeURIComponent(rule)}&${query}`}
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
  );
}

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

function Decisions({ counts: { by_decision }, query }: { counts: Counts; query: string }) {
  const kinds = Object.keys(colours) as (keyof typeof colours)[];
  const count = (kind: keyof typeof colours) => by_decision[kind.toUpperCase()] ?? 0;
  return (
    <div class="mt-4">
      <Shares parts={kinds.map(kind => [count(kind), colours[kind]])} />
      <ul class="mt-2 flex flex-wrap gap-x-5 gap-y-1 text-sm">
        {kinds.map(kind => (
          <li key={kind}>
            <Link
              href={`/audit?decision=${kind.toUpperCase()}&${query}`}
              class="flex min-h-6 items-center gap-1.5 hover:underline"
            >
              <span class={`size-2.5 rounded-sm ${colours[kind]}`} />
              {number(count(kind))} {kind}
            </Link>
          </li>
        ))}
        <li class="flex min-h-6 items-center gap-1.5 text-soft">
          <span class="size-2.5 rounded-sm bg-chart-rest" />
          without a verdict
        </li>
      </ul>
    </div>
  );
}

const Coverage = ({ rows }: { rows: Numbers["compliance"] }) => {
  const names = useFrameworkNames();
  return (
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
              class="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1.5 px-4 py-2 text-sm sm:grid-cols-[minmax(0,15rem)_minmax(0,1fr)_6rem]"
            >
              <Link class="truncate font-medium hover:underline" href={`/posture?framework=${framework}`}>
                {names.get(framework) ?? framework}
              </Link>
              <div class="max-sm:order-last max-sm:col-span-2">
                <Shares
                  parts={[
                    [failing, "bg-chart-block"],
                    [partial, "bg-chart-warn"],
                    [covered, "bg-chart-allow"],
                    [not_evaluated, "bg-line"],
                  ]}
                />
              </div>
              <span class="text-right text-xs text-soft">
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
};

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
        <Link class="link" href="/audit?range=all">
          {plural(chain.size, "entry")}
        </Link>
        , last checkpoint <Time iso={chain.last_checkpoint_at} relative />.
      </p>
    </div>
  </Card>
);
