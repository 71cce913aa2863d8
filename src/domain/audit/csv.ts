import type { AuditRecord } from "./record.ts";

/** CSV for spreadsheets: RFC 4180 with CRLF, and no cell that a spreadsheet would run as a formula. */

type Cell = string | number | boolean | null | undefined;

const columns: [name: string, value: (record: AuditRecord) => Cell][] = [
  ["seq", r => r.seq],
  ["received_at", r => r.received_at],
  ["time", r => r.time],
  ["type", r => r.type],
  ["agent_id", r => r.agent_id],
  ["client", r => r.client],
  ["actor", r => (typeof r.actor === "string" ? r.actor : json(r.actor))],
  ["session_id", r => r.session_id],
  ["decision", r => r.decision],
  ["decision_id", r => r.decision_id],
  ["rules", r => r.rules?.join(" ")],
  ["action_kind", r => r.action?.kind],
  ["server", r => r.action?.server],
  ["tool", r => r.action?.tool],
  ["command", r => r.action?.command],
  ["args", r => json(r.action?.args)],
  ["cwd", r => r.action?.cwd],
  ["exit_code", r => r.exit_code],
  ["duration_ms", r => r.duration_ms],
  ["tool_use_id", r => r.tool_use_id],
  ["trace_id", r => r.trace_id],
  ["id", r => r.id],
  ["hash", r => r.hash],
  ["attributes", r => json(r.attributes)],
];

export const csvHeader = row(columns.map(([name]) => name));

/** One line with its CRLF. */
export function csvRow(record: AuditRecord): string {
  return row(columns.map(([, value]) => value(record)));
}

/** The header and every record, a line at a time, so that a caller may write in slices. */
export function* toCsv(records: Iterable<AuditRecord>): Generator<string> {
  yield csvHeader;
  for (const record of records) yield csvRow(record);
}

function row(cells: readonly Cell[]): string {
  return `${cells.map(cell).join(",")}\r\n`;
}

function cell(value: Cell): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "string" ? disarm(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A leading apostrophe makes spreadsheets show the text (OWASP, CSV Injection). Full-width signs count too, and white
 * space before the sign does not protect.
 */
function disarm(text: string): string {
  return /^\s*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/.test(text) || /^[\t\r\n]/.test(text) ? `'${text}` : text;
}

function json(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : JSON.stringify(value);
}
