import { expect, test } from "bun:test";
import { hole } from "../facts.ts";
import type { FileAct, FileFact } from "../facts.ts";
import type { World } from "../verdict.ts";
import { PathTree } from "./path.ts";
import { suspectLists, trustedLists } from "./place.ts";

const access = (path: string, recursive = false, does: FileAct = "delete"): FileFact => ({
  kind: "file",
  of: 0,
  does,
  path: { text: path, known: !path.includes(hole) && !/\$[A-Z]/.test(path) },
  recursive,
});
function suspects(pattern: string, path: string, recursive = false, world: World = {}): boolean {
  const tree = new PathTree(true);
  tree.add([pattern]);
  return suspectLists(tree, access(path, recursive), world).has(0);
}
function trusts(pattern: string, path: string, recursive = false, world: World = {}): boolean {
  const tree = new PathTree(false);
  tree.add([pattern]);
  return trustedLists(tree, access(path, recursive), world).has(0);
}

const plain: [pattern: string, path: string, recursive: boolean, fits: boolean][] = [
  ["/etc/passwd", "/etc/passwd", false, true],
  ["/etc/**", "/etc", false, true],
  ["/etc/**", "/etc/a/b", false, true],
  ["/etc/*", "/etc/a/b", false, false],
  ["/etc/*", "/etc/a", false, true],
  ["**/.env", "$repo/a/b/.env", false, true],
  ["**/.env", "$repo/.env.example", false, false],
  ["**/.env.*", "~/x/.env.local", false, true],
  ["/a/**/z", "/a/z", false, true],
  ["/a/**/z", "/a/b/c/z", false, true],
  ["/", "/", true, true],
  ["/", "/etc", true, false],
  ["$home", "~", true, true],
  ["$home/.ssh/**", "~", true, true],
  ["$home/.ssh/**", "~", false, false],
  ["$home/.ssh/**", "/home/ann/.ssh/id_rsa", false, true],
  ["$home/.ssh/**", "/root/.ssh/x", false, true],
  ["$home/.ssh/**", "/Users/Ann/.SSH/x", false, true],
  ["$home/.ssh/**", "/home", true, true],
  ["$home", "/", true, true],
  ["$repo", "/", true, true],
  ["/usr/**", "/", true, true],
  ["/", "/*", true, true],
  ["$home", "~/*", true, true],
  ["/etc/passwd", "/etc/pass*", false, true],
  ["/etc/passwd", "/???/p[a-c]sswd", false, true],
  ["/etc/passwd", "/etc/shad*", false, false],
  ["$repo/.git/**", "$repo", true, true],
  ["$repo/.git/**", "$repo/*", true, true],
  ["**/.env", "$repo/node_modules", true, false],
  ["$tmp/**", "/var/tmp/x", false, true],
  ["**/*.tfstate", "$repo/*.txt", false, false],
  ["**/*.tfstate", "$repo/prod*.tfstate", false, true],
  ["**/credentials.json", "$repo/*", false, false],
  ["**/credentials.json", "$repo/cred*", false, true],
  ["c:/windows/**", "C:\\Windows\\System32", false, true],
];
for (const [pattern, path, recursive, fits] of plain) {
  test(`${pattern} ${fits ? "sees" : "does not see"} ${path}${recursive ? " with all below" : ""}`, () =>
    expect(suspects(pattern, path, recursive)).toBe(fits));
}

test("copying into a directory is not changing all that is there", () => {
  const tree = new PathTree(true);
  tree.add(["/usr/bin/ls"]);
  expect(suspectLists(tree, access("/usr", true, "write"), {}).has(0)).toBe(false);
  expect(suspectLists(tree, access("/usr", true, "delete"), {}).has(0)).toBe(true);
});

test("reading a tree is not reading each secret in it", () => {
  const tree = new PathTree(true);
  tree.add(["$home/.ssh/**"]);
  expect(suspectLists(tree, access("~", true, "read"), {}).has(0)).toBe(false);
  expect(suspectLists(tree, access("~/.ssh", true, "read"), {}).has(0)).toBe(true);
});

const world = { cwd: "/srv/ledger/app", home: "/data/ann" };
const placed: [pattern: string, path: string, fits: boolean][] = [
  ["/srv/ledger/**", "$repo/x", true],
  ["$repo/migrations/**", "/srv/ledger/app/migrations/1.sql", true],
  ["$home/.bashrc", "/data/ann/.bashrc", true],
  ["/data/ann/.bashrc", "~/.bashrc", true],
  ["$repo/**", "/srv/ledger/other", false],
];
for (const [pattern, path, fits] of placed) {
  test(`where the caller is known, ${pattern} ${fits ? "sees" : "does not see"} ${path}`, () =>
    expect(suspects(pattern, path, false, world)).toBe(fits));
}

test("above a known place lies the place", () => {
  expect(suspects("$repo", "/srv", true, world)).toBe(true);
  expect(suspects("$home", "/data", true, world)).toBe(true);
  expect(suspects("$home", "/data", false, world)).toBe(false);
});

const unresolved: [pattern: string, path: string, recursive: boolean, fits: boolean][] = [
  ["$home/.bashrc", `${hole}/.bashrc`, false, true],
  ["**/.env", `${hole}/.env`, false, true],
  ["/etc/passwd", `${hole}/etc/passwd`, false, false],
  ["/", `${hole}/*`, true, true],
  ["/", `/${hole}`, true, true],
  ["$home", `~/${hole}`, true, true],
  ["/", hole, true, false],
  ["$home/.ssh/**", `~/.ssh/${hole}`, false, true],
  ["$home/.ssh/**", `~/${hole}`, false, false],
  ["/etc/sudoers", `/etc/${hole}`, false, false],
  ["$home/.bashrc", "$DIR/.bashrc", false, true],
  ["$home/.ssh/**", "~/.ssh/$KEY", false, true],
  ["**/.env", "$repo/$SUB/.env", false, true],
];
for (const [pattern, path, recursive, fits] of unresolved) {
  test(`${pattern} ${fits ? "may be" : "is not taken for"} ${path.replaceAll(hole, "?")}`, () =>
    expect(suspects(pattern, path, recursive)).toBe(fits));
}

const trust: [pattern: string, path: string, recursive: boolean, fits: boolean][] = [
  ["$repo/**", "$repo/src/a.ts", false, true],
  ["$repo/**", "$repo", true, true],
  ["$repo", "$repo", true, false],
  ["$repo", "$repo", false, true],
  ["$repo/**", `$repo/${hole}`, false, false],
  ["$repo/**", "/", true, false],
  ["/srv/x", "/srv/X", false, false],
  ["$tmp/**", "/tmp/a", true, true],
  ["$home/**", "/home/bob/x", false, false],
];
for (const [pattern, path, recursive, fits] of trust) {
  test(`trust in ${pattern} ${fits ? "covers" : "does not cover"} ${path.replaceAll(hole, "?")}`, () =>
    expect(trusts(pattern, path, recursive)).toBe(fits));
}

test("trust in a place needs the caller's own word for it", () => {
  expect(trusts("$home/**", "/data/ann/x", false, world)).toBe(true);
  expect(trusts("$repo/**", "/srv/ledger/app/x", true, world)).toBe(true);
  expect(trusts("$repo/**", "/srv/ledger/app2", true, world)).toBe(false);
  expect(trusts("$repo/**", "/etc/passwd", false, { cwd: "/" })).toBe(false);
});

test("what lies above a repository is not in it, wherever that may be", () => {
  expect(trusts("$repo/**", "$repo/../other")).toBe(false);
  expect(trusts("$repo/**", "$repo/..b")).toBe(true);
  expect(suspects("$repo/../**", "$repo/../other", true)).toBe(true);
  expect(suspects("**/.env", "$repo/../.env")).toBe(true);
});
