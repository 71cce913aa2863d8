import { expect, test } from "bun:test";
import { generateKeyPairSync, sign, verify } from "node:crypto";
import { bundleFromJSON } from "@sigstore/bundle";
import { toSignedEntity, Verifier } from "@sigstore/verify";
import fc from "fast-check";
import { canonicalJson } from "../canonical-json.ts";
import type { ControlCoverage } from "../compliance/coverage.ts";
import type { Framework } from "../compliance/framework.ts";
import { attest, statementPayloadType, verifyEnvelope } from "./attestation.ts";
import { type Envelope, openEnvelope, preAuthEncoding, sealEnvelope } from "./dsse.ts";

const pair = generateKeyPairSync("ed25519");
const signer = {
  keyid: "gatehouse/org_1+abc",
  sign: (m: Uint8Array) => new Uint8Array(sign(null, m, pair.privateKey)),
};
const key = { keyid: "k", verify: (m: Uint8Array, s: Uint8Array) => verify(null, m, pair.publicKey, s) };
const strangerKey = generateKeyPairSync("ed25519").publicKey;
const stranger = { keyid: "k", verify: (m: Uint8Array, s: Uint8Array) => verify(null, m, strangerKey, s) };

const framework: Framework = {
  framework: "soc2",
  title: "SOC 2",
  version: "2017",
  licence: "l",
  source: "https://x.test",
  title_owned: true,
  controls: [{ id: "CC7.2", title: "Watched", checked: true, evidence: ["chain-verified"] }],
};
const control: ControlCoverage = {
  control: "CC7.2",
  title: "Watched",
  status: "covered",
  evidence: [
    {
      kind: "chain-verified",
      status: "met",
      statement: "All 9 hashes of the chain verify.",
      figures: { valid: true, entries: 9 },
      log: { from: 0, to: 9 },
    },
  ],
  rules: [{ rule: "GH-LOG-001", status: "pass", scans: ["scn_1"] }],
};
const log = { origin: "gatehouse/org_1", size: 9, root: "ab".repeat(32) };
const attestation = attest(framework, control, log, "2026-01-02T03:04:05.000Z", signer);

test("the pre-authentication encoding is that of the specification", () => {
  const text = (type: string, payload: string) =>
    new TextDecoder().decode(preAuthEncoding(type, new TextEncoder().encode(payload)));
  expect(text("http://example.com/HelloWorld", "hello world")).toBe(
    "DSSEv1 29 http://example.com/HelloWorld 11 hello world",
  );
  expect(text("ü", "é")).toBe("DSSEv1 2 ü 2 é");
  expect(text("", "")).toBe("DSSEv1 0  0 ");
});

test("the statement names figures, log positions and scans, and is bound to the log's root", () => {
  const { statement } = attestation;
  expect(statement.subject).toEqual([{ name: "gatehouse/org_1@9", digest: { sha256: log.root } }]);
  expect(statement.predicate.evidence[0]!.log).toEqual({ from: 0, to: 9 });
  expect(statement.predicate.rules[0]!.scans).toEqual(["scn_1"]);
  expect(attestation).toMatchObject({ framework: "soc2", control: "CC7.2", status: "covered" });
});

test("the envelope opens with the right key only, and to the same statement", async () => {
  expect(await verifyEnvelope(attestation.envelope, [key])).toEqual(attestation.statement);
  expect(await verifyEnvelope(attestation.envelope, [stranger, key])).toEqual(attestation.statement);
  expect(await verifyEnvelope(attestation.envelope, [stranger])).toBeNull();
  expect(await verifyEnvelope(attestation.envelope, [])).toBeNull();
});

test("any change of payload, type or signature is noticed", async () => {
  const payload = Uint8Array.fromBase64(attestation.envelope.payload);
  const altered = new TextDecoder().decode(payload).replace('"covered"', '"failing"');
  const broken: Envelope[] = [
    { ...attestation.envelope, payload: new TextEncoder().encode(altered).toBase64() },
    { ...attestation.envelope, payloadType: "application/json" },
    { ...attestation.envelope, payload: "%%%" },
    { ...attestation.envelope, signatures: [] },
    { ...attestation.envelope, signatures: [{ keyid: "", sig: "AAAA" }] },
    { ...attestation.envelope, signatures: [{ keyid: "", sig: "!" }] },
  ];
  for (const envelope of broken) expect(await verifyEnvelope(envelope, [key])).toBeNull();
});

test("a signed payload of another kind is no attestation", async () => {
  for (const text of ["{}", "not json", '{"_type":"https://in-toto.io/Statement/v1","predicateType":"x"}']) {
    const envelope = sealEnvelope(statementPayloadType, new TextEncoder().encode(text), signer);
    expect(await openEnvelope(envelope, statementPayloadType, [key])).not.toBeNull();
    expect(await verifyEnvelope(envelope, [key])).toBeNull();
  }
});

test("Sigstore's verifier accepts the envelope, and refuses it once changed", () => {
  const bundle = (envelope: Envelope) =>
    bundleFromJSON({
      mediaType: "application/vnd.dev.sigstore.bundle.v0.3+json",
      verificationMaterial: { publicKey: { hint: "k" }, tlogEntries: [] },
      dsseEnvelope: envelope,
    });
  const verifier = new Verifier(
    {
      certificateAuthorities: [],
      timestampAuthorities: [],
      tlogs: [],
      ctlogs: [],
      publicKey: () => ({ publicKey: pair.publicKey, validFor: () => true }),
    },
    { ctlogThreshold: 0, tlogThreshold: 0, timestampThreshold: 0 },
  );
  const accepts = (envelope: Envelope) => {
    try {
      verifier.verify(toSignedEntity(bundle(envelope)));
      return true;
    } catch {
      return false;
    }
  };
  expect(accepts(attestation.envelope)).toBe(true);
  expect(accepts({ ...attestation.envelope, payload: btoa("{}") })).toBe(false);
});

test("canonical JSON sorts members, keeps arrays and says the same value one way", () => {
  expect(canonicalJson({ b: [2, { d: 1, c: null }], a: "é\n", z: undefined })).toBe(
    '{"a":"é\\n","b":[2,{"c":null,"d":1}]}',
  );
  expect(canonicalJson([1e21, 1e-7, -0, 0.1])).toBe("[1e+21,1e-7,0,0.1]");
  for (const bad of [Number.NaN, Infinity, () => 1, 1n]) expect(() => canonicalJson({ bad })).toThrow(TypeError);
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(JSON.parse(text))).toBe(text);
    }),
  );
});
