import type { Match } from "../../domain/policy/verdict.ts";
import { type Judged, spelled } from "../state/judge.ts";
import { Unwrapping } from "./audit-drawer.tsx";
import { DecisionBadge, SeverityBadge } from "./badges.tsx";
import { Words } from "./words.tsx";

/** A verdict with each step that led to it. */
export const VerdictView = ({ judged: { verdict, subjects, gaps, took_ms } }: { judged: Judged }) => (
  <div class="space-y-4 text-sm">
    <p class="flex items-start gap-2">
      <DecisionBadge decision={verdict.decision} />
      <span>
        <Words text={verdict.reasons[0] ?? "No rule has anything against it."} />
      </span>
    </p>
    <div>
      <div class="flex items-baseline justify-between gap-2">
        <h3>What would run</h3>
        <span class="text-xs text-soft">judged in {took_ms < 0.1 ? "under 0.1" : took_ms.toFixed(1)} ms</span>
      </div>
      {subjects.length === 0 && <p class="mt-1 text-soft">Nothing: it is all data.</p>}
      <ol class="mt-1 space-y-1.5">
        {subjects.map((subject, at) => (
          <li
            key={`${at}${spelled(subject)}`}
            class={`rounded-md border border-line px-3 py-2 ${subject.via.length > 0 ? "border-l-2 border-l-accent" : ""}`}
            style={{ marginLeft: `${Math.min(4, subject.via.length)}rem` }}
          >
            <code class="break-all whitespace-pre-wrap">{spelled(subject)}</code>
            <Unwrapping via={subject.via} />
          </li>
        ))}
        {gaps.map((gap, at) => (
          <li key={`${at}${gap.why}`} class="rounded-md border border-line bg-ask-wash px-3 py-2">
            Not understood: {gap.detail}
            <Unwrapping via={gap.via} />
          </li>
        ))}
      </ol>
    </div>
    {verdict.matched.length > 0 && (
      <div>
        <h3>Rules that matched</h3>
        <ol class="mt-1 space-y-1.5">
          {verdict.matched.map((match, at) => (
            <MatchRow key={`${at}${match.rule}`} match={match} />
          ))}
        </ol>
      </div>
    )}
  </div>
);

const MatchRow = ({ match }: { match: Match }) => (
  <li class="rounded-md border border-line px-3 py-2">
    <p class="flex flex-wrap items-center gap-2">
      <DecisionBadge decision={match.decision} />
      <code>{match.rule}</code>
      <SeverityBadge severity={match.severity} />
      <span class="text-xs text-soft">pack {match.pack}</span>
    </p>
    <p class="mt-1">
      <Words text={match.reason} />
    </p>
    {match.instead && (
      <p class="mt-0.5 text-soft">
        Instead: <Words text={match.instead} />
      </p>
    )}
    {match.rests_on && match.rests_on.length > 0 && (
      <p class="mt-0.5 text-xs text-soft">
        rests on <code class="text-xs break-all">{match.rests_on.join(", ")}</code>
      </p>
    )}
    <Unwrapping via={match.via} />
  </li>
);
