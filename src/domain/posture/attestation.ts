import { canonicalJson } from "../canonical-json.ts";
import type { ControlCoverage, CoverageStatus, RuleCoverage } from "../compliance/coverage.ts";
import type { Evidence } from "../compliance/evidence.ts";
import type { Framework } from "../compliance/framework.ts";
import { type Envelope, type EnvelopeKey, type EnvelopeSigner, openEnvelope, sealEnvelope } from "./dsse.ts";

/** https://github.com/in-toto/attestation/blob/main/spec/v1/statement.md */
export const statementType = "https://in-toto.io/Statement/v1";
export const statementPayloadType = "application/vnd.in-toto+json";
/** A URN, for a resolvable address would claim a site that is not ours. */
export const predicateType = "urn:gatehouse:predicate:control-evidence:v1";

/** The log that the figures were taken from: its origin, the tree's size and its RFC 6962 root in hex. */
export interface AttestedLog {
  origin: string;
  size: number;
  root: string;
}

export interface Statement {
  _type: typeof statementType;
  subject: { name: string; digest: { sha256: string } }[];
  predicateType: typeof predicateType;
  predicate: ControlPredicate;
}

export interface ControlPredicate {
  framework: { id: string; title: string; version: string };
  control: { id: string; title: string };
  status: CoverageStatus;
  /** RFC 3339. */
  evaluated_at: string;
  /** Log positions `[from, to)` the figures were computed from. */
  log: { origin: string; from: number; to: number };
  evidence: Evidence[];
  rules: RuleCoverage[];
  disclaimer: string;
}

export interface Attestation {
  framework: string;
  control: string;
  status: CoverageStatus;
  statement: Statement;
  envelope: Envelope;
}

const disclaimer =
  "States what was observed. It is supporting evidence for an assessment and no statement of compliance.";

/** What one control rests on, bound to the log's Merkle root and signed. */
export function attest(
  framework: Framework,
  control: ControlCoverage,
  log: AttestedLog,
  evaluated_at: string,
  signer: EnvelopeSigner,
): Attestation {
  const statement: Statement = {
    _type: statementType,
    subject: [{ name: `${log.origin}@${log.size}`, digest: { sha256: log.root } }],
    predicateType,
    predicate: {
      framework: { id: framework.framework, title: framework.title, version: framework.version },
      control: { id: control.control, title: control.title },
      status: control.status,
      evaluated_at,
      log: { origin: log.origin, from: 0, to: log.size },
      evidence: control.evidence,
      rules: control.rules,
      disclaimer,
    },
  };
  const payload = new TextEncoder().encode(canonicalJson(statement));
  const envelope = sealEnvelope(statementPayloadType, payload, signer);
  return { framework: framework.framework, control: control.control, status: control.status, statement, envelope };
}

/** The signed statement when one of the keys vouches for it and it is of our kind, else null. Never throws. */
export async function verifyEnvelope(envelope: Envelope, keys: readonly EnvelopeKey[]): Promise<Statement | null> {
  const payload = await openEnvelope(envelope, statementPayloadType, keys);
  if (!payload) return null;
  try {
    const statement = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload)) as Partial<Statement>;
    const known = statement._type === statementType && statement.predicateType === predicateType;
    return known ? (statement as Statement) : null;
  } catch {
    return null;
  }
}
