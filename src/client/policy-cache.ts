import { createHash, createPublicKey, verify } from "node:crypto";
import { policyMessage } from "../domain/policy/signed.ts";
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

/** Packs are content-addressed: a known sum needs no fetch, one the plan does not include is left out. */
async function wantedPack(
  client: Client,
  name: string,
  sum: string,
  known: PackDocument[],
): Promise<PackDocument | undefined> {
  const had = known.find(pack => pack.name === name && pack.sha256 === sum);
  if (had) return had;
  const { version, content } = await client.pack(name).catch(() => ({ version: "", content: "" }));
  return sha256(content) === sum ? { name, version, sha256: sum, content } : undefined;
}

/** The cached policy, or nothing when there is none or it was changed on this machine. */
export function cachedPolicy(home: Home, keys: readonly string[]): CachedPolicy | undefined {
  const cached = readJson<CachedPolicy>(home.policy);
  return cached && unfit(cached, keys) === undefined ? cached : undefined;
}

/** Why a policy may not be used: text, hash and signature have to belong together, packs to their sums. */
export function unfit(cached: CachedPolicy, keys: readonly string[]): string | undefined {
  const { document, yaml, packs } = cached;
  if (typeof yaml !== "string" || !document || !Array.isArray(packs)) return "it is damaged";
  if (sha256(yaml) !== document.hash) return "its text does not fit its hash";
  const message = new TextEncoder().encode(policyMessage(document.version, document.hash, document.enforcement_mode));
  const signature = Buffer.from(String(document.signature), "base64");
  if (!keys.some(key => signedBy(key, message, signature))) return "none of the organisation's keys signed it";
  return packs.some(pack => sha256(pack.content) !== pack.sha256) ? "a pack does not fit its hash" : undefined;
}

/** C2SP signed-note verifier key: `<name>+<key hash>+<base64 of 0x01 and the Ed25519 public key>`. */
function signedBy(vkey: string, message: Uint8Array, signature: Uint8Array): boolean {
  // Base64 may hold a `+` itself.
  const bytes = Buffer.from(vkey.split("+").slice(2).join("+"), "base64");
  if (bytes.length !== 33 || bytes[0] !== 1) return false;
  const spki = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), bytes.subarray(1)]);
  try {
    return verify(null, message, createPublicKey({ key: spki, format: "der", type: "spki" }), signature);
  } catch {
    return false;
  }
}

/** A policy older than the organisation allows: its answer for an unreachable server then counts as well. */
export const isStale = ({ fetched_ms, config }: CachedPolicy, now_ms: number): boolean =>
  now_ms - fetched_ms > config.policy_max_age_s * 1000 || fetched_ms - now_ms > 86_400_000;
