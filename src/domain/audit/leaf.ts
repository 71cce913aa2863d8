import type { Decision } from "../policy/verdict.ts";

/** `hash` is the hex RFC 6962 leaf hash of the last entry, 64 zeros (and `seq` -1) for an empty log. */
export interface LogHead {
  seq: number;
  hash: string;
}

/** One entry as outsiders see it: what was decided when, and the digest that commits to its body. */
export interface Leaf {
  agent?: string;
  decision?: Decision;
  /** Lowercase hex SHA-256(salt ‖ body). */
  digest: string;
  /** `[a-z0-9._-]+` */
  kind: string;
  /** Hex leaf hash of the entry before; 64 zeros for the first. */
  prev: string;
  seq: number;
  /** Unix ms of receipt, never going back. */
  ts: number;
}

export const noHash = "0".repeat(64);
export const emptyHead: LogHead = { seq: -1, hash: noHash };

/** Kinds and agent ids stand in the leaf as they are: nothing in them may need escaping. */
export const kindPattern = /^[a-z0-9._-]{1,128}$/;
export const agentPattern = /^[A-Za-z0-9._-]{1,128}$/;

/** What comes before the digest and between digest and `prev`: the same for many entries, so writers keep it. */
export function leafParts(kind: string, agent?: string, decision?: Decision): [before: string, between: string] {
  const head = (agent === undefined ? "" : `"agent":"${agent}",`) + (decision ? `"decision":"${decision}",` : "");
  return [`{${head}"digest":"`, `","kind":"${kind}","prev":"`];
}

/** Canonical JSON (RFC 8785) of a leaf. Throws on a name that would need escaping. */
export function encodeLeaf(leaf: Leaf): string {
  if (!kindPattern.test(leaf.kind)) throw new TypeError("a leaf's kind must match [a-z0-9._-]+");
  if (leaf.agent !== undefined && !agentPattern.test(leaf.agent)) throw new TypeError("a leaf's agent is not an id");
  const [before, between] = leafParts(leaf.kind, leaf.agent, leaf.decision);
  return `${before}${leaf.digest}${between}${leaf.prev}","seq":${leaf.seq},"ts":${leaf.ts}}`;
}

const hex64 = /^[0-9a-f]{64}$/;

/** Reads leaf bytes back. Undefined unless they are exactly what `encodeLeaf` writes for their content. */
export function decodeLeaf(text: string): Leaf | undefined {
  let leaf: Leaf;
  try {
    leaf = JSON.parse(text) as Leaf;
    if (!hex64.test(leaf.digest) || !hex64.test(leaf.prev)) return undefined;
    if (!Number.isSafeInteger(leaf.seq) || leaf.seq < 0 || !Number.isSafeInteger(leaf.ts)) return undefined;
    return encodeLeaf(leaf) === text ? leaf : undefined;
  } catch {
    return undefined;
  }
}
