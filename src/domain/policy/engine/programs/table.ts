import { archives } from "./archives.ts";
import { type Spec, spec } from "./args.ts";
import { cloud } from "./cloud.ts";
import { containers } from "./containers.ts";
import { coreutils } from "./coreutils.ts";
import { databases } from "./databases.ts";
import { digests } from "./digests.ts";
import { editors } from "./editors.ts";
import { fanning } from "./fanning.ts";
import { fetchers } from "./fetchers.ts";
import { fileServers } from "./file-servers.ts";
import { forges } from "./forges.ts";
import { git } from "./git.ts";
import { interpreters } from "./interpreters.ts";
import { listings } from "./listings.ts";
import { multiplexers } from "./multiplexers.ts";
import { network } from "./network.ts";
import { ciphers } from "./openssl.ts";
import { packages } from "./packages.ts";
import { patch } from "./patch.ts";
import { rewriting } from "./rewriting.ts";
import { type Row, UNLISTED, whole } from "./row.ts";
import { search } from "./search.ts";
import { senders } from "./senders.ts";
import { shells } from "./shells.ts";
import { sockets } from "./sockets.ts";
import { system } from "./system.ts";
import { hasTraits, traitsOf, untold } from "./traits.ts";
import { unusual } from "./unusual.ts";
import { fromPosix } from "./windows.ts";
import { wrappers } from "./wrappers.ts";

/** A table maps space-separated program names to their row. */
export type Table = Record<string, Row>;

export const tables: readonly Table[] = [
  coreutils,
  listings,
  digests,
  archives,
  rewriting,
  search,
  shells,
  fromPosix,
  wrappers,
  fanning,
  multiplexers,
  interpreters,
  network,
  sockets,
  fetchers,
  ciphers,
  senders,
  fileServers,
  forges,
  git,
  packages,
  patch,
  containers,
  cloud,
  databases,
  editors,
  system,
];

const rows = new Map<string, Row>();
for (const table of tables) {
  for (const names in table) {
    const row = table[names]!;
    if (!names.includes(" ")) rows.set(names, row);
    else for (const name of names.split(" ")) rows.set(name, row);
  }
}

const specs = new Map<string, Spec>();
/** What is known about every other program. */
export const unlisted = spec(UNLISTED, untold);
const versioned =
  /^(python|pypy|ipython|perl|ruby|php|node|lua|luajit|tclsh|wish|irb|gcc|g\+\+|clang|clang\+\+|pip|julia|ghc|ghci|guile|emacs|gdb|lldb|octave|terraform|tofu|kubectl|psql|mysql|vim|bash|zsh|ksh)-?\d[\d.]*$/;

/** What is known about a program by its base name. */
export const lookup = (name: string): Spec => listed(name) ?? unlisted;

/** The same; undefined when nothing is. */
export function listed(name: string): Spec | undefined {
  const found = specs.get(name);
  if (found) return found;
  const row = rows.get(name);
  if (!row && !hasTraits(name)) return undefined;
  const made = spec(row ? whole(row) : UNLISTED, traitsOf(name));
  specs.set(name, made);
  return made;
}

/** `python3.12` is `python`, `git.exe` is `git`. */
function plainName(name: string): string {
  const end = name.charCodeAt(name.length - 1);
  if (end === 46 || (end >= 48 && end <= 57)) return versioned.exec(name)?.[1] ?? "";
  return name.endsWith(".exe") ? name.slice(0, -4) : "";
}

export const isListed = (name: string): boolean => rows.has(name);

/** Short names that people give a program in their shell's settings, and agents take over from them. */
const short: Record<string, string> = { k: "kubectl", tf: "terraform", vc: "vercel" };
/** Other names of the same program. */
const same: Record<string, string> = {
  kubecolor: "kubectl",
  "microk8s.kubectl": "kubectl",
  helm3: "helm",
  mcli: "mc",
  opentofu: "tofu",
  "aws-cdk": "cdk",
  "aws-nuke": "aws-nuke",
  "netlify-cli": "netlify",
  ntl: "netlify",
  "cdktf-cli": "cdktf",
  "firebase-tools": "firebase",
  mongocli: "atlas",
  neon: "neonctl",
};
const called = new Map([...Object.entries(short), ...Object.entries(same)]);

/** What a program is called here: `RM` runs `rm` wherever the file system does not tell case apart. */
export function calledHere(name: string): string {
  if (rows.has(name)) return name;
  const plain = plainName(name);
  if (plain !== "" && rows.has(plain)) return plain;
  if (!/[A-Z]/.test(name)) return called.get(name.includes("@") ? name.slice(0, name.indexOf("@")) : name) ?? name;
  const lower = name.toLowerCase();
  return rows.has(lower) ? lower : name;
}

const canSpawn = (row: Row): boolean =>
  row.spawner === true || row.runs !== undefined || row.code !== undefined || row.wraps !== undefined;

let sets: Record<ProgramSet, readonly string[]> | undefined;
type ProgramSet = "spawners" | "repls" | "wrappers" | "interpreters" | "unusual_tools";

/** Sets of program names that follow from the table, for rules: `$spawners`, `$repls`, `$unusual_tools`. */
export function programSets(): Record<ProgramSet, readonly string[]> {
  if (sets) return sets;
  const names = [...rows.keys()];
  const those = (fits: (row: Row) => boolean) => names.filter(name => fits(rows.get(name)!));
  sets = {
    spawners: those(canSpawn),
    repls: those(row => row.repl !== undefined || row.session === true),
    wrappers: those(row => row.wraps !== undefined),
    interpreters: those(row => row.repl !== undefined && row.runs !== undefined),
    unusual_tools: [...unusual],
  };
  return sets;
}
