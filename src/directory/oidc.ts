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
import { resolveHost, type Resolve, safeFetch, Unreachable } from "./safe-fetch.ts";
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

export interface OidcSettings {
  /** Compared character by character with `iss`. */
  issuer: string;
  audience: string;
  now(): number;
  resolve?: Resolve;
  /** Told why the provider could not be asked; for the operator's log. */
  warn?(message: string): void;
  /** Times, in ms; tests shorten them. */
  discovery_age_ms?: number;
  keys_cooldown_ms?: number;
  retry_ms?: number;
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
const DISCOVERY_AGE_MS = 3_600_000;
const KEYS_COOLDOWN_MS = 30_000;
const RETRY_MS = 5_000;
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

/** The provider's keys: discovered once an hour, asked again for an unknown `kid`, left alone a while after a failure. */
function createKeySource({ issuer, now, resolve = resolveHost, ...times }: OidcSettings): () => Promise<RemoteJWKSet> {
  let found: { keys: RemoteJWKSet; jwks_uri: string; at: number } | undefined;
  let failed_at = Number.NEGATIVE_INFINITY;
  let under_way: Promise<RemoteJWKSet> | undefined;
  const guarded = async (url: string): Promise<Response> => {
    if (now() < failed_at + (times.retry_ms ?? RETRY_MS)) throw new Unreachable(`${issuer} failed a moment ago`);
    try {
      return await safeFetch(url, issuer, resolve);
    } catch (error) {
      failed_at = now();
      throw error;
    }
  };
  const discover = async (): Promise<RemoteJWKSet> => {
    const jwks_uri = await jwksUri(issuer, guarded);
    const keys =
      found?.jwks_uri === jwks_uri
        ? found.keys
        : remoteKeys(jwks_uri, guarded, times.keys_cooldown_ms ?? KEYS_COOLDOWN_MS);
    found = { keys, jwks_uri, at: now() };
    return keys;
  };
  return async () => {
    if (found && now() < found.at + (times.discovery_age_ms ?? DISCOVERY_AGE_MS)) return found.keys;
    under_way ??= discover().finally(() => (under_way = undefined));
    // An hour-old address is better than nobody signing in while the provider restarts.
    return under_way.catch(error => {
      if (found && error instanceof Unreachable) return found.keys;
      throw error;
    });
  };
}

function remoteKeys(jwks_uri: string, get: (url: string) => Promise<Response>, cooldownDuration: number): RemoteJWKSet {
  return createRemoteJWKSet(new URL(jwks_uri), { cooldownDuration, [customFetch]: url => get(url) });
}

/** OpenID Connect Discovery §4: the document must name the very issuer it was asked for. */
async function jwksUri(issuer: string, get: (url: string) => Promise<Response>): Promise<string> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = (await (await get(address)).json().catch(() => undefined)) as Record<string, unknown> | undefined;
  const jwks_uri = document?.["jwks_uri"];
  if (document?.["issuer"] !== issuer) throw new Unreachable(`${address} does not describe the issuer ${issuer}`);
  if (typeof jwks_uri !== "string" || !URL.canParse(jwks_uri)) throw new Unreachable(`${address} names no jwks_uri`);
  return jwks_uri;
}
