import {
  createRemoteJWKSet,
  customFetch,
  decodeJwt,
  errors,
  type JWTPayload,
  jwtVerify,
  type RemoteJWKSet,
} from "jose";
import { LRUCache } from "lru-cache";
import { refusal } from "../errors.ts";
import { createDiscovery, type DiscoverySettings } from "./oidc-discovery.ts";
import { Unreachable } from "./safe-fetch.ts";
import { sha256Hex } from "./world.ts";

/** Whom a token of the identity provider names. */
export interface OidcPerson {
  issuer: string;
  sub: string;
  email?: string;
  /** Only then does the address prove anything. */
  email_verified: boolean;
  name?: string;
}

export interface OidcSettings extends DiscoverySettings {
  audience: string;
  /** Told why the provider could not be asked; for the operator's log. */
  warn?(message: string): void;
  keys_cooldown_ms?: number;
}

export interface Oidc {
  issuer: string;
  /** Whether this token claims to come from the provider; nothing is verified yet. */
  claims(token: string): boolean;
  /** Undefined for a token that is not valid here. Throws `unavailable` when the provider cannot be asked. */
  verify(token: string): Promise<OidcPerson | undefined>;
}

/** Asymmetric only: `none` and HMAC with a public key never verify (RFC 8725 §3.1). */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
const SKEW_S = 60;
const KEYS_COOLDOWN_MS = 30_000;
/** A verified token is not verified again for so long; a key the provider takes back works no longer than this. */
const REMEMBERED_MS = 300_000;

/** Verifies tokens of an external OpenID Connect provider (Core 1.0, Discovery 1.0, RFC 9068 access tokens). */
export function createOidc(settings: OidcSettings): Oidc {
  const { issuer, now } = settings;
  const keys = createKeySource(settings);
  const known = new LRUCache<string, { person: OidcPerson; until: number }>({ max: 10_000 });
  const verify = async (token: string): Promise<OidcPerson | undefined> => {
    const payload = await verified(token, await keys(), settings);
    const person = payload && personOf(payload, issuer);
    if (person) known.set(sha256Hex(token), { person, until: Math.min(now() + REMEMBERED_MS, payload.exp! * 1000) });
    return person;
  };
  return {
    issuer,
    claims: token => issuerOf(token) === issuer,
    async verify(token) {
      const before = known.get(sha256Hex(token));
      if (before && now() < before.until) return before.person;
      try {
        return await verify(token);
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        settings.warn?.(error.message);
        throw refusal("unavailable", { message: "The identity provider cannot be reached.", retry_after_s: 5 });
      }
    },
  };
}

function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

async function verified(
  token: string,
  keys: RemoteJWKSet,
  { issuer, audience, now }: OidcSettings,
): Promise<JWTPayload | undefined> {
  const wanted = { issuer, audience, algorithms: ALGORITHMS, clockTolerance: SKEW_S, currentDate: new Date(now()) };
  try {
    const { payload, protectedHeader } = await jwtVerify(token, keys, {
      ...wanted,
      requiredClaims: ["exp", "iat", "sub"],
    });
    return isSignIn(payload, protectedHeader.typ) && payload.iat! * 1000 <= now() + SKEW_S * 1000 ? payload : undefined;
  } catch (error) {
    if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid)
      throw new Unreachable(error.message);
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

/** Logout and security-event tokens carry the same issuer and audience but let nobody in (RFC 8417 §4.6). */
function isSignIn(payload: JWTPayload, typ: string | undefined): boolean {
  const known = typ === undefined || /^(application\/)?(jwt|at\+jwt)$/i.test(typ);
  return known && !("events" in payload);
}

function personOf(payload: JWTPayload, issuer: string): OidcPerson | undefined {
  const { sub, email, email_verified, name } = payload;
  if (typeof sub !== "string" || sub === "" || sub.length > 255) return undefined;
  return {
    ...{ issuer, sub, email_verified: email_verified === true },
    ...(typeof email === "string" ? { email } : {}),
    ...(typeof name === "string" && name.trim() !== "" ? { name: name.trim().slice(0, 200) } : {}),
  };
}

/** The provider's keys: where they lie is discovered; asked again for an unknown `kid`. */
function createKeySource(settings: OidcSettings): () => Promise<RemoteJWKSet> {
  const discovery = createDiscovery(settings);
  let found: { keys: RemoteJWKSet; jwks_uri: string } | undefined;
  return async () => {
    const { jwks_uri } = await discovery.metadata();
    if (found?.jwks_uri !== jwks_uri)
      found = { jwks_uri, keys: remoteKeys(jwks_uri, discovery.get, settings.keys_cooldown_ms ?? KEYS_COOLDOWN_MS) };
    return found.keys;
  };
}

function remoteKeys(jwks_uri: string, get: (url: string) => Promise<Response>, cooldownDuration: number): RemoteJWKSet {
  return createRemoteJWKSet(new URL(jwks_uri), { cooldownDuration, [customFetch]: url => get(url) });
}
