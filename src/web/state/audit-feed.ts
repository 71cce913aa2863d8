import { useEffect, useRef, useState } from "preact/hooks";
import type { AuditRecord } from "../../domain/audit/record.ts";
import { api, ask } from "./api.ts";

export const auditFilters = ["type", "decision", "agent_id", "rule", "client", "session_id", "q", "order"] as const;
export type AuditFilters = Partial<Record<(typeof auditFilters)[number], string>>;

const PAGE = 100;
/** Live entries kept in the page; older ones are a scroll away on the server. */
const KEPT_MAX = 5000;

export const auditPage = async (query: Record<string, string | undefined>, limit = PAGE) => {
  const given = Object.fromEntries(Object.entries(query).filter(([, value]) => value));
  return (await ask(api().audit.get({ query: { ...given, limit } as never }))) as {
    items: AuditRecord[];
    next_cursor: string | null;
  };
};

export interface Feed {
  items: AuditRecord[];
  loading: boolean;
  error: Error | undefined;
  /** There is more behind the last one. */
  more: boolean;
  loadMore(): void;
  prepend(entries: AuditRecord[]): void;
  reload(): void;
}

/** The log under the filters, page after page, with new entries in front. */
export function useAuditFeed(filters: AuditFilters, window: { from?: string; to?: string }): Feed {
  const key = JSON.stringify([filters, window]);
  const [state, setState] = useState<{ items: AuditRecord[]; cursor: string | null; loading: boolean; error?: Error }>({
    items: [],
    cursor: null,
    loading: true,
  });
  const turn = useRef(0);
  const load = async (cursor: string | null) => {
    const mine = ++turn.current;
    setState(before => ({ items: cursor ? before.items : [], cursor: null, loading: true }));
    try {
      const page = await auditPage({ ...filters, ...window, ...(cursor ? { cursor } : {}) });
      if (mine !== turn.current) return;
      // In front of a first page stands what the live tail brought while it was asked for.
      setState(before => ({
        items: merge(before.items, page.items),
        cursor: page.next_cursor,
        loading: false,
      }));
    } catch (error) {
      if (mine === turn.current) setState(before => ({ ...before, loading: false, error: error as Error }));
    }
  };
  useEffect(() => {
    void load(null);
  }, [key]);
  return {
    items: state.items,
    loading: state.loading,
    error: state.error,
    more: state.cursor !== null,
    loadMore: () => void (state.cursor && !state.loading && load(state.cursor)),
    prepend: entries =>
      setState(before => ({ ...before, items: merge([...entries].reverse(), before.items).slice(0, KEPT_MAX) })),
    reload: () => void load(null),
  };
}

function merge(first: AuditRecord[], then: AuditRecord[]): AuditRecord[] {
  const known = new Set(first.map(({ seq }) => seq));
  return [...first, ...then.filter(({ seq }) => !known.has(seq))];
}

/** The filters the live tail cannot take, checked here. */
export function fits(entry: AuditRecord, { rule, client, session_id, q }: AuditFilters): boolean {
  if (rule && !entry.rules?.includes(rule)) return false;
  if (client && entry.client !== client) return false;
  if (session_id && entry.session_id !== session_id) return false;
  return !q || JSON.stringify(entry).toLowerCase().includes(q.toLowerCase());
}
