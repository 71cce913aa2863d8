import { formatCursor, parseCursor } from "../../domain/audit/cursor.ts";
import { decisions } from "../../domain/policy/verdict.ts";
import { refusal } from "../../errors.ts";
import type { Page, PageQuery, StoredEntry } from "../log.ts";
import type { Bundle } from "./bundles.ts";
import { isState } from "./columns.ts";
import { BundleReader } from "./entries.ts";
import type { LogTables } from "./log-tables.ts";
import type { Wanted } from "./marks.ts";

const limitDefault = 50;
const limitMax = 1_000;
/** Bodies looked into for one page before it is handed out short. */
const bodiesMax = 20_000;

/** The first seq received at or after `ts_ms`. */
export function seqAt(tables: LogTables, size: number, ts_ms: number): number {
  const sql = "SELECT first FROM bundle WHERE ts0 < ? ORDER BY ts0 DESC, first DESC LIMIT 1";
  const row = tables.db.query<{ first: number }>(sql).get(ts_ms);
  if (!row) return 0;
  const bundle = tables.bundles.from(row.first)!;
  const i = bundle.columns.ts.findIndex(ts => ts >= ts_ms);
  return i < 0 ? Math.min(size, bundle.first + bundle.n) : bundle.first + i;
}

/** One page by the columns, bodies unpacked only for what is on it (or searched). Throws `invalid` on a foreign cursor. */
export function readPage(tables: LogTables, size: number, query: PageQuery): Page {
  const order = query.order ?? "desc";
  const limit = Math.min(limitMax, Math.max(1, query.limit ?? limitDefault));
  const range = seqRange(tables, size, query, order);
  const wanted = wantedOf(tables, query);
  const entries: StoredEntry[] = [];
  if (!wanted) return { entries, next: null };
  const matches = columnFilter(wanted, query);
  const matchesBody = bodyFilter(query);
  let searched = 0;
  for (const bundle of tables.bundles.search(range.from, range.to, order, wanted)) {
    let reader: BundleReader | undefined;
    for (const i of matching(bundle, range, order, matches)) {
      reader ??= new BundleReader(tables, bundle);
      if (!matchesBody || matchesBody(reader.body(i))) entries.push(reader.entry(i));
      const isLast = bundle.first + i === (order === "asc" ? range.to - 1 : range.from);
      if (entries.length === limit || (matchesBody && ++searched >= bodiesMax))
        return { entries, next: isLast ? null : formatCursor(bundle.first + i) };
    }
  }
  return { entries, next: null };
}

/**
 * Everything a query matches, oldest first unless it says otherwise, for an export: `limit` and `cursor` do not count.
 * Yields undefined after each bundle that was looked into, so that a long search can make room for others.
 */
export function* searchAll(
  tables: LogTables,
  size: number,
  { cursor: _, order = "asc", ...query }: PageQuery,
): Generator<StoredEntry | undefined> {
  const range = seqRange(tables, size, query, order);
  const wanted = wantedOf(tables, query);
  if (!wanted) return;
  const matches = columnFilter(wanted, query);
  const matchesBody = bodyFilter(query);
  for (const bundle of tables.bundles.search(range.from, range.to, order, wanted)) {
    let reader: BundleReader | undefined;
    for (const i of matching(bundle, range, order, matches)) {
      reader ??= new BundleReader(tables, bundle);
      if (!matchesBody || matchesBody(reader.body(i))) yield reader.entry(i);
    }
    yield undefined;
  }
}

interface SeqRange {
  from: number;
  to: number;
}

function seqRange(tables: LogTables, size: number, query: PageQuery, order: "asc" | "desc"): SeqRange {
  const after = query.cursor === undefined ? undefined : parseCursor(query.cursor);
  if (query.cursor !== undefined && after === undefined)
    throw refusal("invalid", { details: [{ path: "/cursor", message: "Is not a cursor that this list gave" }] });
  let from = query.from_ms === undefined ? 0 : seqAt(tables, size, query.from_ms);
  let to = query.to_ms === undefined ? size : seqAt(tables, size, query.to_ms);
  if (after !== undefined && order === "asc") from = Math.max(from, after + 1);
  if (after !== undefined && order === "desc") to = Math.min(to, after);
  return { from, to };
}

/** Which entries of a bundle match, in order. Resumed for those only: most of what is looked at does not match. */
function* matching(bundle: Bundle, range: SeqRange, order: "asc" | "desc", matches: ColumnFilter): Generator<number> {
  const start = Math.max(0, range.from - bundle.first);
  const end = Math.min(bundle.n, range.to - bundle.first);
  if (order === "asc") for (let i = start; i < end; i++) if (matches(bundle.columns, i)) yield i;
  if (order === "desc") for (let i = end - 1; i >= start; i--) if (matches(bundle.columns, i)) yield i;
}

type ColumnFilter = (columns: Bundle["columns"], i: number) => boolean;

/** Undefined when nothing can match: a name nobody has used. */
function wantedOf(tables: LogTables, query: PageQuery): Wanted | undefined {
  const kind = query.kind === undefined ? 0 : tables.kinds.find(query.kind);
  const agent = query.agent === undefined ? 0 : tables.agents.find(query.agent);
  const facets = facetsWith(tables, query);
  if ((query.kind !== undefined && !kind) || (query.agent !== undefined && !agent) || facets?.size === 0)
    return undefined;
  return { kind, agent, facets, decision: query.decision === undefined ? 0 : decisions.indexOf(query.decision) + 1 };
}

function columnFilter({ kind, agent, decision, facets }: Wanted, query: PageQuery): ColumnFilter {
  const state = query.stream === undefined ? undefined : query.stream === "state";
  return (columns, i) =>
    (kind === 0 || columns.kind[i] === kind) &&
    (agent === 0 || columns.agent[i] === agent) &&
    (decision === 0 || (columns.flags[i]! & 7) === decision) &&
    (state === undefined || isState(columns.flags[i]!) === state) &&
    (facets === undefined || facets.has(columns.facet[i]!));
}

/** The facets that name the rule and client asked for. */
function facetsWith(tables: LogTables, query: PageQuery): Set<number> | undefined {
  const { rule, client } = query;
  if (rule === undefined && client === undefined) return undefined;
  const sql = `SELECT id FROM name WHERE kind = 'facet'
    AND (?1 IS NULL OR json_extract(name, '$[0]') = ?1)
    AND (?2 IS NULL OR EXISTS (SELECT 1 FROM json_each(name.name) WHERE key > 2 AND value = ?2))`;
  const rows = tables.db.query<{ id: number }>(sql).all(client ?? null, rule ?? null);
  return new Set(rows.map(row => row.id));
}

function bodyFilter(query: PageQuery): ((body: string | null) => boolean) | undefined {
  const { session_id, q } = query;
  if (session_id === undefined && q === undefined) return undefined;
  const session = session_id === undefined ? undefined : `"session_id":${JSON.stringify(session_id)}`;
  const text = q?.toLowerCase();
  return body =>
    body !== null &&
    (session === undefined || (body.includes(session) && JSON.parse(body).session_id === session_id)) &&
    (text === undefined || body.toLowerCase().includes(text));
}
