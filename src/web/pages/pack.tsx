import { useMemo, useState } from "preact/hooks";
import { Link, useParams } from "wouter-preact";
import { parse } from "yaml";
import type { Case, Pack as PackDocument, Rule } from "../../domain/policy/rules/schema.ts";
import { Badge, DecisionBadge, SeverityBadge } from "../parts/badges.tsx";
import { Disclosure } from "../parts/disclosure.tsx";
import { Card, Page } from "../parts/page.tsx";
import { SearchBox } from "../parts/search-box.tsx";
import { Await } from "../parts/states.tsx";
import { VerdictView } from "../parts/verdict.tsx";
import { Words } from "../parts/words.tsx";
import { useFilters } from "../state/filters.ts";
import { bookOf, judge } from "../state/judge.ts";
import { packNamed } from "../state/policy.ts";
import { plural } from "../state/times.ts";
import { useAsk } from "../state/use-ask.ts";

export default function Pack() {
  const { name } = useParams<{ name: string }>();
  const asked = useAsk(async () => parse((await packNamed(name)).content) as PackDocument, [name]);
  return (
    <Page
      title={asked.data?.title ?? name}
      says={
        <Link class="link" href="/packs">
          All packs
        </Link>
      }
    >
      <Await asked={asked}>{pack => <Rules pack={pack} />}</Await>
    </Page>
  );
}

function Rules({ pack }: { pack: PackDocument }) {
  const [{ q }, setFilters] = useFilters(["q"] as const);
  const wanted = q?.toLowerCase();
  const rules = pack.rules.filter(rule => !wanted || JSON.stringify(rule).toLowerCase().includes(wanted));
  return (
    <div class="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <Card
        title={`${plural(pack.rules.length, "rule")} · version ${pack.version}`}
        aside={<SearchBox label="Search rules and cases" value={q} onChange={value => setFilters({ q: value })} />}
      >
        <ul class="divide-y divide-line">
          {rules.map(rule => (
            <RuleRow key={rule.id} rule={rule} />
          ))}
          {rules.length === 0 && <li class="p-4 text-sm text-soft">No rule fits.</li>}
        </ul>
      </Card>
      <TryOne pack={pack} />
    </div>
  );
}

const RuleRow = ({ rule }: { rule: Rule }) => (
  <li class="px-4 py-3 text-sm">
    <p class="flex flex-wrap items-center gap-2">
      <DecisionBadge decision={rule.decision} />
      <code>{rule.id}</code>
      <SeverityBadge severity={rule.severity} />
      {rule.locked && <Badge title="A policy cannot weaken it">locked</Badge>}
      {rule.attack?.map(technique => (
        <Badge key={technique}>{technique}</Badge>
      ))}
    </p>
    <p class="mt-1 font-medium first-letter:uppercase">
      <Words text={rule.what} />
    </p>
    <p class="text-soft">
      <Words text={rule.why} />
    </p>
    <p class="text-soft">
      Instead: <Words text={rule.instead} />
    </p>
    <Disclosure title={plural(Object.values(rule.cases).flat().length, "case")}>
      <ul class="space-y-0.5">
        {Object.entries(rule.cases).flatMap(([verdict, list]) =>
          (list ?? []).map((one: Case) => (
            <li key={verdict + textOf(one)} class="grid grid-cols-[4rem_minmax(0,1fr)] items-baseline gap-2">
              <DecisionBadge decision={verdict.toUpperCase()} />
              <code class="break-all">{textOf(one)}</code>
            </li>
          )),
        )}
      </ul>
    </Disclosure>
  </li>
);

function textOf(one: Case): string {
  if (typeof one === "string") return one;
  if ("sh" in one) return one.sh;
  if ("powershell" in one) return one.powershell;
  if ("cmd" in one) return one.cmd;
  return `${one.mcp} ${JSON.stringify(one.input ?? {})}`;
}

/** One command against this pack alone. */
function TryOne({ pack }: { pack: PackDocument }) {
  const book = useMemo(() => bookOf([pack]), [pack]);
  const first = pack.rules.flatMap(rule => Object.values(rule.cases).flat()).find(one => typeof one === "string");
  const [command, setCommand] = useState(first ?? "");
  const judged = useMemo(() => judge({ type: "shell", command }, book), [command, book]);
  return (
    <Card title="Try one" class="lg:sticky lg:top-18">
      <div class="space-y-4 p-4">
        <label class="block">
          <span class="label">Command</span>
          <textarea
            class="input"
            rows={3}
            spellcheck={false}
            value={command}
            onInput={event => setCommand(event.currentTarget.value)}
          />
        </label>
        <VerdictView judged={judged} />
      </div>
    </Card>
  );
}
