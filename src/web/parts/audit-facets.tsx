import type { ComponentChildren } from "preact";
import type { AuditFilters } from "../state/audit-feed.ts";
import { number } from "../state/times.ts";
import { Disclosure } from "./disclosure.tsx";

export interface AuditCounts {
  by_type: Record<string, number>;
  by_decision: Record<string, number>;
  by_agent: { agent_id: string; count: number }[];
  by_rule: { rule: string; count: number }[];
  by_client: Record<string, number>;
}

const SHOWN = 10;
type Option = [value: string, count: number, text?: string];

interface Props {
  counts: AuditCounts;
  filters: AuditFilters;
  agents: Map<string, string>;
  set(change: Partial<Record<keyof AuditFilters, string | undefined>>): void;
}

/** What there is in the time range, each a filter. */
export function AuditFacets({ counts, filters, agents, set }: Props) {
  const facets: [keyof AuditFilters, string, Option[]][] = [
    ["decision", "Verdict", sorted(counts.by_decision)],
    ["type", "Type", sorted(counts.by_type)],
    [
      "agent_id",
      "Agent",
      counts.by_agent.map(({ agent_id, count }) => [agent_id, count, agents.get(agent_id) ?? agent_id]),
    ],
    ["rule", "Rule", counts.by_rule.map(({ rule, count }) => [rule, count])],
    ["client", "Coding agent", sorted(counts.by_client)],
  ];
  return (
    <div class="space-y-3">
      {facets.map(([name, title, options]) => {
        const chosen = filters[name];
        const shown = options.slice(0, SHOWN);
        if (chosen && !shown.some(([value]) => value === chosen))
          shown.unshift(options.find(([value]) => value === chosen) ?? [chosen, 0, agents.get(chosen) ?? chosen]);
        if (shown.length === 0) return null;
        return (
          <Disclosure key={name} title={title} open>
            <ul>
              {shown.map(([value, count, text]) => (
                <li key={value}>
                  <Facet
                    pressed={chosen === value}
                    count={count}
                    onClick={() => set({ [name]: chosen === value ? undefined : value })}
                  >
                    {text ?? value}
                  </Facet>
                </li>
              ))}
            </ul>
          </Disclosure>
        );
      })}
    </div>
  );
}

const sorted = (counts: Record<string, number>): Option[] => Object.entries(counts).sort((a, b) => b[1] - a[1]);

const Facet = ({
  pressed,
  count,
  onClick,
  children,
}: {
  pressed: boolean;
  count: number;
  onClick(): void;
  children: ComponentChildren;
}) => (
  <button type="button" class="facet" aria-pressed={pressed} onClick={onClick}>
    <span class="truncate">{children}</span>
    <span class="text-xs text-soft">{number(count)}</span>
  </button>
);
