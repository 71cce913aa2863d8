import { limits } from "../limits.ts";
import { hole } from "../../facts.ts";
import type { Function as FunctionNode } from "unbash";
import type { World } from "../../verdict.ts";
import { SECRET } from "../taint.ts";
import { EMPTY, type Field, literal, unknown, type Val } from "../value.ts";
import { Names } from "./names.ts";
import type { Target } from "./redirect.ts";

export interface Variable {
  val: Val;
  /** Elements of an indexed or associative array, by key. */
  items?: Map<string, Val>;
  /** `declare -n`: the name of the variable meant. */
  refers?: string;
  /** Further values the variable may hold, left by branches of `if` and `case`. */
  others?: readonly Val[];
}

const secretName =
  /(^|_)(SECRETS?|TOKEN|PASSWORD|PASSWD|PASSPHRASE|APIKEY|API_KEY|PRIVATE_KEY|ACCESS_KEY|CREDENTIALS?|PAT|AUTH)(_|$)/;

/** What a variable of the caller's environment is called when it holds a credential. */
export const isSecretName = (name: string): boolean => secretName.test(name.toUpperCase());

const defaults = new Map(
  Object.entries({
    HOME: "~",
    HISTFILE: "~/.bash_history",
    TMPDIR: "/tmp",
    EDITOR: "vi",
    VISUAL: "vi",
    PAGER: "less",
    RUNNER_TEMP: "/__w/_temp",
    SHELL: "/bin/bash",
    BASH: "/bin/bash",
    IFS: " \t\n",
    PWD: "$repo",
    GITHUB_WORKSPACE: "$repo",
    CI_PROJECT_DIR: "$repo",
    CODEX_HOME: "~/.codex",
    CLAUDE_CONFIG_DIR: "~/.claude",
    UID: "1000",
    EUID: "1000",
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  }),
);

const none: readonly never[] = [];
const bash = literal("bash");

/** A function of which two branches made two: either body may run. */
function both(ours: FunctionNode | undefined, theirs: FunctionNode): FunctionNode {
  if (ours === undefined || ours === theirs) return theirs;
  const commands = [ours, theirs].map(({ pos, end, body }) => ({ type: "Statement", pos, end, command: body }));
  const body = { type: "CompoundList", pos: theirs.pos, end: theirs.end, commands };
  return { ...theirs, body: body as unknown as FunctionNode["body"] };
}

/** Variables, functions, aliases, directory and descriptors of one (sub)shell. Copied on entering a subshell. */
export class State {
  vars: Names<Variable> | undefined;
  functions: Names<FunctionNode> | undefined;
  aliases: Names<string> | undefined;
  /** Descriptors wired to a socket: number → host. Never written to, only replaced. */
  sockets: ReadonlyMap<number, Field> | undefined;
  positional: readonly Val[] = none;
  zero: Val = bash;
  cwd: string | undefined;
  /** Left by `pushd`, the last one first to return to. */
  directories: readonly (string | undefined)[] = none;
  /** `$OLDPWD`, once there was a `cd`. */
  previous: string | undefined;
  /** Where the last `cd` may have led: home, when nothing has set the variable it named; elsewhere on another branch. */
  strayed: string | undefined;
  /** What `$1` … are on another branch. */
  positionals: readonly Val[] | undefined;
  /** `exec > file`: where everything goes that is printed from then on. */
  out: Target | undefined;
  /** Some variable has other values on other branches. */
  forked = false;
  readonly world: World;

  constructor(world: World) {
    this.world = world;
  }

  clone(): State {
    const copy = new State(this.world);
    copy.vars = this.vars?.copy();
    copy.functions = this.functions?.copy();
    copy.aliases = this.aliases?.copy();
    copy.sockets = this.sockets;
    copy.positional = this.positional;
    copy.zero = this.zero;
    copy.cwd = this.cwd;
    copy.directories = this.directories;
    copy.previous = this.previous;
    copy.strayed = this.strayed;
    copy.positionals = this.positionals;
    copy.out = this.out;
    copy.forked = this.forked;
    return copy;
  }

  /** The state after either of two branches: variables they disagree on hold the first value and the other as well. */
  joined(other: State): State {
    if (other.vars && !this.vars?.same(other.vars)) {
      this.vars ??= new Names();
      for (const [name, theirs] of other.vars.entries()) {
        const ours = this.vars.get(name);
        if (!ours) this.vars.set(name, theirs);
        else if (ours !== theirs && (ours.val.text !== theirs.val.text || !ours.val.known)) {
          this.vars.set(name, { ...ours, others: [...(ours.others ?? []), theirs.val].slice(0, limits.branches + 1) });
          this.forked = true;
        }
      }
    }
    if (other.functions && !this.functions?.same(other.functions)) {
      this.functions ??= new Names();
      for (const [name, theirs] of other.functions.entries())
        this.functions.set(name, both(this.functions.get(name), theirs));
    }
    if (this.positional !== other.positional) {
      this.positionals = other.positional;
      this.forked = true;
    }
    if (this.cwd !== other.cwd) {
      this.strayed = [this.cwd, other.cwd].find(place => place === "/" || place === "~") ?? this.strayed;
      this.cwd = hole;
    }
    return this;
  }

  /** Another value the variable may hold: whether what set it runs cannot be told. */
  otherwise(name: string, other: Variable | undefined): void {
    const ours = this.vars?.get(name);
    if (!ours || !other || ours.val.text === other.val.text) return;
    this.vars!.set(name, { ...ours, others: [...(other.others ?? []), other.val].slice(0, limits.branches + 1) });
    this.forked = true;
  }

  /** The name at the end of a chain of `declare -n`; bash itself refuses a circle and very long ones. */
  private meant(name: string): string {
    for (let hops = 0; hops < 1000; hops++) {
      const refers = this.vars?.get(name)?.refers;
      if (refers === undefined) break;
      name = refers;
    }
    return name;
  }

  variable(name: string): Variable | undefined {
    return this.vars?.get(this.meant(name));
  }

  /** The value of `$name`, or undefined when neither the script nor the caller says anything about it. */
  get(name: string): Val | undefined {
    const found = this.variable(name);
    if (found) return found.items ? (found.items.get("0") ?? EMPTY) : found.val;
    if (name === "PWD" && this.cwd !== undefined) return literal(this.cwd);
    if (name === "OLDPWD" && this.previous !== undefined) return literal(this.previous);
    const sent = this.world.env?.[name];
    if (sent !== undefined && name !== "HOME") {
      return isSecretName(name) ? { text: sent, known: true, taint: SECRET, origin: undefined } : literal(sent);
    }
    const standard = defaults.get(name);
    if (standard !== undefined) return literal(standard);
    return isSecretName(name) && name.length > 3 ? unknown(SECRET) : undefined;
  }

  set(name: string, val: Val): void {
    this.vars ??= new Names();
    this.vars.set(this.meant(name), { val });
  }

  append(name: string, val: Val, join: (a: Val, b: Val) => Val): void {
    this.set(name, join(this.get(name) ?? EMPTY, val));
  }

  setItems(name: string, items: Map<string, Val>): void {
    this.vars ??= new Names();
    this.vars.set(name, { val: items.get("0") ?? EMPTY, items: inOrder(items) });
  }

  setItem(name: string, key: string, val: Val): void {
    const items = new Map(this.variable(name)?.items ?? [["0", this.get(name) ?? EMPTY]]);
    items.set(key, val);
    this.setItems(name, items);
    if (name === "BASH_ALIASES" || name === "BASH_CMDS") (this.aliases ??= new Names()).set(key, val.text);
  }

  refer(name: string, target: string): void {
    this.vars ??= new Names();
    this.vars.set(name, { val: EMPTY, refers: target });
  }

  unset(name: string): void {
    this.vars ??= new Names();
    this.vars.set(name, { val: EMPTY });
  }

  names(prefix: string): string[] {
    return this.vars ? [...this.vars.keys()].filter(name => name.startsWith(prefix)).sort() : [];
  }
}

/** Items of an array come in the order of their numbers, however they were set; those of a table as they were. */
function inOrder(items: Map<string, Val>): Map<string, Val> {
  let last = -1;
  for (const key of items.keys()) {
    const n = Number(key);
    if (Number.isNaN(n)) return items;
    if (n < last) return new Map([...items].sort(([a], [b]) => Number(a) - Number(b)));
    last = n;
  }
  return items;
}
