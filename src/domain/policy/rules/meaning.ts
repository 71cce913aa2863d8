/** What a schema cannot say: faults that make a document wrong although each member has the right shape. */
import type { Fault } from "./problems.ts";
import { keysOf, many } from "./keys.ts";
import { patternFault } from "./pattern.ts";
import type { Match, Pack, Policy, Rule } from "./schema.ts";
import { isPlace } from "./sets.ts";

export const meaningFaults = { pack: packFaults, policy: policyFaults };

function packFaults(pack: Pack, file?: string): Fault[] {
  const faults: Fault[] = [];
  const name = file?.replace(/^.*\//, "").replace(/\.ya?ml$/, "");
  if (name !== undefined && name !== pack.pack)
    faults.push({ path: "/pack", message: `must be \`${name}\`, as the file` });
  faults.push(...ruleFaults(pack.rules), ...setFaults(pack.sets));
  for (const [index, rule] of pack.rules.entries()) {
    const path = `/rules/${index}`;
    if (!rule.id.startsWith(`${pack.pack}.`)) {
      faults.push({ path: `${path}/id`, message: `must start with the pack's name: \`${pack.pack}.\`` });
    }
    for (const [at, when] of many(rule.when).entries()) {
      if (keysOf(when).length > 0 && !many(when.run).includes("*")) continue;
      const where = Array.isArray(rule.when) ? `${path}/when/${at}` : `${path}/when`;
      faults.push({
        path: where,
        message: "would run on everything: name a program, tool, file access, flow or variable",
      });
    }
  }
  return faults;
}

function policyFaults(policy: Policy): Fault[] {
  const faults = [...ruleFaults(policy.rules ?? []), ...setFaults(policy.sets)];
  for (const [index, entry] of (policy.allow ?? []).entries())
    faults.push(...matchFaults(entry.when, `/allow/${index}/when`));
  for (const [index, entry] of (policy.exceptions ?? []).entries()) {
    const path = `/exceptions/${index}`;
    faults.push(...matchFaults(entry.when, `${path}/when`), ...dayFaults(entry.until, `${path}/until`));
  }
  for (const [index, entry] of (policy.overrides ?? []).entries())
    faults.push(...overrideFaults(entry, `/overrides/${index}`));
  const both = (policy.packs?.on ?? []).filter(name => policy.packs?.off?.includes(name));
  for (const name of both) faults.push({ path: "/packs", message: `\`${name}\` is both on and off` });
  return faults;
}

function overrideFaults(entry: NonNullable<Policy["overrides"]>[number], path: string): Fault[] {
  const faults = dayFaults(entry.until, `${path}/until`);
  if (entry.decision === undefined && entry.severity === undefined)
    faults.push({ path, message: "must set `decision` or `severity`" });
  if (entry.decision === "OFF" && (entry.reason === undefined || entry.until === undefined))
    faults.push({ path, message: "switching a rule off needs `reason` and `until`" });
  return faults;
}

function ruleFaults(rules: Rule[]): Fault[] {
  const faults: Fault[] = [];
  const seen = new Set<string>();
  for (const [index, rule] of rules.entries()) {
    const path = `/rules/${index}`;
    if (seen.has(rule.id)) faults.push({ path: `${path}/id`, message: `\`${rule.id}\` is there twice` });
    seen.add(rule.id);
    faults.push(...matchFaults(rule.when, `${path}/when`), ...matchFaults(rule.unless, `${path}/unless`));
  }
  return faults;
}

function matchFaults(matches: Match | Match[] | undefined, path: string): Fault[] {
  return many(matches).flatMap((match, index) => {
    const where = Array.isArray(matches) ? `${path}/${index}` : path;
    return [...patternFaults(match, where), ...contradictions(match, where)];
  });
}

function patternFaults(match: Match, path: string): Fault[] {
  const faults: Fault[] = [];
  for (const [key, value] of Object.entries(match)) {
    const entries = key === "input" ? Object.values(value as Record<string, string | string[]>).flat() : many(value);
    for (const entry of entries) {
      if (typeof entry !== "string") continue;
      const message = patternsIn(key, entry).map(patternFault).find(Boolean);
      if (message) faults.push({ path: `${path}/${key}`, message });
    }
  }
  return faults;
}

/** What a value is read as: `run` word by word, `env` as a name and a value. */
function patternsIn(key: string, entry: string): string[] {
  if (key === "run") return entry.split(" ");
  const at = key === "env" ? entry.indexOf("=") : -1;
  return at < 0 ? [entry] : [entry.slice(0, at), entry.slice(at + 1)];
}

const runKeys = ["run", "flags", "flags_all", "args", "ref", "interactive", "dialect", "env", "sql"] as const;
const fileKeys = ["does", "recursive", "grants"] as const;

/** Keys that no fact can satisfy together: such a rule would look like protection and do nothing. */
function contradictions(match: Match, path: string): Fault[] {
  const has = (key: keyof Match) => match[key] !== undefined;
  const tool = has("mcp") || has("input") || has("hints");
  const faults: Fault[] = [];
  const clash = tool ? runKeys.find(key => has(key) && key !== "sql") : undefined;
  if (clash) faults.push({ path, message: `\`${clash}\` speaks of programs and can never hold for an MCP call` });
  const kinds = [fileKeys.some(has), has("flow"), has("net"), has("env"), has("sql")].filter(Boolean).length;
  if (kinds > 1) faults.push({ path, message: "one description speaks of one fact: split it" });
  if (has("grants") && has("does") && !many(match.does).includes("permissions")) {
    faults.push({ path, message: "`grants` belongs to `does: permissions`" });
  }
  if (has("host") && (fileKeys.some(has) || has("env") || has("sql"))) {
    faults.push({ path, message: "`host` belongs to `net` or `flow`" });
  }
  return faults;
}

function setFaults(sets: Record<string, string[]> | undefined): Fault[] {
  return Object.entries(sets ?? {}).flatMap(([name, globs]) => {
    if (isPlace(name)) return [{ path: `/sets/${name}`, message: "is the name of a place" }];
    return globs.flatMap((glob, index) => {
      const message = patternFault(glob);
      return message ? [{ path: `/sets/${name}/${index}`, message }] : [];
    });
  });
}

function dayFaults(day: string | undefined, path: string): Fault[] {
  if (day === undefined) return [];
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  const length = month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31;
  return date > length ? [{ path, message: "is not a day of the calendar" }] : [];
}
