import { Link } from "wouter-preact";
import { api, ask } from "../state/api.ts";
import { useAsk } from "../state/use-ask.ts";
import { Badge, StatusBadge } from "./badges.tsx";
import { CopyButton } from "./copy.tsx";
import { Await } from "./states.tsx";
import { Time } from "./time.tsx";

const proofs = (framework: string, control: string) =>
  ask(api().posture["control-evidence"].get({ query: { framework, control } }));
type Attested = Awaited<ReturnType<typeof proofs>>["items"][number];

/** The signed statement of one control: what it rests on, and where in the log that stands. */
export function ControlEvidence({ framework, control }: { framework: string; control: string }) {
  const asked = useAsk(() => proofs(framework, control), [framework, control]);
  return (
    <Await asked={asked} rows={2}>
      {({ items }) => items.map(one => <Statement key={one.control} attested={one} />)}
    </Await>
  );
}

function Statement({ attested }: { attested: Attested }) {
  const { predicate } = attested.statement;
  return (
    <div class="space-y-3 text-sm">
      {predicate.evidence.length === 0 && predicate.rules.length === 0 && (
        <p class="text-soft">Nothing that is recorded speaks to this control yet.</p>
      )}
      {predicate.evidence.length > 0 && (
        <ul class="space-y-1.5">
          {predicate.evidence.map((one, at) => (
            <EvidenceRow key={at} evidence={one as unknown as Record<string, unknown>} />
          ))}
        </ul>
      )}
      {predicate.rules.length > 0 && (
        <ul class="flex flex-wrap gap-x-4 gap-y-1.5">
          {predicate.rules.map(({ rule, status, scans }) => (
            <li key={rule} class="flex items-center gap-1.5">
              <StatusBadge status={status} />
              <code>{rule}</code>
              {scans[0] && (
                <Link class="link text-xs" href={`/compliance/scans/${scans[0]}?rule=${rule}`}>
                  scan
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
      <p class="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-soft">
        <span>
          Evaluated <Time iso={predicate.evaluated_at} relative /> from log entries {predicate.log.from} to{" "}
          {predicate.log.to - 1}, signed by <code class="text-xs">{predicate.log.origin.slice(0, 28)}…</code>
        </span>
        <CopyButton text={() => JSON.stringify(attested.envelope, null, 2)} label="Copy signed envelope" />
      </p>
      <p class="text-xs text-soft">{predicate.disclaimer}</p>
    </div>
  );
}

/** Evidence has a kind, a judgement and figures; all of it is shown. */
function EvidenceRow({ evidence }: { evidence: Record<string, unknown> }) {
  const { kind, strength, status, statement, figures, ...rest } = evidence;
  const said = Object.entries({ ...(figures as object | undefined), ...rest }).filter(([, value]) =>
    ["string", "number", "boolean"].includes(typeof value),
  );
  return (
    <li class="flex flex-wrap items-baseline gap-x-2 gap-y-0.5">
      <Badge>{String(kind).replaceAll("_", " ")}</Badge>
      {(strength ?? status) !== undefined && <StatusBadge status={String(strength ?? status)} />}
      {statement !== undefined && <span>{String(statement)}</span>}
      <span class="text-xs text-soft">
        {said.map(([name, value]) => `${name.replaceAll("_", " ")} ${String(value)}`).join(" · ")}
      </span>
    </li>
  );
}
