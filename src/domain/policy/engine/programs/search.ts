/** Programs that walk trees and print, delete or hand on what they find: find, fd. */
import { replacedBy } from "../fold/sized.ts";
import { hole, type Subject } from "../../facts.ts";
import { concat, EMPTY, type Field, field, literal, merged, tainted, type Val } from "../value.ts";
import { writtenHere } from "../run/files.ts";
import type { Machine } from "../run/machine.ts";
import { file, wrapped } from "./effects.ts";
import type { Handler, Job } from "./row.ts";
import type { Table } from "./table.ts";

/** Tests that pick some files out of a tree; without one `find` reaches everything below its roots. */
const picks =
  /^-(i?name|i?path|i?wholename|i?regex|newer\w*|[acm](time|min)|size|user|group|empty|perm|inum|links|maxdepth|samefile|executable|nouser|nogroup)$/;

const placed = /^-(i?name|i?path|i?wholename|i?regex|nouser|nogroup|maxdepth|inum|samefile)$/;

/** Below these, most of what there is counts as all. */
const wide = /^(\/|~|\/(home|etc|usr|var))\/?$/;

interface Search {
  roots: readonly Field[];
  narrow: boolean;
  name: string | undefined;
}

const find: Handler = job => {
  const { argv } = job;
  let begin = 1;
  while (/^-([LHP]|O\d|D)$/.test(argv[begin]?.text ?? "")) begin += argv[begin]!.text === "-D" ? 2 : 1;
  let end = begin;
  while (end < argv.length && !/^[-(!]/.test(argv[end]!.text)) end++;
  const roots = end > begin ? argv.slice(begin, end) : [field(literal("."), job.inv.span!)];
  job.inv.args = roots;
  return acted(job, searched(job.m, roots, argv, end), end);
};

/** Does what the actions say, from the word at `from` on; without one that prints otherwise, paths are printed. */
function acted(job: Job, search: Search, from: number): Val {
  const { argv } = job;
  let shown: Val = EMPTY;
  /** Paths are printed, in another form, or not at all. */
  let [paths, otherwise, silent] = [false, false, false];
  for (let i = from; i < argv.length; i++) {
    const flag = argv[i]!.text;
    if (flag === "-delete") deletes(job, search);
    else if (/^-(exec|execdir|ok|okdir)$/.test(flag)) {
      const end = endOf(argv, i);
      shown = concat(shown, each(job, argv.slice(i + 1, end), search, job.m.facts.length));
      i = end;
    } else if (/^-f(print0?|ls|printf)$/.test(flag) && argv[i + 1]) file(job, argv[++i]!, "write");
    else if (/^-print0?$/.test(flag) || (flag === "-printf" && /%[pP]/.test(argv[i + 1]?.text ?? ""))) paths = true;
    else if (/^-(printf|ls|quit)$/.test(flag)) otherwise = true;
    silent ||= /^-(delete|exec|execdir|ok|okdir)$/.test(flag);
  }
  if (shown !== EMPTY) return shown;
  return paths || otherwise || !silent ? listed(search, paths || !otherwise) : EMPTY;
}

/** Age and size say nothing about which part of a whole disk or home is meant. */
function deletes(job: Job, search: Search): void {
  for (const root of search.roots) {
    const all =
      !search.narrow || (/^(\/|~|\/home|\/root)\/?$/.test(root.text) && !job.argv.some(f => placed.test(f.text)));
    file(job, all ? root : found(search, root), "delete", all);
  }
}

function searched(m: Machine, roots: readonly Field[], argv: readonly Field[], from: number): Search {
  const everything = (f: Field): boolean => wide.test(m.place(f.text));
  const search: Search = { roots, narrow: false, name: undefined };
  let either = false;
  for (let k = from; k < argv.length; k++) {
    const { text } = argv[k]!;
    if (text === "-o" || text === "-or") either = true;
    const value = argv[k + 1]?.text;
    if (!picks.test(text) || value === (text.endsWith("regex") ? ".*" : "*")) continue;
    // All but some.
    if (/^(!|-not)$/.test(argv[k - 1]?.text ?? "") && roots.some(everything)) continue;
    // What lies right below the root is all there is.
    if (text === "-maxdepth" && value !== "0" && roots.some(everything)) continue;
    search.narrow = true;
    if (/^-i?name$/.test(text) && value !== undefined) search.name ??= value;
  }
  if (either && !argv.some(f => f.text === "(")) search.narrow = search.name !== undefined;
  return search;
}

/**
 * What a search finds below one root: the root itself when it finds all, a file of the name looked for (`x.java` for
 * `*.java`), or something unknown. As in rsync's `root/./file`, the dot says where the root ends: it is gone from paths,
 * but tells rules about words that nobody wrote this one.
 */
function found(search: Search, root: Field): Field {
  if (!search.narrow) return root;
  const dir = root.text.replace(/\/$/, "");
  const name = search.name?.replace(/^[*?]+(?=.)/, "x").replace(/\*$/, "");
  if (name !== undefined && /[^*?]/.test(search.name!) && !/[*?[]/.test(name))
    return { ...root, text: `${dir}/./${name}` };
  return { ...root, text: `${dir}/./${hole}`, known: false };
}

/** `find . -name '*.sh'`: a file of such a name that this very command wrote or brought. */
function writtenBelow(m: Machine, search: Search, root: Field): Field | undefined {
  if (m.files.size === 0 || search.name === undefined || !/[*?[]/.test(search.name)) return undefined;
  const path = writtenHere(m, `${root.text.replace(/\/$/, "")}/${search.name}`);
  return path === undefined ? undefined : { ...root, text: path };
}

/** The paths it prints, for `xargs` and loops: a stand-in for each root, `root/*` for all that is below. */
function listed(search: Search, prints: boolean): Val {
  const { taint, origin } = merged(search.roots);
  const texts = search.roots.map(root =>
    search.narrow ? found(search, root).text : `${root.text.replace(/\/$/, "")}/*`,
  );
  return tainted(prints ? `${texts.join("\n")}\n` : hole, false, taint, origin);
}

/** Where the words of `-exec cmd {} ;` end. */
function endOf(argv: readonly Field[], at: number): number {
  let end = at + 1;
  while (end < argv.length && argv[end]!.text !== ";" && argv[end]!.text !== "+") end++;
  return end;
}

/** Runs the command once for each root, `{}` being what the search finds there; the result is what all runs print. */
function each(job: Job, inner: readonly Field[], search: Search, facts: number): Val {
  const { m } = job;
  const folders = onlyFolders(job.argv);
  let printed: Val = EMPTY;
  for (const root of search.roots) {
    const place = writtenBelow(m, search, root) ?? found(search, root);
    const words = inner.map(f => {
      if (!f.text.includes("{}")) return f;
      const text = replacedBy(f.text, "{}", place.text);
      m.work(text.length * 4);
      return { ...f, text, known: f.known && place.known };
    });
    printed = concat(
      printed,
      m.subshell(() => wrapped(job, words)),
    );
    // Set-group-id on a folder says whose group new files get; nobody runs a folder.
    if (folders)
      for (const fact of m.facts.slice(facts))
        if (fact.kind === "file" && fact.grants) fact.grants = fact.grants.filter(grant => grant !== "setuid");
    if (search.narrow) continue;
    const path = m.place(root.text);
    for (const fact of m.facts.slice(facts)) {
      if (fact.kind !== "file" || fact.path.text !== path || empties(m.subjects[fact.of])) continue;
      fact.recursive = true;
      // Every file of a disk or a home written over is as good as deleted.
      if (fact.does === "write" && wide.test(path)) m.file(fact.of, "delete", fact.path, true);
    }
  }
  return printed;
}

function onlyFolders(argv: readonly Field[]): boolean {
  const at = argv.findIndex(f => f.text === "-type");
  return at > 0 && argv[at + 1]?.text === "d" && !argv.some(f => /^(!|-not|-or?|,)$/.test(f.text));
}

const empties = (subject: Subject | undefined): boolean => subject?.kind === "run" && subject.program === "rmdir";

/** `fd pattern roots… -x cmd`: the command gets each path as its last word unless it says `{}`. */
const fd: Handler = job => {
  const { argv } = job;
  const at = argv.findIndex(f => /^(-x|-X|--exec|--exec-batch)$/.test(f.text));
  const [pattern, ...roots] = job.operands.filter(f => at < 0 || argv.indexOf(f) < at);
  const all = pattern === undefined || /^[.*]*$/.test(pattern.text);
  const search: Search = {
    roots: roots.length > 0 ? roots : [field(literal("."), job.inv.span!)],
    narrow: !all || job.inv.flags.some(f => /^(-e|--extension)$/.test(f.name)),
    name: undefined,
  };
  if (at < 0) return listed(search, true);
  const inner = argv.slice(at + 1);
  const marked = inner.some(f => f.text.includes("{"));
  return each(job, marked ? inner : [...inner, field(literal("{}"), job.inv.span!)], search, job.m.facts.length);
};

export const search: Table = {
  "find gfind bfs": { single: true, spawner: true, run: find },
  "fd fdfind": { valued: "-e -t -d -E --extension --type --max-depth --exclude", spawner: true, run: fd },
};
