import { type Static, Type } from "@sinclair/typebox";
import { checkOf } from "../schema-check.ts";
import { firstError } from "../schema-error.ts";
import { withFingerprints } from "./fingerprint.ts";
import { relativePath } from "./location.ts";
import { Severity } from "./rule.ts";
import { inSlices, keepMostSevere, type Scan, ScanError, type ScanReader, scanLimits } from "./scan.ts";

/** Names from outside: printable, on one line. */
const Name = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: "^[^\\u0000-\\u001f\\u007f]+$" });
const Time = Type.String({ pattern: "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d{1,9})?(Z|[+-]\\d{2}:\\d{2})$" });

export const NativeResult = Type.Object({
  rule_id: Name(200),
  status: Type.Union([
    Type.Literal("pass"),
    Type.Literal("fail"),
    Type.Literal("not_applicable"),
    Type.Literal("error"),
  ]),
  severity: Type.Optional(Severity),
  location: Type.Optional(
    Type.Object({
      path: Type.String({ minLength: 1, maxLength: 4_096 }),
      line: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000_000 })),
    }),
  ),
  message: Type.Optional(Type.String({ maxLength: 32_768 })),
});

/** The native form of `POST /compliance/scans`. Unknown members are ignored. */
export const NativeScan = Type.Object({
  project: Name(200),
  commit: Type.Optional(Name(200)),
  branch: Type.Optional(Name(300)),
  tool: Type.Object({ name: Name(100), version: Type.String({ maxLength: 100 }) }),
  started_at: Time,
  finished_at: Time,
  results: Type.Array(NativeResult, { maxItems: scanLimits.resultsPerRun }),
});
export type NativeScan = Static<typeof NativeScan>;

const shape = checkOf(NativeScan);

/** Reads a native scan, in slices. Throws ScanError. */
export function* readNativeScan(input: unknown, reader: ScanReader): Generator<undefined, Scan> {
  const error = shape().Check(input) ? undefined : firstError(shape().Errors(input));
  if (error) throw new ScanError(tooMany(input) ? "too_many" : "invalid", error.path, error.message);
  const { project, commit, branch, tool, started_at, finished_at, results } = input as NativeScan;
  const [kept, truncated] = keepMostSevere(results);
  yield undefined;
  const read = yield* inSlices(kept, result => readResult(result, tool.name, project, reader));
  return {
    project,
    format: "native",
    tools: [{ name: tool.name, ...(tool.version && { version: tool.version }) }],
    ...(commit !== undefined && { commit }),
    ...(branch !== undefined && { branch }),
    started_at,
    finished_at,
    results: withFingerprints(read, reader),
    truncated,
    complete: true,
  };
}

const tooMany = (input: unknown): boolean => {
  const results = (input as { results?: unknown } | null)?.results;
  return Array.isArray(results) && results.length > scanLimits.resultsPerRun;
};

function readResult(result: Static<typeof NativeResult>, tool: string, project: string, reader: ScanReader) {
  const { rule_id, status, severity, location, message } = result;
  const line = location?.line;
  return {
    tool,
    rule_id,
    status,
    ...(severity && { severity }),
    ...(location && {
      location: { path: reader.redact(relativePath(location.path, [], project)), ...(line !== undefined && { line }) },
    }),
    ...(message && {
      message: reader.redact(message.slice(0, scanLimits.readLength)).slice(0, scanLimits.messageLength),
    }),
  };
}
