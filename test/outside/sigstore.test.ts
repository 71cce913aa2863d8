import { expect, test } from "bun:test";
import { createPublicKey } from "node:crypto";
import type { TransparencyLogEntry } from "@sigstore/bundle";
import { verifyTLogInclusion } from "@sigstore/verify/dist/tlog/index.js";
import { formatVkey } from "../../src/domain/audit/note.ts";
import { sha256 } from "../../src/store/crypto.ts";
import type { Log } from "../../src/store/log.ts";
import { fill, openMemory, origin, signer } from "../store/fixture.ts";

const store = openMemory();
fill(store, 1_300);

const authority = {
  logID: Buffer.from(formatVkey(sha256, { name: origin, publicKey: signer.publicKey }).split("+")[1]!, "hex"),
  publicKey: createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: signer.publicKey.toBase64({ alphabet: "base64url", omitPadding: true }) },
    format: "jwk",
  }),
  baseURL: `https://${origin}`,
  validFor: { start: new Date(0), end: new Date(8.64e15) },
};

/** Our proof in the form of a Rekor entry. */
function rekorEntry(log: Log, seq: number) {
  const proof = log.proof(seq);
  return {
    canonicalizedBody: Buffer.from(log.leaf(seq)!.leaf),
    inclusionProof: {
      logIndex: String(seq),
      treeSize: String(proof.size),
      rootHash: Buffer.from(log.root(proof.size), "hex"),
      hashes: proof.hashes.map(hash => Buffer.from(hash, "base64")),
      checkpoint: { envelope: proof.checkpoint! },
    },
  };
}

type Rekor = ReturnType<typeof rekorEntry>;
const accept = (entry: Rekor) => verifyTLogInclusion(entry as unknown as TransparencyLogEntry, [authority]);

test("sigstore's verifier accepts checkpoint signature and inclusion of any entry", () => {
  for (const seq of [0, 1, 511, 777, 1_023, 1_024, 1_299])
    expect(() => accept(rekorEntry(store.log, seq))).not.toThrow();
});

const changes: [what: string, change: (entry: Rekor) => void][] = [
  ["leaf", ({ canonicalizedBody }) => void (canonicalizedBody[20]! ^= 1)],
  ["proof", ({ inclusionProof }) => void (inclusionProof.hashes[3]![5]! ^= 1)],
  ["position", ({ inclusionProof }) => void (inclusionProof.logIndex = "778")],
  [
    "signed size",
    ({ inclusionProof: { checkpoint } }) => void (checkpoint.envelope = checkpoint.envelope.replace("1300", "1301")),
  ],
  [
    "signature",
    ({ inclusionProof: { checkpoint } }) =>
      void (checkpoint.envelope = checkpoint.envelope.replace(/.{9}=*\n$/, "AAAAAAAAA\n")),
  ],
];

test.each(changes)("and rejects it after one change: %s", (_, change) => {
  const entry = rekorEntry(store.log, 777);
  change(entry);
  expect(() => accept(entry)).toThrow();
});
