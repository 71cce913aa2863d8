import { resolveHost, type Resolve, safeFetch, Unreachable } from "./safe-fetch.ts";

export interface DiscoverySettings {
  /** Compared character by character with what the document says. */
  issuer: string;
  now(): number;
  resolve?: Resolve;
  /** Times, in ms; tests shorten them. */
  discovery_age_ms?: number;
  retry_ms?: number;
}

/** What is used of the provider's document (OpenID Connect Discovery 1.0 §3). */
export interface ProviderMetadata {
  jwks_uri: string;
  token_endpoint?: string;
}

export interface Discovery {
  /** Throws `Unreachable`. */
  metadata(): Promise<ProviderMetadata>;
  /** Asks the provider, unless it failed a moment ago. Throws `Unreachable`. */
  get(url: string): Promise<Response>;
}

const AGE_MS = 3_600_000;
const RETRY_MS = 5_000;

/** The provider's own description: asked once an hour, left alone a while after a failure. */
export function createDiscovery({ issuer, now, resolve = resolveHost, ...times }: DiscoverySettings): Discovery {
  let found: { metadata: ProviderMetadata; at: number } | undefined;
  let failed_at = Number.NEGATIVE_INFINITY;
  let under_way: Promise<ProviderMetadata> | undefined;
  const get = async (url: string): Promise<Response> => {
    if (now() < failed_at + (times.retry_ms ?? RETRY_MS)) throw new Unreachable(`${issuer} failed a moment ago`);
    try {
      return await safeFetch(url, issuer, resolve);
    } catch (error) {
      failed_at = now();
      throw error;
    }
  };
  const discover = async (): Promise<ProviderMetadata> => {
    const metadata = await readMetadata(issuer, get);
    found = { metadata, at: now() };
    return metadata;
  };
  const metadata = async () => {
    if (found && now() < found.at + (times.discovery_age_ms ?? AGE_MS)) return found.metadata;
    under_way ??= discover().finally(() => (under_way = undefined));
    // An hour-old description is better than nobody signing in while the provider restarts.
    return under_way.catch(error => {
      if (found && error instanceof Unreachable) return found.metadata;
      throw error;
    });
  };
  return { metadata, get };
}

/** OpenID Connect Discovery §4: the document must name the very issuer it was asked for. */
async function readMetadata(issuer: string, get: Discovery["get"]): Promise<ProviderMetadata> {
  const address = `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`;
  const document = (await (await get(address)).json().catch(() => undefined)) as Record<string, unknown> | undefined;
  const { jwks_uri, token_endpoint } = document ?? {};
  if (document?.["issuer"] !== issuer) throw new Unreachable(`${address} does not describe the issuer ${issuer}`);
  if (!isAddress(jwks_uri)) throw new Unreachable(`${address} names no jwks_uri`);
  return { jwks_uri, ...(isAddress(token_endpoint) ? { token_endpoint } : {}) };
}

const isAddress = (value: unknown): value is string => typeof value === "string" && URL.canParse(value);
