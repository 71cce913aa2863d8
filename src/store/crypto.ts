import { createCipheriv, createHash, createHmac, createPrivateKey, createPublicKey, sign, verify } from "node:crypto";
import type { VerifySignature } from "../domain/audit/note.ts";
import type { Signer } from "./open.ts";

/** The hashes, signatures and key streams the log needs, the same in both runtimes. */

/** SHA-256; into `into` when given (Bun then allocates nothing). */
export const sha256: (bytes: Uint8Array, into?: Uint8Array) => Uint8Array =
  "Bun" in globalThis
    ? (bytes, into = new Uint8Array(32)) => Bun.SHA256.hash(bytes, into) as Uint8Array
    : (bytes, into = new Uint8Array(32)) => {
        into.set(createHash("sha256").update(bytes).digest());
        return into;
      };

export function hmacSha256(key: Uint8Array, message: string | Uint8Array): Uint8Array {
  return new Uint8Array(createHmac("sha256", key).update(message).digest());
}

/** `length` bytes of the AES-128-CTR key stream of a 16-byte seed, counter from zero. */
export function keyStream(seed: Uint8Array, length: number): Uint8Array {
  return new Uint8Array(createCipheriv("aes-128-ctr", seed, new Uint8Array(16)).update(new Uint8Array(length)));
}

// RFC 8410: the DER around a raw Ed25519 key is a constant.
const privatePrefix = Buffer.from("302e020100300506032b657004220420", "hex");
const publicPrefix = Buffer.from("302a300506032b6570032100", "hex");

/** Ed25519 from its 32-byte seed (RFC 8032). */
export function ed25519Signer(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([privatePrefix, seed]), format: "der", type: "pkcs8" });
  const spki = createPublicKey(key).export({ format: "der", type: "spki" });
  return {
    publicKey: new Uint8Array(spki.subarray(publicPrefix.length)),
    sign: message => new Uint8Array(sign(null, message, key)),
  };
}

export const verifyEd25519: VerifySignature = (publicKey, message, signature) => {
  const key = createPublicKey({ key: Buffer.concat([publicPrefix, publicKey]), format: "der", type: "spki" });
  return verify(null, message, key, signature);
};
