import { afterEach, beforeEach, expect, test } from "bun:test";
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type KeyError, openKeys } from "./key-files.ts";
import { type KeyName, keyNames } from "./keys.ts";

let base: string;
let folder: string;
const now = () => Date.UTC(2026, 0, 2);
const open = (fresh = true) => openKeys(folder, { fresh, now });
const file = (name: KeyName) => join(folder, `${name}.key`);
const fault = (fresh = true) => {
  try {
    open(fresh);
  } catch (error) {
    return (error as KeyError).message;
  }
  throw new Error("the keys were accepted");
};

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "keys-"));
  folder = join(base, "deep", "keys");
});
afterEach(() => rmSync(base, { recursive: true }));

test("the first start makes the keys for their owner alone, the next reads the same", () => {
  const first = open();
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(readdirSync(folder).sort()).toEqual(keyNames.map(name => `${name}.key`).sort());
  for (const name of keyNames) expect(statSync(file(name)).mode & 0o777).toBe(0o600);
  expect(open(false)).toEqual(first);
  expect(new Set(keyNames.map(name => Buffer.from(first[name].bytes).toString("hex"))).size).toBe(keyNames.length);
});

test("what others can read is refused, folder or file", () => {
  open();
  chmodSync(file("log"), 0o640);
  expect(fault()).toContain("chmod 600");
  chmodSync(file("log"), 0o600);
  chmodSync(folder, 0o755);
  expect(fault()).toContain("chmod 700");
});

test("a damaged, exchanged or linked file is refused", () => {
  open();
  const log = readFileSync(file("log"), "utf8");
  const flipped = log.replace(/"key":"(.)/, (_, letter) => `"key":"${letter === "A" ? "B" : "A"}`);
  for (const text of ["", "{}", "null", log.slice(0, 40), flipped, readFileSync(file("vault"), "utf8")]) {
    writeFileSync(file("log"), text);
    expect(fault()).toContain("log.key is damaged");
  }
  rmSync(file("log"));
  symlinkSync(file("vault"), file("log"));
  expect(fault()).toContain("ordinary file");
});

test("a key that guards something is never replaced; the session key may be, to sign everybody out", () => {
  const first = open();
  rmSync(file("session"));
  expect(open(false).session.bytes).not.toEqual(first.session.bytes);
  for (const name of keyNames.filter(one => one !== "session")) {
    const text = readFileSync(file(name));
    rmSync(file(name));
    expect(fault(false)).toContain(`${name}.key is missing`);
    writeFileSync(file(name), text, { mode: 0o600 });
  }
});
