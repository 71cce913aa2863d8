import { useEffect, useMemo, useState } from "preact/hooks";
import { Link } from "wouter-preact";
import type { Problem } from "../../domain/policy/rules/parse.ts";
import { Confirm } from "../parts/dialog.tsx";
import { mode } from "../parts/mode.tsx";
import { Card, Page } from "../parts/page.tsx";
import { PolicyHistory } from "../parts/policy-history.tsx";
import { PolicyProblems } from "../parts/policy-problems.tsx";
import { PolicyReplay } from "../parts/policy-replay.tsx";
import { Await } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { TextDiff } from "../parts/text-diff.tsx";
import { YamlEditor } from "../parts/yaml-editor.tsx";
import { inDemo } from "../state/demo.ts";
import { useFilters } from "../state/filters.ts";
import { notify } from "../state/notices.ts";
import { type ActivePolicy, activePolicy, changePolicy, packList, validatePolicy } from "../state/policy.ts";
import { session } from "../state/session.ts";
import { type Asked, useAsk } from "../state/use-ask.ts";

const PAUSE_MS = 300;
export interface Findings {
  problems: Problem[];
  hints: Problem[];
  checking: boolean;
  /** Why the draft could not be checked. */
  error?: Error;
}

export default function Policy() {
  const active = useAsk(activePolicy, []);
  return (
    <Page
      title="Policy"
      says="What agents may do. Saving makes a new version that agents pull with their next heartbeat."
    >
      <Await asked={active} rows={10}>
        {policy => <Bench policy={policy} asked={active} />}
      </Await>
    </Page>
  );
}

const tabs = [
  ["edit", "Editor"],
  ["diff", "Changes"],
  ["replay", "Replay"],
  ["history", "History"],
] as const;

function Bench({ policy, asked }: { policy: ActivePolicy; asked: Asked<ActivePolicy> }) {
  const [draft, setDraft] = useState(policy.yaml);
  const [turn, setTurn] = useState(0);
  const replace = (text: string) => {
    setDraft(text);
    setTurn(before => before + 1);
  };
  const [place, setPlace] = useState<{ line: number; column: number }>();
  const packs = useAsk(() => packList().catch(() => []), []);
  const [filters, setFilters] = useFilters(["tab"] as const);
  const tab = tabs.some(([key]) => key === filters.tab) ? filters.tab! : "edit";
  const findings = useFindings(draft);
  const changed = draft !== policy.yaml;
  const mayChange = inDemo() || session.value?.organisation.role === "admin";
  const bar = {
    policy,
    draft,
    changed,
    mayChange,
    findings,
    discard: () => replace(policy.yaml),
    saved: asked.reload,
  };
  const go = (next: string) => setFilters({ tab: next === "edit" ? undefined : next });
  const marks = useMemo(
    () => [
      ...findings.problems.map(problem => ({ ...problem, severity: "error" as const })),
      ...findings.hints.map(problem => ({ ...problem, severity: "warning" as const })),
    ],
    [findings.problems, findings.hints],
  );
  return (
    <Card>
      <div class="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-b border-line px-4">
        <Tabs label="Policy views" tabs={tabs} chosen={tab} onChoose={go} />
        <SaveBar {...bar} />
      </div>
      <div role="tabpanel" aria-label={tabs.find(([key]) => key === tab)?.[1]}>
        {tab === "edit" && (
          <div class="grid lg:grid-cols-[minmax(0,1fr)_19rem]">
            <div class="h-[calc(100dvh-16rem)] min-h-96">
              <YamlEditor
                label="Policy in YAML"
                key={turn}
                initial={draft}
                onChange={setDraft}
                marks={marks}
                readOnly={!mayChange}
                packs={(packs.data ?? []).map(({ name }) => name)}
                at={place}
              />
            </div>
            <PolicyProblems findings={findings} onGo={setPlace} />
          </div>
        )}
        {tab === "diff" && <TextDiff before={policy.yaml} after={draft} label="Changes against the policy in force" />}
        {tab === "replay" && <PolicyReplay draft={draft} changed={changed} broken={findings.problems.length > 0} />}
        {tab === "history" && (
          <PolicyHistory current={policy} onRestore={text => (replace(text), go("diff"))} mayChange={mayChange} />
        )}
      </div>
    </Card>
  );
}

/** What the server thinks of the draft, shortly after typing stops. */
function useFindings(draft: string): Findings {
  const [found, setFound] = useState<Findings>({ problems: [], hints: [], checking: true });
  useEffect(() => {
    let gone = false;
    setFound(before => ({ ...before, checking: true }));
    const timer = setTimeout(() => {
      validatePolicy(draft).then(
        ({ problems, hints }) => gone || setFound({ problems, hints, checking: false }),
        error => gone || setFound({ problems: [], hints: [], checking: false, error }),
      );
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [draft]);
  return found;
}

interface SaveProps {
  policy: ActivePolicy;
  draft: string;
  changed: boolean;
  mayChange: boolean;
  findings: Findings;
  discard(): void;
  saved(): void;
}

function SaveBar({ policy, draft, changed, mayChange, findings, discard, saved }: SaveProps) {
  const [sure, setSure] = useState(false);
  const save = async () => {
    const { version } = await changePolicy(draft, policy.etag);
    notify(`Version ${version} is in force.`);
    saved();
  };
  if (!mayChange) return <p class="py-2 text-sm text-soft">Version {policy.version}. Only admins change it.</p>;
  return (
    <div class="flex items-center gap-2 py-1.5">
      <span class="text-sm text-soft">
        {changed ? `Draft on version ${policy.version}` : `Version ${policy.version}`}
      </span>
      {changed && (
        <button type="button" class="btn btn-small" onClick={discard}>
          Discard
        </button>
      )}
      <button
        type="button"
        class="btn btn-small btn-primary"
        disabled={!changed || findings.problems.length > 0 || findings.error !== undefined}
        onClick={() => setSure(true)}
      >
        Save
      </button>
      {sure && (
        <Confirm
          title={`Put version ${policy.version + 1} in force?`}
          action="Put in force"
          danger={false}
          onClose={() => setSure(false)}
          work={save}
        >
          {mode.value === "enforce"
            ? "The mode is enforce: what it blocks is stopped. "
            : "The mode is audit-only: verdicts are recorded, nothing is stopped. "}
          <Link class="link" href="/policy?tab=replay">
            Replay recent calls
          </Link>{" "}
          first to see which verdicts change.
        </Confirm>
      )}
    </div>
  );
}
