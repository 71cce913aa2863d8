/** The forms in which a path can be written: `/home/ann/x` is also `~/x`, and `$repo/x` where that is the repository. */
import { hole, type FileFact, type FlowFact } from "../facts.ts";
import type { World } from "../verdict.ts";
import { PathLists, type PathTree } from "./path.ts";
import { holed } from "./unresolved.ts";

const homes = /^(?:\/root|\/var\/root|\/(?:home|[Uu]sers)\/[^/]+|[A-Za-z]:\/[Uu]sers\/[^/]+)(?=\/|$)/;
const aboveHomes = new Set(["/", "/home", "/users", "/root", "c:", "c:/", "c:/users", "/*", "/home/*", "/users/*"]);

/** The directory that stands for the repository: its root if the caller sent a path, else where the call runs. */
export function repoRoot(world: World): string | undefined {
  const root = world.repo?.startsWith("/") ? world.repo : world.cwd;
  return root === undefined || root === "" ? undefined : trimmed(root);
}

/** Forms under which a restricting rule looks: every conventional home counts as a home. */
function suspectForms(path: string, world: World): string[] {
  const text = path.includes("\\") ? path.replaceAll("\\", "/") : path;
  if (text.startsWith(hole)) return leadingHole(text.slice(hole.length));
  const forms = callersForms(text, world);
  const absolute = forms.at(-1)!;
  if (homes.test(absolute)) add(forms, absolute.replace(homes, "~"));
  // `~/$x` is the home directory itself when the variable is empty.
  if (text.includes(hole)) add(forms, collapsed(text.replaceAll(hole, "")));
  return forms;
}

/** Forms that earn trust: only what the caller said about itself counts. The last one is the absolute path. */
function callersForms(text: string, world: World): string[] {
  const forms = [text];
  const home = world.home === undefined ? undefined : trimmed(world.home);
  const root = repoRoot(world);
  const absolute =
    root !== undefined && (text === "$repo" || text.startsWith("$repo/"))
      ? root + text.slice(5)
      : home !== undefined && (text === "~" || text.startsWith("~/"))
        ? home + text.slice(1)
        : text;
  const inHome = home === undefined ? undefined : under(absolute, home);
  if (inHome !== undefined) add(forms, `~${inHome}`);
  const inRepo = root === undefined || root === "/" ? undefined : under(absolute, root);
  if (inRepo !== undefined) add(forms, `$repo${inRepo}`);
  if (absolute !== text || forms.length > 1) {
    if (!forms.includes(absolute)) forms.push(absolute);
    else forms.push(forms.splice(forms.indexOf(absolute), 1)[0]!);
  }
  return forms;
}

function add(forms: string[], form: string): void {
  if (!forms.includes(form)) forms.push(form);
}

/** `$X/.bashrc` may be in a home or in the repository; `$X/*` is `/*` when the variable is empty. */
function leadingHole(rest: string): string[] {
  if (rest === "/" || rest === "/*") return ["/*"];
  return rest.startsWith("/") ? [`~${rest}`, `$repo${rest}`] : [];
}

/** Places that lie below a path: deleting `/home` deletes every home. */
function placesBelow(path: string, world: World): string[] {
  const places: string[] = [];
  const lower = path.toLowerCase();
  const home = world.home;
  if (aboveHomes.has(lower) || (home !== undefined && under(home, path) !== undefined && path !== home))
    places.push("~");
  const root = repoRoot(world);
  if (root === undefined ? lower === "/" || lower === "/*" : under(root, path) !== undefined && root !== path)
    places.push("$repo");
  return places;
}

/** What follows `directory` in `path`: "" for the directory itself, undefined where it is not inside. */
function under(path: string, directory: string): string | undefined {
  if (!path.startsWith(directory)) return undefined;
  if (path.length === directory.length) return "";
  if (directory.endsWith("/")) return path.slice(directory.length - 1);
  return path[directory.length] === "/" ? path.slice(directory.length) : undefined;
}

const trimmed = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path);

function collapsed(path: string): string {
  const plain = path.replaceAll(/\/{2,}/g, "/");
  return plain.length > 1 && plain.endsWith("/") ? plain.slice(0, -1) : plain;
}

/** Reading a tree is not reading each secret in it, nor is copying into a directory changing all that is there. */
export const reachesBelow = (fact: FileFact | FlowFact): boolean =>
  fact.kind === "file" && fact.recursive && (fact.does === "delete" || fact.does === "permissions");

/** Lists of `tree` the accessed path satisfies, so that a restricting rule shows. */
export function suspectLists(tree: PathTree, fact: FileFact | FlowFact, world: World): PathLists {
  const lists = new PathLists();
  if (fact.path === undefined) return lists;
  const text = holed(fact.path);
  const globbed = /[*?[]/.test(text);
  const below = reachesBelow(fact);
  for (const form of suspectForms(text, world)) {
    tree.walk(form, { below, wholly: false, globbed }, lists);
    if (!below) continue;
    for (const place of placesBelow(form, world)) {
      const inside = new PathLists();
      tree.walk(place, { below, wholly: false, globbed: false }, inside);
      for (const list of inside.own) lists.addBelow(list);
      for (const list of inside.below) lists.addBelow(list);
    }
  }
  return lists;
}

/** Lists that hold the access entirely. A recursive access needs a pattern that covers all below it. */
export function trustedLists(tree: PathTree, fact: FileFact | FlowFact, world: World): PathLists {
  const lists = new PathLists();
  if (fact.path === undefined || !fact.path.known) return lists;
  const wholly = fact.kind === "file" && fact.recursive;
  for (const form of callersForms(fact.path.text, world)) {
    // Above a repository that nobody has told the place of: no `$repo/**` holds that.
    if (form !== "$repo/.." && !form.startsWith("$repo/../"))
      tree.walk(form, { below: false, wholly, globbed: false }, lists);
  }
  return lists;
}
