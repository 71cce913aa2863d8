import { useFilters } from "../state/filters.ts";
import { type ActivePolicy, policyHistory, policyVersion } from "../state/policy.ts";
import { useAsk } from "../state/use-ask.ts";
import { Badge } from "./badges.tsx";
import { Await } from "./states.tsx";
import { TextDiff } from "./text-diff.tsx";
import { Time } from "./time.tsx";

interface Props {
  current: ActivePolicy;
  mayChange: boolean;
  onRestore(yaml: string): void;
}

/** Every version with its author; a chosen one is shown against the version in force. */
export function PolicyHistory({ current, onRestore, mayChange }: Props) {
  const asked = useAsk(policyHistory, [current.version]);
  const [{ version }, setFilters] = useFilters(["version"] as const);
  return (
    <Await asked={asked}>
      {({ items }) => (
        <div class="grid lg:grid-cols-[20rem_minmax(0,1fr)]">
          <ol class="divide-y divide-line border-line max-lg:border-b lg:border-r">
            {items.map(one => (
              <li key={one.version}>
                <button
                  type="button"
                  class={`w-full px-4 py-2 text-left text-sm hover:bg-raised ${version === String(one.version) ? "bg-raised" : ""}`}
                  aria-pressed={version === String(one.version)}
                  onClick={() => setFilters({ version: String(one.version) })}
                >
                  <span class="flex items-center gap-2 font-medium">
                    Version {one.version} {one.version === current.version && <Badge tone="allow">in force</Badge>}
                  </span>
                  <span class="text-xs text-soft">
                    <Time iso={one.changed_at} /> · {one.changed_by ?? "the product"}
                  </span>
                </button>
              </li>
            ))}
          </ol>
          <div class="min-w-0">
            {version && /^\d+$/.test(version) ? (
              <Past current={current} version={Number(version)} mayChange={mayChange} onRestore={onRestore} />
            ) : (
              <p class="p-4 text-sm text-soft">Choose a version to see how it differs from the one in force.</p>
            )}
          </div>
        </div>
      )}
    </Await>
  );
}

function Past({ current, version, mayChange, onRestore }: Props & { version: number }) {
  const asked = useAsk(() => policyVersion(version), [version]);
  return (
    <Await asked={asked}>
      {({ yaml }) => (
        <>
          <div class="flex min-h-10 items-center justify-between gap-2 border-b border-line px-4 py-1.5 text-sm">
            <span>
              From version {current.version} (in force) to {version}
            </span>
            {mayChange && version !== current.version && (
              <button type="button" class="btn btn-small" onClick={() => onRestore(yaml)}>
                Take as draft
              </button>
            )}
          </div>
          <TextDiff before={current.yaml} after={yaml} label={`Version ${version}`} />
        </>
      )}
    </Await>
  );
}
