import { afterEach, beforeEach, expect, test } from "bun:test";
import { createPublicKey, randomBytes, verify } from "node:crypto";
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
import {
  type KeyError,
  type KeyName,
  keyNames,
  openKeys,
  orgRedactionKey,
  orgSigner,
  packSigner,
  vault,
} from "./keys.ts";

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

test("each organisation signs with its own key, always the same, and anyone can verify", () => {
  const { log, packs, redaction } = open();
  const [a, b] = [orgSigner(log, "org_a"), orgSigner(log, "org_b")];
  expect(orgSigner(structuredClone(log), "org_a").publicKey).toEqual(a.publicKey);
  expect(a.publicKey).not.toEqual(b.publicKey);
  expect(a.publicKey).toHaveLength(32);
  expect(a.since).toBe(now());
  const message = randomBytes(100);
  const key = (raw: Uint8Array) =>
    createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(raw).toString("base64url") }, format: "jwk" });
  expect(verify(null, message, key(a.publicKey), a.sign(message))).toBe(true);
  expect(verify(null, message, key(b.publicKey), a.sign(message))).toBe(false);
  expect(packSigner(packs).publicKey).not.toEqual(a.publicKey);
  expect(orgRedactionKey(redaction, "org_a")).not.toEqual(orgRedactionKey(redaction, "org_b"));
});

test("the derivation is what the documentation says, so that a backup of the key is enough", () => {
  // HKDF-SHA256, no salt, info gatehouse/<org>/log/1, over 32 bytes of 0x01; worked out by another implementation.
  const log = { bytes: new Uint8Array(32).fill(1), created_at: 0 };
  expect(Buffer.from(orgSigner(log, "org_1").publicKey).toString("hex")).toBe(
    "0fc5732ea59ba5a7ebb3abe51c7a623a12fff5ff47be40404dc4c2f93121cfee",
  );
});

test("the vault opens only what it sealed, for the same purpose, unchanged", () => {
  const keys = open();
  const random = (bytes: number) => new Uint8Array(randomBytes(bytes));
  const safe = vault(keys.vault, random);
  const sealed = safe.seal(new Uint8Array([1, 2, 3]), "totp/usr_1");
  expect(safe.open(sealed, "totp/usr_1")).toEqual(new Uint8Array([1, 2, 3]));
  expect(safe.open(sealed, "totp/usr_2")).toBeUndefined();
  expect(vault(keys.log, random).open(sealed, "totp/usr_1")).toBeUndefined();
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice();
    changed[at]! ^= 1;
    expect(safe.open(changed, "totp/usr_1")).toBeUndefined();
  }
  expect(safe.open(sealed.slice(0, 20), "totp/usr_1")).toBeUndefined();
});
