import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readAsset } from "../../assets.ts";
import { compiled } from "../../compiled.ts";
import { decide } from "../../domain/policy/decide.ts";
import { findings } from "../../domain/policy/engine/findings.ts";
import { compileRulebook, type RulebookSources } from "../../domain/policy/rules/compile.ts";
import { signable } from "../../domain/policy/rules/digest.ts";
import { faulted, judge } from "../../domain/policy/rules/judge.ts";
import { type RuleNames, relevant } from "../../domain/policy/rules/relevant.ts";
import type { Pack, Policy } from "../../domain/policy/rules/schema.ts";
import {
  type Call,
  type Decision,
  decisions,
  type Match,
  type Mode,
  type Verdict,
} from "../../domain/policy/verdict.ts";
import { type Home, readCredentials } from "../../client/home.ts";
import { readPacks, readYaml } from "../../seeds.ts";
import { type CachedPolicy, cachedPolicy, isSignedPack, isStale } from "../../client/policy-cache.ts";

export interface Judge {
  judge(call: Call): Verdict;
  mode: Mode;
  /** Which rules: the organisation's own, or the community packs of this version. */
  source: "organisation" | "community";
  policy_version?: number;
  /** The organisation's policy is older than it allows. */
  stale: boolean;
  /** When what depends on the time has to be looked at anew. */
  until_ms: number;
}

interface Shipped {
  sha256: string;
  value: Pack;
  /** Of each rule, worked out by the build. */
  names?: string[][];
}

/**
 * The packs this version ships. The build has read them beforehand, without the examples: parsing YAML would take longer
 * than the verdict.
 */
function readShipped(): Shipped[] {
  if (compiled) return JSON.parse(readAsset("seeds/packs.json")) as Shipped[];
  return readPacks().map(({ text, value }) => ({ sha256: createHash("sha256").update(text).digest("hex"), value }));
}

let shipped: Shipped[] | undefined;
const shippedPacks = (): Shipped[] => (shipped ??= readShipped());

/** Judges one call and ends, or many. */
type Use = "once" | "often";

const day_ms = 86_400_000;

/** The verdicts of this installation, with no network: the signed policy last fetched, else the community packs. */
export function openJudge(home: Home, now_ms: number, use: Use = "once"): Judge {
  const credentials = readCredentials(home);
  const cached = credentials && cachedPolicy(home, credentials.signing_keys);
  const shipped = shippedPacks();
  const names = namesIn(shipped);
  const packs = shipped.map(({ value }) => value).filter(pack => pack.plan !== "entitled");
  const tomorrow_ms = (Math.floor(now_ms / day_ms) + 1) * day_ms;
  if (!cached)
    return {
      judge: verdicts({ packs }, "enforce", names, use),
      mode: "enforce",
      source: "community",
      stale: false,
      until_ms: tomorrow_ms,
    };
  const mode = cached.document.enforcement_mode;
  const sources = ownSources(cached, shipped, credentials.signing_keys, now_ms);
  const stale = isStale(cached, now_ms);
  const floor = stale ? floors[cached.config.on_unreachable] : "ALLOW";
  const judge = verdicts(sources, mode, names, use);
  return {
    judge: call => withFloor(judge(call), floor),
    mode,
    source: "organisation",
    policy_version: cached.document.version,
    stale,
    until_ms: Math.min(tomorrow_ms, stale ? Infinity : cached.fetched_ms + cached.config.policy_max_age_s * 1000 + 1),
  };
}

/** A judge for many calls, made anew when policy or credentials were written, or time has passed that it depends on. */
export function keptJudge(home: Home): (now_ms: number) => Judge {
  const stamp = (path: string) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat ? `${stat.ino} ${stat.size} ${stat.mtimeMs}` : "";
  };
  let kept: Judge | undefined;
  let stamps = "";
  let opened_ms = 0;
  return now_ms => {
    const current = `${stamp(home.policy)}\n${stamp(home.credentials)}`;
    if (!kept || current !== stamps || now_ms >= kept.until_ms || now_ms < opened_ms) {
      kept = openJudge(home, now_ms, "often");
      stamps = current;
      opened_ms = now_ms;
    }
    return kept;
  };
}

function verdicts(sources: RulebookSources, mode: Mode, names: RuleNames, use: Use): (call: Call) => Verdict {
  if (use === "once") return call => verdictOn(call, sources, mode, names);
  const book = compileRulebook(sources);
  return call => decide(call, book, mode);
}

const namesIn = (shipped: Shipped[]): RuleNames =>
  new Map(shipped.flatMap(({ value, names = [] }) => names.map((own, n) => [value.rules[n]!, own] as const)));

/** A process that judges one call compiles only the rules the call can meet. */
function verdictOn(call: Call, sources: RulebookSources, mode: Mode, names: RuleNames): Verdict {
  try {
    const found = findings(call);
    return judge(call, found, compileRulebook(relevant(sources, found, names)), mode);
  } catch {
    return faulted(sources.policy?.not_understood ?? "ASK", mode);
  }
}

/**
 * The server has validated policy and packs; hash and signature say that this is what it validated. A pack that is the
 * shipped one needs neither reading nor checking; any other has to be signed, or the shipped one of its name stays.
 */
function ownSources(
  cached: CachedPolicy,
  shipped: Shipped[],
  keys: readonly string[],
  now_ms: number,
): RulebookSources {
  const fetched = cached.packs.flatMap(pack => {
    const same = shipped.find(each => each.sha256 === pack.sha256);
    if (same) return [same.value];
    const value = readYaml(pack.content) as Pack;
    return isSignedPack(keys, signable(value), pack.signature) ? [value] : [];
  });
  const names = new Set(fetched.map(pack => pack.pack));
  const rest = shipped.map(({ value }) => value).filter(pack => !names.has(pack.pack) && pack.plan !== "entitled");
  const today = new Date(now_ms).toISOString().slice(0, 10);
  return { packs: [...fetched, ...rest], policy: readYaml(cached.yaml) as Policy, today, entitled: true };
}

const floors = { allow: "ALLOW", ask: "ASK", block: "BLOCK" } as const satisfies Record<string, Decision>;

/** What the organisation wants when its policy could not be renewed in time; never weaker than the old policy's verdict. */
export function withFloor(verdict: Verdict, floor: Decision): Verdict {
  if (decisions.indexOf(floor) <= decisions.indexOf(verdict.decision)) return verdict;
  const match: Match = {
    rule: "gate.policy-stale",
    pack: "gate",
    severity: "medium",
    decision: floor,
    reason: "The organisation's policy could not be renewed for too long, and this is what it wants then.",
    instead: "Connect to the Gatehouse server (`gatehouse heartbeat`) and try again.",
    via: [],
  };
  const { rules, reasons, matched } = verdict;
  return {
    ...verdict,
    decision: floor,
    rules: [match.rule, ...rules],
    reasons: [match.reason, ...reasons],
    matched: [match, ...matched],
  };
}
