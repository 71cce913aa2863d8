import { useState } from "preact/hooks";
import { Link } from "wouter-preact";
import { type Replay, replayPolicy } from "../state/policy.ts";
import { number, plural } from "../state/times.ts";
import { useAct } from "../state/use-ask.ts";
import { DecisionBadge } from "./badges.tsx";
import { Select } from "./form.tsx";
import { Empty, Failure, Loading } from "./states.tsx";
import { Table } from "./table.tsx";

const counts = [
  ["100", "last 100 calls"],
  ["1000", "last 1,000 calls"],
  ["5000", "last 5,000 calls"],
] as const;

/** The test bench: which of the last real calls would be judged differently. */
export function PolicyReplay({ draft, changed, broken }: { draft: string; changed: boolean; broken: boolean }) {
  const [last, setLast] = useState<(typeof counts)[number][0]>("1000");
  const [result, setResult] = useState<Replay>();
  const { busy, error, act } = useAct();
  const run = () => act(async () => setResult(await replayPolicy(draft, Number(last))));
  return (
    <div>
      <div class="flex flex-wrap items-center gap-2 border-b border-line px-4 py-3">
        <p class="text-sm">Judge the</p>
        <div class="w-40">
          <Select
            label="How many calls"
            name="last"
            hidden
            value={last}
            options={counts}
            onChange={value => setLast(value)}
          />
        </div>
        <p class="text-sm">again with {changed ? "the draft" : "the policy in force"}.</p>
        <button type="button" class="btn btn-primary" disabled={busy || broken} onClick={run}>
          {busy ? "Judging…" : "Replay"}
        </button>
        {broken && <p class="text-sm text-block">Mend the mistakes first.</p>}
      </div>
      {error && (
        <div class="p-4">
          <Failure error={error} />
        </div>
      )}
      {busy && <Loading />}
      {!busy && result && <Outcome result={result} />}
      {!busy && !result && !error && (
        <Empty icon="play" title="See what would change before it does">
          Nothing is stored and no agent notices.
        </Empty>
      )}
    </div>
  );
}

const Outcome = ({ result: { replayed, changed } }: { result: Replay }) => (
  <>
    <p class="px-4 py-3 text-sm" role="status">
      {replayed === 0
        ? "There are no logged calls yet."
        : changed.length === 0
          ? `All ${number(replayed)} calls would be judged as they were.`
          : `${plural(changed.length, "verdict")} of ${number(replayed)} would change.`}
    </p>
    {changed.length > 0 && (
      <div class="border-t border-line">
        <Table
          label="Changed verdicts"
          rows={changed}
          keyOf={({ seq }) => seq}
          columns={[
            {
              title: "Call",
              class: "max-w-xl",
              cell: ({ action }) => (
                <code class="block truncate">
                  {action?.command ?? [action?.server, action?.tool].filter(Boolean).join(" › ")}
                </code>
              ),
            },
            { title: "Was", cell: ({ before }) => <DecisionBadge decision={before.decision} /> },
            { title: "Would be", cell: ({ after }) => <DecisionBadge decision={after.decision} /> },
            { title: "By", cell: ({ after }) => <code>{after.rules.join(", ") || "no rule any more"}</code> },
            {
              title: "Entry",
              num: true,
              cell: ({ seq }) => (
                <Link class="link" href={`/audit?entry=${seq}&range=all`}>
                  {seq}
                </Link>
              ),
            },
          ]}
        />
      </div>
    )}
  </>
);
