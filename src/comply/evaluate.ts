import { posix } from "node:path";
import { RE2JS } from "re2js";
import type { Check, Look } from "./check.ts";
import { type Opened, type Source, valuesAt } from "./source.ts";
import type { Found } from "./tree.ts";

export interface Finding {
  path: string;
  line?: number;
  message: string;
}

/** `not_evaluated`: not looked at, with the reason; never a pass. */
export type CheckResult =
  | { check: Check; status: "pass" | "not_applicable" }
  | { check: Check; status: "fail"; findings: Finding[] }
  | { check: Check; status: "error"; findings: Finding[] }
  | { check: Check; status: "not_evaluated"; reason: string };

const findingsMax = 200;

/** Holds every check against what was found. Pure. */
export function evaluate(checks: readonly Check[], source: Source): CheckResult[] {
  return checks.map(check => evaluateCheck(check, source));
}

function evaluateCheck(check: Check, source: Source): CheckResult {
  if (!check.look) return { check, status: "not_evaluated", reason: check.from ?? "" };
  const seen = check.look.map(look => evaluateLook(look, source));
  const findings = seen.flatMap(each => each.findings).slice(0, findingsMax);
  const errors = [...new Map(seen.flatMap(each => each.errors).map(error => [error.path, error])).values()];
  if (findings.length > 0) return { check, status: "fail", findings };
  if (errors.length > 0) return { check, status: "error", findings: errors };
  const unseen = seen.find(each => each.unseen)?.unseen;
  if (unseen) return { check, status: "not_evaluated", reason: unseen };
  return { check, status: seen.some(each => each.looked > 0) ? "pass" : "not_applicable" };
}

interface Seen {
  findings: Finding[];
  errors: Finding[];
  /** Files that could be looked at. */
  looked: number;
  unseen?: string;
}

function evaluateLook(look: Look, source: Source): Seen {
  const opened = source.of(look.files).filter(({ file }) => !look.scope || file.scope === look.scope);
  const readable = opened.filter(({ error }) => error === undefined);
  const errors = opened
    .filter(({ error }) => error !== undefined)
    .map(({ file, error }) => ({ path: shown(file), message: error! }));
  const found = readable.map(each => findIn(look, each));
  const base = { errors, looked: readable.length };
  if (!look.nowhere)
    return { ...base, findings: found.flatMap(each => each.findings), ...unseenOf(look, source, readable) };
  if (found.some(each => each.hit)) return { ...base, findings: [] };
  if (!(source.scopes.has("project") && source.scopes.has("home")) && readable.length > 0)
    return { ...base, findings: [], unseen: "needs both the project and the home" };
  const first = readable[0];
  return { ...base, findings: first ? [{ path: shown(first.file), message: look.says }] : [] };
}

function unseenOf(look: Look, source: Source, readable: Opened[]): { unseen?: string } {
  const scope = look.scope;
  if (!scope || source.scopes.has(scope) || readable.length > 0) return {};
  return { unseen: `the ${scope} was not looked at` };
}

const shownBefore = { project: "", home: "~/", managed: "/" };
/** Home files show as `~/…`, so that a report names no person's directory. */
const shown = ({ scope, path }: Opened["file"]): string => `${shownBefore[scope]}${path}`;

function findIn(look: Look, opened: Opened): { findings: Finding[]; hit: boolean } {
  const at = (line: number | undefined): Finding => ({
    path: shown(opened.file),
    ...(line === undefined ? {} : { line }),
    message: look.says,
  });
  if (look.exposed) {
    const open = ((opened.file.mode ?? 0) & 0o077) !== 0;
    return { findings: open ? [at(undefined)] : [], hit: open };
  }
  if (look.exists) return { findings: [at(undefined)], hit: true };
  if (look.line !== undefined) {
    const lines = linesMatching(opened, look.line, look);
    if (look.missing) return { findings: lines.length === 0 ? [at(undefined)] : [], hit: lines.length > 0 };
    return { findings: lines.map(at), hit: lines.length > 0 };
  }
  const groups = valuesAt(opened, look.at!, look.each);
  const hits = groups.map(({ line, found }) => ({ line, found: found.filter(each => fits(look, each)) }));
  const findings = look.missing
    ? hits.filter(({ found }) => found.length === 0).map(({ line }) => at(line))
    : hits.flatMap(({ found }) => found).map(({ line }) => at(line));
  return { findings, hit: hits.some(({ found }) => found.length > 0) };
}

function fits(look: Look, { value, key }: Found): boolean {
  if (look.key !== undefined && !searches(look.key, key)) return false;
  if (look.is !== undefined && !look.is.includes(value as string)) return false;
  const text = typeof value === "string" ? value : JSON.stringify(value ?? null);
  if (look.matches !== undefined && !searches(look.matches, text)) return false;
  return look.unless === undefined || !searches(look.unless, text);
}

function linesMatching({ text, file }: Opened, pattern: string, { unless, leaves }: Look): number[] {
  if (!searches(pattern, text)) return [];
  const fits = (line: string): boolean =>
    leaves ? groupsOf(pattern, line).some(path => leavesProject(file.path, path)) : searches(pattern, line);
  return text.split("\n").flatMap((line, n) => (fits(line) && !(unless && searches(unless, line)) ? [n + 1] : []));
}

/** Whether a path written in `from` leads out of the folder that `from` is relative to. */
function leavesProject(from: string, path: string): boolean {
  if (path.startsWith("~") || path.startsWith("/")) return true;
  return posix.join(posix.dirname(from), path).startsWith("..");
}

function groupsOf(pattern: string, text: string): string[] {
  const matcher = expressionOf(pattern).matcher(text);
  const found: string[] = [];
  while (matcher.find()) found.push(matcher.group(1) ?? "");
  return found;
}

const compiled = new Map<string, RE2JS>();

function expressionOf(pattern: string): RE2JS {
  let expression = compiled.get(pattern);
  if (!expression) compiled.set(pattern, (expression = RE2JS.compile(pattern, RE2JS.MULTILINE)));
  return expression;
}

const searches = (pattern: string, text: string): boolean => expressionOf(pattern).matcher(text).find();
