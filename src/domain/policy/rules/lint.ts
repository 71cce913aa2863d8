/** Hints about a document that is valid, but may not do what its author believes. */
import { decisions } from "../verdict.ts";
import type { Fault } from "./problems.ts";
import { firstWord, many } from "./keys.ts";
import { idTest } from "./rule-id.ts";
import type { Match, Pack, Policy, Rule } from "./schema.ts";
import { placeholders } from "./sentence.ts";
import { setName, setsOf } from "./sets.ts";

interface LintWorld {
  packs: readonly Pack[];
  today?: string;
  /** Programs the engine knows; without them no program is called unknown. */
  programs?: ReadonlySet<string>;
}

export function lintPack(pack: Pack, world: LintWorld): Fault[] {
  const sets = setsOf([...world.packs, pack], undefined);
  return pack.rules.flatMap((rule, at) => [
    ...lintRule(rule, `/rules/${at}`, sets, world),
    ...(many(rule.cases.allow).length === 0 ? [{ path: `/rules/${at}/cases`, message: "has no `allow` case" }] : []),
  ]);
}

export function lintPolicy(policy: Policy, world: LintWorld): Fault[] {
  const sets = setsOf([...world.packs], policy);
  const ids = [...world.packs.flatMap(pack => pack.rules), ...(policy.rules ?? [])].map(rule => rule.id);
  return [
    ...(policy.rules ?? []).flatMap((rule, at) => lintRule(rule, `/rules/${at}`, sets, world)),
    ...packLints(policy, world),
    ...(policy.allow ?? []).flatMap((entry, at) => allowLints(entry, `/allow/${at}/when`, sets, world)),
    ...(policy.exceptions ?? []).flatMap((entry, at, all) => [
      ...idLints(entry.rules, `/exceptions/${at}`, ids, world),
      ...matchLints(entry.when, `/exceptions/${at}/when`, sets, world),
      ...dayLints(entry.until, `/exceptions/${at}`, world.today),
      ...shadowLints(all, at),
    ]),
    ...(policy.overrides ?? []).flatMap((entry, at) => [
      ...idLints(entry.rules, `/overrides/${at}`, ids, world),
      ...dayLints(entry.until, `/overrides/${at}`, world.today),
      ...(lowersInVain(entry, policy, world)
        ? [{ path: `/overrides/${at}`, message: "lowers a rule, which needs `reason` and `until`: it has no effect" }]
        : []),
    ]),
  ];
}

const packLints = (policy: Policy, world: LintWorld): Fault[] =>
  [...(policy.packs?.on ?? []), ...(policy.packs?.off ?? [])]
    .filter(name => !world.packs.some(({ pack }) => pack === name))
    .map(name => ({ path: "/packs", message: `there is no pack \`${name}\`` }));

function allowLints(
  { when }: { when: Match | Match[] },
  path: string,
  sets: Map<string, string[]>,
  world: LintWorld,
): Fault[] {
  const faults = matchLints(when, path, sets, world);
  if (many(when).some(coversAll))
    faults.push({ path, message: "covers every call: what packs would ask about is allowed" });
  return faults;
}

/** An exception that another one makes superfluous; of two alike it is the later. */
function shadowLints(all: readonly Exception[], at: number): Fault[] {
  const entry = all[at]!;
  const wider = all.findIndex(
    (other, index) => index !== at && shadows(other, entry) && (index < at || !shadows(entry, other)),
  );
  return wider < 0
    ? []
    : [{ path: `/exceptions/${at}`, message: `says nothing that exception ${wider + 1} does not say` }];
}

function lintRule(rule: Rule, path: string, sets: Map<string, string[]>, world: LintWorld): Fault[] {
  const faults = [
    ...matchLints(rule.when, `${path}/when`, sets, world),
    ...matchLints(rule.unless, `${path}/unless`, sets, world),
  ];
  for (const [, name = ""] of `${rule.what} ${rule.why} ${rule.instead}`.matchAll(/\{(\w+)\}/g)) {
    if (!(placeholders as readonly string[]).includes(name)) {
      faults.push({
        path: `${path}/what`,
        message: `there is no placeholder {${name}}: use ${placeholders.join(", ")}`,
      });
    }
  }
  const { block, ask, warn, allow } = rule.cases;
  const shown = rule.decision === "ALLOW" ? many(allow) : [...many(block), ...many(ask), ...many(warn)];
  if (shown.length === 0) faults.push({ path: `${path}/cases`, message: "has no case that shows what it matches" });
  for (const [at, unless] of many(rule.unless).entries()) {
    if (many(rule.when).every(when => apart(when, unless))) {
      faults.push({
        path: `${path}/unless`,
        message: `${at === 0 ? "" : `entry ${at + 1} `}can never apply: it describes other calls than \`when\``.trim(),
      });
    }
  }
  return faults;
}

function matchLints(
  matches: Match | Match[] | undefined,
  path: string,
  sets: Map<string, string[]>,
  world: LintWorld,
): Fault[] {
  const faults: Fault[] = [];
  for (const match of many(matches)) {
    const lists = Object.values(match).flatMap(value =>
      typeof value === "object" && !Array.isArray(value) ? Object.values(value).flat() : many(value as string),
    );
    for (const pattern of lists) {
      const name = typeof pattern === "string" ? setName(pattern) : undefined;
      if (name !== undefined && !sets.has(name)) faults.push({ path, message: `there is no set \`$${name}\`` });
    }
    for (const program of many(match.run).map(firstWord)) {
      if (world.programs === undefined || /[*$]|^re:/.test(program) || world.programs.has(program)) continue;
      faults.push({
        path: `${path}/run`,
        message: `\`${program}\` is not known: its first words count as subcommands`,
      });
    }
  }
  return faults;
}

function idLints(globs: string[], path: string, ids: string[], world: LintWorld): Fault[] {
  return globs.flatMap(glob => {
    const fits = ids.filter(idTest([glob]));
    if (fits.length === 0) return [{ path: `${path}/rules`, message: `there is no rule \`${glob}\`` }];
    const locked = world.packs
      .flatMap(pack => pack.rules)
      .filter(rule => rule.locked)
      .map(rule => rule.id);
    return fits.every(id => locked.includes(id))
      ? [{ path: `${path}/rules`, message: `\`${glob}\` is locked: nothing weakens it` }]
      : [];
  });
}

function dayLints(until: string | undefined, path: string, today: string | undefined): Fault[] {
  if (until === undefined || today === undefined) return [];
  if (until < today) return [{ path: `${path}/until`, message: "is over: it has no effect" }];
  const year = `${Number(today.slice(0, 4)) + 1}${today.slice(4)}`;
  return until > year ? [{ path: `${path}/until`, message: "is more than a year ahead" }] : [];
}

const anything = /^(?:\*+(?:\/\*+)?|re:\^?(?:\.\*)?\$?)$/;

/** Says nothing about the calls it means: each of its keys holds for all. */
const coversAll = (match: Match): boolean =>
  Object.values(match).every(value => many<unknown>(value).some(one => typeof one === "string" && anything.test(one)));

type Exception = NonNullable<Policy["exceptions"]>[number];

/** Whether `wide` covers all that `narrow` does: its rules, its scope, its description, at least as long. */
function shadows(wide: Exception, narrow: Exception): boolean {
  return (
    narrow.rules.every(idTest(wide.rules)) &&
    wide.until >= narrow.until &&
    within(wide.scope ?? {}, narrow.scope ?? {}) &&
    many(narrow.when).every(one => many(wide.when).some(other => within(other, one)))
  );
}

/** Every key of `wide` stands in `narrow` with the same entries or fewer. */
function within(wide: object, narrow: object): boolean {
  return Object.entries(wide).every(([key, value]) => {
    const other = (narrow as Record<string, unknown>)[key];
    const entries = many(other as string | string[] | undefined).map(entry => JSON.stringify(entry));
    const known = many(value as string | string[]).map(entry => JSON.stringify(entry));
    return entries.length > 0 && entries.every(entry => known.includes(entry));
  });
}

/** Two descriptions no fact can satisfy together, as far as their plain words tell. */
function apart(when: Match, unless: Match): boolean {
  const runs = plain(when.run).map(firstWord);
  const others = plain(unless.run).map(firstWord);
  if (runs.length > 0 && others.length > 0 && !runs.some(name => others.includes(name))) return true;
  for (const key of ["does", "flow", "net", "sql", "dialect"] as const) {
    const mine = many<string>(when[key]);
    const theirs = many<string>(unless[key]);
    if (mine.length > 0 && theirs.length > 0 && !mine.some(word => theirs.includes(word))) return true;
  }
  const tool = (match: Match) => match.mcp !== undefined || match.input !== undefined || match.hints !== undefined;
  const program = (match: Match) => match.run !== undefined || match.flags !== undefined || match.args !== undefined;
  return (tool(when) && program(unless)) || (program(when) && tool(unless));
}

/** Patterns without globs and sets; none where there is any, for then nothing can be told. */
function plain(patterns: string | string[] | undefined): string[] {
  const list = many(patterns);
  return list.some(pattern => /[*$]|^re:/.test(pattern)) ? [] : list;
}

const levels = ["OFF", ...decisions];

function lowersInVain(entry: NonNullable<Policy["overrides"]>[number], policy: Policy, world: LintWorld): boolean {
  if (entry.decision === undefined || (entry.reason !== undefined && entry.until !== undefined)) return false;
  const rules = [...world.packs.flatMap(pack => pack.rules), ...(policy.rules ?? [])];
  const named = rules.filter(rule => idTest(entry.rules)(rule.id));
  return named.length > 0 && named.every(rule => levels.indexOf(entry.decision!) < levels.indexOf(rule.decision));
}
