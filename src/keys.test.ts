import { expect, test } from "bun:test";
import { createPublicKey, randomBytes, verify } from "node:crypto";
import { type Key, orgRedactionKey, orgSigner, packSigner, vault } from "./keys.ts";

const since = Date.UTC(2026, 0, 2);
const key = (): Key => ({ bytes: new Uint8Array(randomBytes(32)), created_at: since });

test("each organisation signs with its own key, always the same, and anyone can verify", () => {
  const [log, packs, redaction] = [key(), key(), key()];
  const [a, b] = [orgSigner(log, "org_a"), orgSigner(log, "org_b")];
  expect(orgSigner(structuredClone(log), "org_a").publicKey).toEqual(a.publicKey);
  expect(a.publicKey).not.toEqual(b.publicKey);
  expect(a.publicKey).toHaveLength(32);
  expect(a.since).toBe(since);
  const message = randomBytes(100);
  const read = (raw: Uint8Array) =>
    createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(raw).toString("base64url") }, format: "jwk" });
  expect(verify(null, message, read(a.publicKey), a.sign(message))).toBe(true);
  expect(verify(null, message, read(b.publicKey), a.sign(message))).toBe(false);
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
  const own = key();
  const random = (bytes: number) => new Uint8Array(randomBytes(bytes));
  const safe = vault(own, random);
  const sealed = safe.seal(new Uint8Array([1, 2, 3]), "totp/usr_1");
  expect(safe.open(sealed, "totp/usr_1")).toEqual(new Uint8Array([1, 2, 3]));
  expect(safe.open(sealed, "totp/usr_2")).toBeUndefined();
  expect(vault(key(), random).open(sealed, "totp/usr_1")).toBeUndefined();
  for (let at = 0; at < sealed.length; at++) {
    const changed = sealed.slice();
    changed[at]! ^= 1;
    expect(safe.open(changed, "totp/usr_1")).toBeUndefined();
  }
  expect(safe.open(sealed.slice(0, 20), "totp/usr_1")).toBeUndefined();
});
