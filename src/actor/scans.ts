import { isDeeperThan, JSON_DEPTH_MAX } from "../domain/json-depth.ts";
import { createHash } from "node:crypto";
import { redactText } from "../domain/audit/redact.ts";
import { type ComparedResult, compareScans } from "../domain/compliance/compare.ts";
import { readNativeScan } from "../domain/compliance/native-scan.ts";
import { readSarif } from "../domain/compliance/sarif.ts";
import { ruleOutcomes, type Scan, ScanError, type ScanReader, scanStatus } from "../domain/compliance/scan.ts";
import type { Actor } from "../domain/org/actor.ts";
import { iso } from "../domain/time.ts";
import { refusal } from "../errors.ts";
import type { ScanQuery, ScanRow } from "../store/compliance.ts";
import { type Context, long, read, write } from "./answer.ts";
import { shippedRules } from "./catalogue.ts";
import { record } from "./record.ts";
import { type Encoding, unpack } from "./unpack.ts";

export interface ScanUpload {
  bytes: Uint8Array;
  encoding: Encoding;
  media: "json" | "sarif";
  /** Overrules what the document says. */
  project?: string;
}

const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");

/** Secrets are taken out before anything is kept; equal ones in an organisation's scans get equal tags. */
function readerOf(context: Context): ScanReader {
  const tag = (secret: string) => sha256(context.sign(`gatehouse/redaction\n${secret}`)).slice(0, 12);
  return { hash: sha256, redact: text => redactText(text, tag) };
}

/** Reads what was uploaded, in slices: a scan may be large, and nothing else of the organisation should wait for it. */
export const readUpload = long(function* (context, upload: ScanUpload) {
  const unpacked = unpack(upload.bytes, upload.encoding);
  yield undefined;
  const document = parse(unpacked);
  yield undefined;
  return yield* readScan(document, upload, readerOf(context));
});

/** `POST /compliance/scans`: the whole scan is one entry. */
export const ingest = write((context, { scan, actor }: { scan: Scan; actor: Actor }) => {
  const id = context.id("scn");
  const agent = actor.kind === "agent" ? actor.id : undefined;
  record(context, "scan.ingested", actor, describe(context, scan, id), agent);
  return receipt(context.store.compliance.scan(id)!);
});

function parse(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw refusal("malformed_json");
  }
  if (isDeeperThan(value, JSON_DEPTH_MAX)) throw refusal("malformed", "The scan is nested too deeply.");
  return value;
}

function* readScan(document: unknown, { media, project }: ScanUpload, reader: ScanReader): Generator<undefined, Scan> {
  try {
    if (media === "sarif" || looksLikeSarif(document))
      return yield* readSarif(document, project === undefined ? {} : { project }, reader);
    return yield* readNativeScan(project === undefined ? document : { ...(document as object), project }, reader);
  } catch (error) {
    if (!(error instanceof ScanError)) throw error;
    const details = [{ path: error.path || "/", message: error.message }];
    throw refusal("invalid", { details });
  }
}

const looksLikeSarif = (document: unknown): boolean =>
  typeof document === "object" && document !== null && "runs" in document && "version" in document;

function describe(context: Context, scan: Scan, scan_id: string): Record<string, unknown> {
  const failures = context.store.compliance.failures(scan.project, scan.tools) ?? [];
  const { results, summary } = compareScans(scan, failures);
  const { complete: _, results: __, ...rest } = scan;
  return {
    scan_id,
    ...rest,
    status: scanStatus(scan),
    summary,
    outcomes: ruleOutcomes(results, shippedRules()),
    results,
  };
}

const receipt = ({ id, project, status, summary, truncated, received_ms }: ScanRow) => ({
  id,
  project,
  status,
  summary,
  truncated,
  received_at: iso(received_ms),
});

const view = ({ seq, received_ms, ...scan }: ScanRow) => ({ ...scan, seq, received_at: iso(received_ms) });

/** `GET /compliance/scans/latest`: of a project, or of all. */
export const latest = read(({ store }, { project }: { project?: string }) => {
  const [scan] = store.compliance.scans({ ...(project === undefined ? {} : { project }), limit: 1 });
  if (!scan) throw refusal("not_found", "Nothing has been scanned yet.");
  return view(scan);
});

/** `GET /compliance/scans/history`, newest first. */
export const history = read(({ store }, query: ScanQuery) => store.compliance.scans(query).map(view));

/** `GET /compliance/scans/detail`: with the results, from the log itself. */
export const detail = read(({ store }, { id }: { id: string }) => {
  const scan = store.compliance.scan(id);
  const body = scan && store.log.entry(scan.seq)?.body;
  if (!scan || body == null) throw refusal("not_found", "There is no such scan.");
  const { attributes } = JSON.parse(body) as {
    attributes: { results: ComparedResult[]; started_at?: string; finished_at?: string };
  };
  const { started_at = null, finished_at = null, results } = attributes;
  return { ...view(scan), started_at, finished_at, results };
});

/** `GET /compliance/scans/projects`. */
export const projects = read(({ store }, query: { after?: string; limit: number }) =>
  store.compliance.projects(query).map(({ last_scan_ms, ...rest }) => ({ ...rest, last_scan_at: iso(last_scan_ms) })),
);
