import { failuresOf } from "../../domain/compliance/compare.ts";
import type { ScanOutcomes } from "../../domain/compliance/coverage.ts";
import type { ScanResult, Tool } from "../../domain/compliance/scan.ts";
import type { Compliance, EnabledFramework, ProjectRow, ScanQuery, ScanRow } from "../compliance.ts";
import type { Change, Projection } from "../projection.ts";
import type { Database, Row } from "./database.ts";

const COLUMNS = 'id, seq, project, status, summary, truncated, tools, "commit", branch, received_ms';

export function createCompliance(db: Database): Compliance & { projection: Projection } {
  return {
    enabled: () => db.query<EnabledFramework & Row>("SELECT * FROM framework ORDER BY enabled_ms, framework").all(),
    scan: id => one(db.query(`SELECT ${COLUMNS} FROM scan WHERE id = ?`).get(id)),
    scans: query => scans(db, query),
    projects: query => projects(db, query),
    failures(project, tools) {
      const sql = "SELECT failures FROM newest_scan WHERE project = ? AND toolset = ?";
      const row = db.query<{ failures: string }>(sql).get(project, toolset(tools));
      return row && JSON.parse(row.failures);
    },
    newest: () => db.query("SELECT id, project, outcomes FROM newest_scan ORDER BY id").all().map(outcomesOf),
    newestMs: () => db.query<{ ms: number }>("SELECT received_ms ms FROM scan ORDER BY seq DESC LIMIT 1").get()?.ms,
    projection: projection(db),
  };
}

function scans(db: Database, { project, before, limit }: ScanQuery): ScanRow[] {
  const where = project === undefined ? "" : "AND project = ?";
  const values = project === undefined ? [] : [project];
  const sql = `SELECT ${COLUMNS} FROM scan WHERE seq < ? ${where} ORDER BY seq DESC LIMIT ?`;
  return db
    .query(sql)
    .all(before ?? Number.MAX_SAFE_INTEGER, ...values, limit)
    .map(scanOf);
}

function projects(db: Database, { after, limit }: { after?: string; limit: number }): ProjectRow[] {
  const sql = `SELECT project, count(*) scans, max(received_ms) last_scan_ms,
      (SELECT sum(fail) FROM newest_scan WHERE newest_scan.project = scan.project) fail
    FROM scan WHERE project > ? GROUP BY project ORDER BY project LIMIT ?`;
  return db.query<ProjectRow & Row>(sql).all(after ?? "", limit);
}

/** What `scan.ingested` says; `results` are read from the log when they are asked for. */
interface Ingested {
  scan_id: string;
  project: string;
  status: string;
  summary: { fail: number };
  truncated: boolean;
  tools: Tool[];
  commit?: string;
  branch?: string;
  outcomes: Record<string, string>;
  results: ScanResult[];
}

function projection(db: Database): Projection {
  return {
    reset: () => db.exec("DELETE FROM framework; DELETE FROM scan; DELETE FROM newest_scan"),
    apply(change) {
      const { kind, ts, body } = change;
      if (kind === "framework.enabled")
        db.query("INSERT OR IGNORE INTO framework VALUES (?, ?)").run(frameworkOf(body), ts);
      else if (kind === "framework.disabled")
        db.query("DELETE FROM framework WHERE framework = ?").run(frameworkOf(body));
      else if (kind === "scan.ingested") ingest(db, change);
    },
  };
}

const frameworkOf = (body: string): string =>
  (JSON.parse(body) as { attributes: { framework: string } }).attributes.framework;

function ingest(db: Database, { seq, ts, body }: Change): void {
  const { attributes: scan } = JSON.parse(body) as { attributes: Ingested };
  db.query("INSERT INTO scan VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
    scan.scan_id,
    seq,
    scan.project,
    scan.status,
    JSON.stringify(scan.summary),
    scan.truncated ? 1 : 0,
    JSON.stringify(scan.tools),
    scan.commit ?? null,
    scan.branch ?? null,
    ts,
  );
  db.query("INSERT OR REPLACE INTO newest_scan VALUES (?, ?, ?, ?, ?, ?)").run(
    scan.project,
    toolset(scan.tools),
    scan.scan_id,
    scan.summary.fail,
    JSON.stringify(scan.outcomes),
    JSON.stringify(failuresOf(scan.results)),
  );
}

/** Scans compare with those of the same tools; a new version is the same tool. */
const toolset = (tools: readonly Tool[]): string => [...new Set(tools.map(tool => tool.name))].sort().join("\n");

const one = (row: Row | undefined): ScanRow | undefined => row && scanOf(row);

function scanOf(row: Row): ScanRow {
  return {
    ...(row as unknown as ScanRow),
    summary: JSON.parse(row["summary"] as string),
    tools: JSON.parse(row["tools"] as string),
    truncated: row["truncated"] === 1,
  };
}

const outcomesOf = (row: Row): ScanOutcomes => ({
  id: row["id"] as string,
  project: row["project"] as string,
  outcomes: JSON.parse(row["outcomes"] as string),
});
