import type { CheckResult } from "./evaluate.ts";
import type { Scanned } from "./scan.ts";

/** Paints words where the reader is a terminal; the plain one is the identity. */
export interface Paint {
  strong(text: string): string;
  faint(text: string): string;
  bad(text: string): string;
  warn(text: string): string;
  good(text: string): string;
}

export const plainPaint: Paint = { strong: same, faint: same, bad: same, warn: same, good: same };
function same(text: string): string {
  return text;
}

const order = ["critical", "high", "medium", "low"] as const;
const shownMax = 10;

/** What a person reads: failures first, the worst on top, each with its place and its remedy. */
export function report({ results, unread, files }: Scanned, paint: Paint = plainPaint): string {
  const failed = results
    .filter(result => result.status === "fail")
    .toSorted((a, b) => order.indexOf(a.check.severity) - order.indexOf(b.check.severity));
  const broken = results.filter(result => result.status === "error");
  const blocks = [...failed.map(result => block(result, paint)), ...broken.map(result => block(result, paint))];
  return `${[...blocks, unevaluated(results, paint), summary(results, files, unread, paint)].filter(Boolean).join("\n\n")}\n`;
}

function block(
  result: CheckResult & { findings: { path: string; line?: number; message: string }[] },
  paint: Paint,
): string {
  const { check, status, findings } = result;
  const label =
    status === "error"
      ? paint.warn("error")
      : (order.indexOf(check.severity) < 2 ? paint.bad : paint.warn)(check.severity);
  const lines = findings
    .slice(0, shownMax)
    .map(({ path, line, message }) => `  ${path}${line === undefined ? "" : `:${line}`}  ${message}`);
  const more = findings.length > shownMax ? [paint.faint(`  … and ${findings.length - shownMax} more`)] : [];
  const remedy =
    status === "error" ? [] : [`  ${paint.faint("why")} ${check.why}`, `  ${paint.faint("fix")} ${check.fix}`];
  return [`${label} ${paint.strong(check.id)} ${check.title}`, ...lines, ...more, ...remedy].join("\n");
}

function unevaluated(results: readonly CheckResult[], paint: Paint): string {
  const left = results.filter(result => result.status === "not_evaluated");
  return left.map(({ check, reason }) => paint.faint(`not evaluated ${check.id} ${check.title}: ${reason}`)).join("\n");
}

function summary(results: readonly CheckResult[], files: number, unread: string[], paint: Paint): string {
  const count = (status: CheckResult["status"]) => results.filter(result => result.status === status).length;
  const failed = count("fail");
  const lead = failed > 0 ? paint.bad(`${failed} failed`) : paint.good("0 failed");
  const rest = `${count("pass")} passed, ${count("not_applicable")} not applicable, ${count("not_evaluated")} not evaluated, ${count("error")} errors`;
  const missed = unread.length > 0 ? `\n${paint.warn(`could not be read: ${unread.slice(0, 5).join(", ")}`)}` : "";
  return `${lead}, ${rest} (${results.length} checks, ${files} files)${missed}`;
}
