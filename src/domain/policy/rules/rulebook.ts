/**
 * A compiled rulebook: from a fact to the descriptions that speak of it. What is never asked about is never made
 * ready, so that a rulebook of hundreds of rules is there in a few milliseconds.
 */
import type { FileFact, FlowFact, Subject } from "../facts.ts";
import type { Decision, Severity, World } from "../verdict.ts";
import type { CompiledRule } from "./compiled-rule.ts";
import { type Description, describe } from "./description.ts";
import { ofVariable } from "./fact-test.ts";
import { type FileIndexes, indexFiles } from "./file-index.ts";
import { Testers } from "./testers.ts";
import { keysOf, many } from "./keys.ts";
import { levelOf } from "./level.ts";

import { type PathLists, PathTree } from "./path.ts";
import { PathLookups } from "./path-lookups.ts";
import { reachesBelow, suspectLists, trustedLists } from "./place.ts";
import { ProgramIndex } from "./program-index.ts";
import { speaksOf, speaksOfPlace } from "./run-test.ts";
import type { Match } from "./schema.ts";
import type { ScopeTest } from "./scope.ts";
import { expanded } from "./sets.ts";

export interface CompiledEntry {
  when: readonly Description[];
  scope: ScopeTest;
  reason: string;
}
interface CompiledException extends CompiledEntry {
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

interface Terms {
  allow: readonly CompiledEntry[];
  exceptions: readonly CompiledException[];
  overrides: readonly CompiledOverride[];
  no_match: "ALLOW" | "WARN" | "ASK";
  not_understood: "ASK" | "BLOCK";
  /** Last day (UTC) on which this rulebook judges as it does now; undefined where nothing in it is dated. */
  expires_on: string | undefined;
}

interface Entry {
  rule: number;
  match: Match;
  made?: Description;
}

interface ProgramEntries {
  any: Entry[];
  byWord: Map<string, Entry[]> | undefined;
}

/** Descriptions by the kind of call they can hold for: what asks for a tool is never tried on a program. */
export type ByCaller = Readonly<Record<Subject["kind"], readonly Description[]>>;

/** Entries by name, made ready at their first use. */
class Shelf {
  readonly #ready: (entry: Entry) => Description;
  readonly #entries = new Map<string, Entry[]>();
  readonly #made = new Map<string, ByCaller>();

  constructor(ready: (entry: Entry) => Description) {
    this.#ready = ready;
  }

  put(name: string, entry: Entry): void {
    put(this.#entries, name, entry);
  }

  get(name: string): ByCaller {
    const made = this.#made.get(name);
    if (made !== undefined) return made;
    const entries = this.#entries.get(name);
    if (entries === undefined) return nobody;
    const descriptions = byCaller(entries.map(this.#ready));
    this.#made.set(name, descriptions);
    return descriptions;
  }
}

const none: readonly Description[] = [];
const nobody: ByCaller = { run: none, mcp: none };

const byCaller = (all: readonly Description[]): ByCaller => ({
  run: all.filter(made => !made.needsTool),
  mcp: all.filter(made => !made.needsProgram),
});

/** Names kept with what is about them; any text may be the name of a program or a variable. */
const namesMax = 1024;
/** Longer paths of programs are not kept. */
const placeCharsMax = 256;

export class Rulebook {
  readonly rules: CompiledRule[] = [];
  /** A scope speaks of agents: verdicts may depend on who calls. */
  asksWho = false;
  readonly suspect = new PathTree(true);
  readonly trusted = new PathTree(false);
  readonly restricting: Testers;
  readonly loosening: Testers;
  readonly #about = new Shelf(entry => this.#ready(entry));
  readonly #named = new Shelf(entry => this.#ready(entry));
  readonly #variables = new Map<string, ByCaller>();
  readonly #fileEntries: Entry[] = [];
  readonly #programEntries = new Map<string, ProgramEntries>();
  readonly #programs = new Map<string, ProgramIndex>();
  readonly #places = new Map<string, readonly Description[]>();
  readonly #suspectPaths = new PathLookups(this.suspect, suspectLists, reachesBelow);
  readonly #trustedPaths = new PathLookups(this.trusted, trustedLists, fact => fact.kind === "file" && fact.recursive);
  #files: FileIndexes | undefined;
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

  /** The policy takes nothing away: no exception, no `allow`, no override. */
  get plain(): boolean {
    const { allow, exceptions, overrides } = this.#terms;
    return allow.length === 0 && exceptions.length === 0 && overrides.length === 0;
  }

  add(compiled: CompiledRule): void {
    const rule = this.rules.push(compiled) - 1;
    for (const match of many(compiled.rule.when)) this.#enter({ rule, match });
  }

  #enter(entry: Entry): void {
    const { match } = entry;
    const names = indexNames(match, this.restricting.sets);
    if (names[0]?.startsWith("file:")) {
      this.#fileEntries.push(entry);
      return;
    }
    for (const name of names) {
      if (name.startsWith("run:") && name !== "run:*") this.#enterProgram(name.slice(4), entry);
      else if (name.startsWith("env:") && name !== "env:*") this.#named.put(name.slice(4), entry);
      else this.#about.put(name, entry);
    }
  }

  #enterProgram(name: string, entry: Entry): void {
    const space = name.indexOf(" ");
    const program = space < 0 ? name : name.slice(0, space);
    let entries = this.#programEntries.get(program);
    if (entries === undefined) {
      entries = { any: [], byWord: undefined };
      this.#programEntries.set(program, entries);
    }
    if (space < 0) entries.any.push(entry);
    else put((entries.byWord ??= new Map()), name.slice(space + 1), entry);
  }

  /** Descriptions indexed under `key` (see keys.ts), for keys that are no variable's and no program's. */
  about(key: string): ByCaller {
    return this.#about.get(key);
  }

  /** Descriptions of a variable, by its name. */
  variable(name: string): ByCaller {
    let about = this.#variables.get(name);
    if (about === undefined) {
      const [open, named] = [this.about("env:*"), this.#named.get(name)];
      const all = (caller: Subject["kind"]) =>
        [...new Set([...named[caller], ...open[caller]])].flatMap(made => ofVariable(made, name) ?? []);
      about = { run: all("run"), mcp: all("mcp") };
      keep(this.#variables, name, about);
    }
    return about;
  }

  /** Descriptions of calls of `program`, by its name. */
  program(program: string): ProgramIndex {
    let index = this.#programs.get(program);
    if (index === undefined) {
      index = this.#indexProgram(program);
      keep(this.#programs, program, index);
    }
    return index;
  }

  /** Descriptions of programs started from a place (`/tmp/*`), by the path as it was written. */
  place(path: string): readonly Description[] {
    let about = this.#places.get(path);
    if (about === undefined) {
      about = this.about("run:*").run.filter(({ run }) => run !== undefined && speaksOfPlace(run, path));
      if (path.length <= placeCharsMax) keep(this.#places, path, about);
    }
    return about;
  }

  #indexProgram(program: string): ProgramIndex {
    const entries = this.#programEntries.get(program);
    const open = this.about("run:*").run.filter(({ run }) => run !== undefined && speaksOf(run, program));
    const ready = (list: Entry[]) => byCaller(list.map(entry => this.#ready(entry))).run;
    const byWord = entries?.byWord;
    const worded = (word: string) => {
      const about = byWord?.get(word);
      return about && ready(about);
    };
    const any = new Set([...ready(entries?.any ?? []), ...open]);
    return new ProgramIndex(program, [...any], byWord && worded);
  }

  /** Lists of `suspect` that an access satisfies. */
  suspectLists(fact: FileFact | FlowFact, world: World): PathLists {
    return this.#suspectPaths.of(fact, world);
  }
  trustedLists(fact: FileFact | FlowFact, world: World): PathLists {
    return this.#trustedPaths.of(fact, world);
  }

  /** Descriptions of file accesses. */
  get files(): FileIndexes {
    this.#files ??= indexFiles(byCaller(this.#fileEntries.map(entry => this.#ready(entry))), ({ rule }) =>
      levelOf(this.rules[rule]!.rule.decision),
    );
    return this.#files;
  }

  #ready(entry: Entry): Description {
    entry.made ??= describe(entry.match, this.restricting, entry.rule, isEager(this.rules[entry.rule]!));
    return entry.made;
  }
}

/** By description, where no set has a say: rulebooks of many organisations hold the same packs. */
const setless = new WeakMap<Match, readonly string[]>();

/** The names a description stands under in the index. */
export function indexNames(match: Match, sets: Map<string, string[]>): readonly string[] {
  let names = setless.get(match);
  if (names === undefined) {
    names = namesOf(match, sets);
    if (![...many(match.run), ...many(match.env)].some(pattern => pattern.includes("$"))) setless.set(match, names);
  }
  return names;
}

function namesOf(match: Match, sets: Map<string, string[]>): string[] {
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

function keep<T>(known: Map<string, T>, name: string, value: T): void {
  if (known.size >= namesMax) known.clear();
  known.set(name, value);
}

function put(lists: Map<string, Entry[]>, name: string, entry: Entry): void {
  const same = lists.get(name);
  if (same === undefined) lists.set(name, [entry]);
  else if (same.at(-1) !== entry) same.push(entry);
}

const isEager = ({ rule }: CompiledRule): boolean => rule.unsure !== undefined && rule.unsure !== "IGNORE";
