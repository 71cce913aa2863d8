/**
 * A compiled rulebook: from a fact to the descriptions that speak of it. What is never asked about is never made
 * ready, so that a rulebook of hundreds of rules is there in a few milliseconds.
 */
import type { FileAct } from "../facts.ts";
import type { Decision, Severity } from "../verdict.ts";
import { type Description, describe, Testers } from "./description.ts";
import { acts, keysOf, many } from "./keys.ts";
import { PathTree } from "./path.ts";
import type { Match, Rule } from "./schema.ts";
import type { ScopeTest } from "./scope.ts";
import { expanded } from "./sets.ts";

/** What rules of an organisation's own policy name as their pack. */
export const policyPack = "policy";

export interface CompiledRule {
  rule: Rule;
  pack: string;
  /** Index in the policy's `rules`; undefined for rules of packs. */
  own?: number;
  nursery: boolean;
  scope: ScopeTest;
  unless: readonly Description[];
}
export interface CompiledEntry {
  when: readonly Description[];
  scope: ScopeTest;
  reason: string;
}
export interface CompiledException extends CompiledEntry {
  rules: (id: string) => boolean;
  /** Where the policy says so, as a JSON pointer. */
  at: string;
}
export interface CompiledOverride {
  rules: (id: string) => boolean;
  decision: Decision | "OFF" | undefined;
  severity: Severity | undefined;
  scope: ScopeTest;
  /** Reason and day are given, so that it may lower. */
  mayLower: boolean;
  at: string;
}

export interface Terms {
  allow: readonly CompiledEntry[];
  exceptions: readonly CompiledException[];
  overrides: readonly CompiledOverride[];
  no_match: "ALLOW" | "WARN" | "ASK";
  not_understood: "ASK" | "BLOCK";
  /** Last day (UTC) on which this rulebook judges as it does now; undefined where nothing in it is dated. */
  expires_on: string | undefined;
}

/** Descriptions of one kind of file access: by the path list they ask for, and those that ask for no path. */
export interface FileIndex {
  byList: ReadonlyMap<number, readonly Description[]>;
  anywhere: readonly Description[];
  /** Those whose rule says what an unknown path means. */
  eager: readonly Description[];
}

interface Entry {
  rule: number;
  match: Match;
  made?: Description;
}

const none: readonly Description[] = [];

export class Rulebook {
  readonly rules: CompiledRule[] = [];
  readonly suspect = new PathTree(true);
  readonly trusted = new PathTree(false);
  readonly restricting: Testers;
  readonly loosening: Testers;
  readonly #entries = new Map<string, Entry[]>();
  readonly #made = new Map<string, readonly Description[]>();
  readonly #files: Entry[] = [];
  #fileIndex: ReadonlyMap<FileAct, FileIndex> | undefined;
  #terms: Terms = {
    allow: [],
    exceptions: [],
    overrides: [],
    no_match: "ALLOW",
    not_understood: "ASK",
    expires_on: undefined,
  };

  constructor(sets: Map<string, string[]>) {
    this.restricting = new Testers(sets, this.suspect);
    this.loosening = new Testers(sets, this.trusted);
  }

  get terms(): Terms {
    return this.#terms;
  }
  set terms(terms: Terms) {
    this.#terms = terms;
  }
  get not_understood(): "ASK" | "BLOCK" {
    return this.#terms.not_understood;
  }
  get expires_on(): string | undefined {
    return this.#terms.expires_on;
  }

  add(compiled: CompiledRule): void {
    const rule = this.rules.push(compiled) - 1;
    for (const match of many(compiled.rule.when)) this.#enter({ rule, match });
  }

  #enter(entry: Entry): void {
    const { match } = entry;
    const names = indexNames(match, this.restricting.sets);
    if (names[0]?.startsWith("file:")) {
      this.#files.push(entry);
      return;
    }
    for (const name of names) {
      const same = this.#entries.get(name);
      if (same === undefined) this.#entries.set(name, [entry]);
      else if (same.at(-1) !== entry) same.push(entry);
    }
  }

  /** Descriptions indexed under `key` (see keys.ts). */
  about(key: string): readonly Description[] {
    const made = this.#made.get(key);
    if (made !== undefined) return made;
    const entries = this.#entries.get(key);
    if (entries === undefined) return none;
    const descriptions = entries.map(entry => this.#ready(entry));
    this.#made.set(key, descriptions);
    return descriptions;
  }

  aboutFile(act: FileAct): FileIndex {
    this.#fileIndex ??= this.#indexFiles();
    return this.#fileIndex.get(act)!;
  }

  #ready(entry: Entry): Description {
    entry.made ??= describe(entry.match, this.restricting, entry.rule);
    return entry.made;
  }

  #indexFiles(): ReadonlyMap<FileAct, FileIndex> {
    const descriptions = this.#files.map(entry => this.#ready(entry));
    const index = new Map<FileAct, FileIndex>();
    for (const act of acts) {
      const byList = new Map<number, Description[]>();
      const anywhere: Description[] = [];
      const eager: Description[] = [];
      for (const made of descriptions) {
        const ofAct =
          made.acts === undefined ? made.grants === undefined || act === "permissions" : made.acts.includes(act);
        if (!ofAct) continue;
        if (made.path === undefined) anywhere.push(made);
        else {
          byList.set(made.path, [...(byList.get(made.path) ?? []), made]);
          if (isEager(this.rules[made.rule]!)) eager.push(made);
        }
      }
      index.set(act, { byList, anywhere, eager });
    }
    return index;
  }
}

/** The names a description stands under in the index. */
export function indexNames(match: Match, sets: Map<string, string[]>): string[] {
  const keys =
    match.run !== undefined
      ? keysOf({ run: expanded(match.run, sets) })
      : match.env !== undefined && match.flow === undefined && match.sql === undefined
        ? keysOf({ env: expanded(match.env, sets) })
        : keysOf(match);
  const dialects = many(match.dialect);
  const fold = dialects.length > 0 && !dialects.includes("posix");
  const names = keys.length > 0 || match.run !== undefined || match.env !== undefined ? keys : ["all"];
  return fold ? names.map(name => (name.startsWith("run:") ? name.toLowerCase() : name)) : names;
}

/** The rule says itself what an unknown word means. */
export const isEager = ({ rule }: CompiledRule): boolean => rule.unsure !== undefined && rule.unsure !== "IGNORE";
