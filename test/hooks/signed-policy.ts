import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { homeOf, writeJson } from "../../src/client/home.ts";
import type { Sha256 } from "../../src/domain/audit/merkle.ts";
import { formatVkey } from "../../src/domain/audit/note.ts";
import { policyMessage } from "../../src/domain/policy/signed.ts";
import type { Mode } from "../../src/domain/policy/verdict.ts";

const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const signed = (message: string): Buffer => sign(null, Buffer.from(message), privateKey);
const sha256: Sha256 = bytes => new Uint8Array(createHash("sha256").update(bytes).digest());

export interface Fetched {
  mode?: Mode;
  yaml?: string;
  server?: string;
  on_unreachable?: "allow" | "ask" | "block";
  policy_max_age_s?: number;
  /** How long ago the policy was fetched. */
  age_s?: number;
  signature?: (message: string) => Buffer;
}

/** Credentials and a fetched policy in the home `user`, as `login` and `heartbeat` leave them. */
export function writePolicy(user: string, fetched: Fetched = {}): void {
  const { mode = "enforce", yaml = "policy: 1\n", server = "http://127.0.0.1:1", signature = signed } = fetched;
  const { on_unreachable = "allow", policy_max_age_s = 3600, age_s = 0 } = fetched;
  const home = homeOf({ HOME: user });
  const key = new Uint8Array(publicKey.export({ format: "der", type: "spki" })).slice(-32);
  const credentials = { server, token: "t", agent: { id: "a", name: "a" } };
  writeJson(home.credentials, { ...credentials, signing_keys: [formatVkey(sha256, { name: "acme", publicKey: key })] });
  const hash = createHash("sha256").update(yaml).digest("hex");
  writeJson(home.policy, {
    fetched_ms: Date.now() - age_s * 1000,
    config: { on_unreachable, policy_max_age_s, events: { flush_ms: 1000 } },
    document: {
      version: 7,
      hash,
      enforcement_mode: mode,
      signature: signature(policyMessage(7, hash, mode)).toString("base64"),
    },
    yaml,
    packs: [],
  });
}
