import { createHash, createPublicKey, verify } from "node:crypto";
import { policyMessage } from "../domain/policy/signed.ts";
import type { Sha256 } from "../domain/audit/merkle.ts";
import { parseVkey } from "../domain/audit/note.ts";
import type { AgentConfig, Client, PackDocument, PolicyDocument } from "./api.ts";
import { type Home, readJson, writeJson } from "./home.ts";

/** The organisation's policy as last fetched. `yaml` is the author's text; its hash is what was signed. */
export interface CachedPolicy {
  fetched_ms: number;
  /** As heartbeats name the policy in force: another one means there is a newer policy. */
  etag: string;
  config: Pick<AgentConfig, "on_unreachable" | "policy_max_age_s" | "heartbeat_interval_s" | "events">;
  document: PolicyDocument;
  yaml: string;
  packs: PackDocument[];
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Fetches policy, text and entitled packs; keeps the old cache unless all of it fits together. */
export async function refreshPolicy(
  home: Home,
  client: Client,
  keys: readonly string[],
  now_ms: number,
): Promise<CachedPolicy> {
  const [config, document, yaml] = await Promise.all([client.config(), client.policy(), client.policyYaml()]);
  const known = readJson<CachedPolicy>(home.policy)?.packs ?? [];
  const packs = await Promise.all(config.packs.map(({ name, sha256: sum }) => wantedPack(client, name, sum, known)));
  const { on_unreachable, policy_max_age_s, heartbeat_interval_s, events } = config;
  const { version, hash, enforcement_mode, signature } = document;
  const cached: CachedPolicy = {
    fetched_ms: now_ms,
    etag: config.policy.etag,
    config: { on_unreachable, policy_max_age_s, heartbeat_interval_s, events },
    document: { version, hash, enforcement_mode, signature },
    yaml,
    packs: packs.filter(pack => pack !== undefined),
  };
  const why = unfit(cached, keys);
  if (why) throw new Error(`The policy was not taken over: ${why}.`);
  writeJson(home.policy, cached);
  return cached;
}

/** The server has said that this policy is still the one in force. */
export const confirmPolicy = (home: Home, cached: CachedPolicy, now_ms: number): void =>
  writeJson(home.policy, { ...cached, fetched_ms: now_ms });

/** Packs are content-addressed: a known sum needs no fetch, one the plan does not include is left out. */
async function wantedPack(
  client: Client,
  name: string,
  sum: string,
  known: PackDocument[],
): Promise<PackDocument | undefined> {
  const had = known.find(pack => pack.name === name && pack.sha256 === sum);
  if (had) return had;
  const { version, signature, content } = await client
    .pack(name)
    .catch(() => ({ version: "", signature: "", content: "" }));
  return sha256(content) === sum ? { name, version, sha256: sum, signature, content } : undefined;
}

/** The cached policy, or nothing when there is none or it was changed on this machine. */
export function cachedPolicy(home: Home, keys: readonly string[]): CachedPolicy | undefined {
  const cached = readJson<CachedPolicy>(home.policy);
  return cached && unfit(cached, keys) === undefined ? cached : undefined;
}

/** Why a policy may not be used: text, hash, mode and signature have to belong together, packs to their sums. */
export function unfit(cached: CachedPolicy, keys: readonly string[]): string | undefined {
  const { document, yaml, packs } = cached;
  if (typeof yaml !== "string" || !document || !Array.isArray(packs)) return "it is damaged";
  if (sha256(yaml) !== document.hash) return "its text does not fit its hash";
  const message = utf8.encode(policyMessage(document.version, document.hash, document.enforcement_mode));
  const signature = Buffer.from(String(document.signature), "base64");
  if (!signedByOne(keys, name => name !== packKeyName, message, signature))
    return "none of the organisation's keys signed it";
  return packs.some(pack => sha256(pack.content) !== pack.sha256) ? "a pack does not fit its hash" : undefined;
}

const utf8 = new TextEncoder();
const digest: Sha256 = (bytes, into = new Uint8Array(32)) => {
  into.set(createHash("sha256").update(bytes).digest());
  return into;
};

/** Keys are C2SP verifier keys; the one that signs packs must not sign policies, nor the other way round. */
function signedByOne(
  keys: readonly string[],
  fits: (name: string) => boolean,
  message: Uint8Array,
  signature: Uint8Array,
): boolean {
  return keys.some(vkey => {
    const key = parseVkey(digest, vkey);
    if (!key || !fits(key.name) || signature.length !== 64) return false;
    // RFC 8410: the DER before a raw Ed25519 public key is a constant.
    const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), key.publicKey]);
    return verify(null, message, createPublicKey({ key: spki, format: "der", type: "spki" }), signature);
  });
}

/** Whether one of the keys given at login signed this pack (`signable(pack)`, base64 signature). */
export const isSignedPack = (keys: readonly string[], message: Uint8Array, signature: string): boolean =>
  signedByOne(keys, name => name === packKeyName, message, Buffer.from(String(signature), "base64"));

const packKeyName = "gatehouse/packs";

/** A policy older than the organisation allows: its answer for an unreachable server then counts as well. */
export const isStale = ({ fetched_ms, config }: CachedPolicy, now_ms: number): boolean =>
  now_ms - fetched_ms > config.policy_max_age_s * 1000 || fetched_ms - now_ms > 86_400_000;
