import { useEffect, useState } from "preact/hooks";
import type { AuditRecord } from "../../domain/audit/record.ts";
import { DecisionBadge } from "./badges.tsx";
import { Time } from "./time.tsx";

/** What an entry says in one line. */
export function summaryOf(entry: AuditRecord): string {
  const { action, attributes, type } = entry;
  if (action?.command) return action.command;
  if (action?.tool)
    return `${action.server ? `${action.server} › ` : ""}${action.tool} ${action.args === undefined ? "" : JSON.stringify(action.args)}`;
  if (attributes && Object.keys(attributes).length > 0) return flat(attributes);
  return type;
}

/** The agent an entry is about, else the person who acted. */
export function whoOf({ agent_id, actor }: AuditRecord, agents: Map<string, string>): string {
  if (agent_id) return agents.get(agent_id) ?? agent_id;
  const { email, id, kind } = (actor ?? {}) as { email?: string; id?: string; kind?: string };
  return email ?? (kind === "system" ? "the server" : (id ?? "–"));
}

function flat(attributes: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(attributes).filter(([, value]) =>
    ["string", "number", "boolean"].includes(typeof value),
  );
  return words.map(([name, value]) => `${name} ${String(value)}`).join(" · ");
}

const columns = "md:grid-cols-[7.5rem_4.2rem_9.5rem_minmax(0,1fr)_7rem]";
const wide = matchMedia("(width >= 48rem)");

/** One line where there is room, two where there is not. */
export function useRowHeight(): number {
  const [fits, setFits] = useState(wide.matches);
  useEffect(() => {
    const changed = () => setFits(wide.matches);
    wide.addEventListener("change", changed);
    return () => wide.removeEventListener("change", changed);
  }, []);
  return fits ? 36 : 56;
}

export const AuditHead = () => (
  <div class={`row ${columns} hidden h-8 text-xs text-soft md:grid`} aria-hidden="true">
    <span>Time</span>
    <span>Verdict</span>
    <span>Type</span>
    <span>What</span>
    <span>Who</span>
  </div>
);

export const AuditRow = ({ entry, who, selected }: { entry: AuditRecord; who: string; selected: boolean }) => (
  <div class={`row ${columns} h-full max-md:content-center ${selected ? "bg-raised" : ""}`}>
    {/* On narrow screens the first line holds all but what was done. */}
    <div class="flex items-center gap-2 text-xs text-soft max-md:mb-0.5 md:contents">
      <span class="max-md:order-last max-md:ml-auto">
        <Time iso={entry.received_at} />
      </span>
      {entry.decision ? <DecisionBadge decision={entry.decision} /> : <span class="max-md:hidden">–</span>}
      <span class="truncate">{entry.type}</span>
    </div>
    <span class="truncate font-mono text-[0.75rem]">{summaryOf(entry)}</span>
    <span class="truncate text-xs text-soft max-md:hidden">{who}</span>
  </div>
);
