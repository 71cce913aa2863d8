/** What the server refused, or why it could not be asked. `status` 0: it was not reached. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly status: number;
  readonly code: string;
  readonly retry_after_s: number | undefined;
  constructor(status: number, code: string, message: string, retry_after_s?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retry_after_s = retry_after_s;
  }
  /** Worth another try later: nothing was wrong with what was sent. */
  get passing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export interface DeviceCode {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete?: string;
  expires_in: number;
  interval: number;
}
export interface AgentToken {
  access_token: string;
  agent: { id: string; name: string };
}
export interface Installation {
  name?: string;
  hostname?: string;
  platform?: string;
  version?: string;
  installation_id?: string;
}
export interface AgentConfig {
  heartbeat_interval_s: number;
  enforcement_mode: "enforce" | "audit-only";
  on_unreachable: "allow" | "ask" | "block";
  policy_max_age_s: number;
  policy: { version: number; etag: string };
  packs: { name: string; version: string; sha256: string; signature?: string }[];
  events: { batch_max: number; flush_ms: number };
  signing_keys: string[];
}
export interface PolicyDocument {
  version: number;
  hash: string;
  enforcement_mode: "enforce" | "audit-only";
  signature: string;
}
export interface PackDocument {
  name: string;
  version: string;
  sha256: string;
  signature: string;
  content: string;
}
export interface DeclaredMcpServer {
  name: string;
  transport?: string;
  command?: string;
  url?: string;
  /** Only where the settings name the tools that may be used; otherwise nobody knows them beforehand. */
  tools?: { name: string }[];
}
export interface Heartbeat {
  version?: string;
  hostname?: string;
  platform?: string;
  hooks?: { client: string; installed: boolean; version?: string; fingerprint?: string; trusted?: boolean }[];
  policy_version?: number;
  mcp_servers?: DeclaredMcpServer[];
  queue_depth?: number;
  head?: { seq: number; hash: string };
}
export interface HeartbeatReply {
  server_time: string;
  enforcement_mode: "enforce" | "audit-only";
  policy_version: number;
  policy_etag: string;
  next_heartbeat_s: number;
}
export interface EventsReply {
  accepted: number;
  duplicates: number;
  rejected: { index: number; error: string; message: string }[];
  head: { seq: number; hash: string };
}
export interface ScanReply {
  id: string;
  status: string;
  summary: Record<string, number>;
}

export interface ClientOptions {
  /** Origin of the server, with or without `/api`. */
  server: string;
  token?: string;
  timeout_ms?: number;
  fetch?: typeof fetch;
}

export type Client = ReturnType<typeof openClient>;

/** The calls an installation makes. Every failure is an `ApiError`; redirects are not followed, so no token leaves the server it is for. */
export function openClient({ server, token, timeout_ms = 10_000, fetch: ask = fetch }: ClientOptions) {
  const base = apiBase(server);
  const send = async <T>(
    method: string,
    path: string,
    body?: unknown,
    extra: Record<string, string> = {},
  ): Promise<T> => {
    const raw = body instanceof Uint8Array;
    const headers = {
      accept: "application/json",
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...extra,
    };
    const sent = body === undefined ? null : raw ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body);
    const signal = AbortSignal.timeout(timeout_ms);
    const unreached = unreachedAt(new URL(base).origin);
    const reply = await ask(`${base}${path}`, { method, headers, body: sent, redirect: "error", signal }).catch(
      unreached,
    );
    const text = await reply.text().catch(unreached);
    if (!reply.ok) throw refused(reply, text);
    return (extra["accept"] === "application/yaml" || text === "" ? text : parsed(text)) as T;
  };
  const get = <T>(path: string, extra?: Record<string, string>) => send<T>("GET", path, undefined, extra);
  const post = <T>(path: string, body: unknown, extra?: Record<string, string>) => send<T>("POST", path, body, extra);
  return {
    base,
    health: () => get<{ status: string; version: string }>("/health"),
    deviceCode: (who: Installation) => post<DeviceCode>("/auth/device-code", { client_id: "gatehouse-cli", ...who }),
    deviceToken: (device_code: string) =>
      post<AgentToken>("/auth/device-token", {
        device_code,
        client_id: "gatehouse-cli",
        grant_type: "urn:ietf:params:oauth:grant-type:device_code",
      }),
    enrol: (key: string, who: Installation) => post<AgentToken>("/auth/enrol", { key, ...who }),
    self: () => get<{ id: string; name: string; status: string }>("/agents/self"),
    config: () => get<AgentConfig>("/agent/config"),
    policy: () => get<PolicyDocument>("/policy"),
    policyYaml: () => get<string>("/policy/yaml", { accept: "application/yaml" }),
    pack: (name: string) => get<PackDocument>(`/packs/${encodeURIComponent(name)}`),
    heartbeat: (beat: Heartbeat) => post<HeartbeatReply>("/heartbeat", beat),
    events: (packed: Uint8Array) => post<EventsReply>("/events", packed, { "content-encoding": "gzip" }),
    sarif: (packed: Uint8Array, project: string | undefined, key: string) =>
      post<ScanReply>(`/compliance/scans${project ? `?project=${encodeURIComponent(project)}` : ""}`, packed, {
        "content-type": "application/sarif+json",
        "content-encoding": "gzip",
        "idempotency-key": key,
      }),
    scan: (body: unknown, key: string) => post<ScanReply>("/compliance/scans", body, { "idempotency-key": key }),
  };
}

/** `https://host` or `https://host/api`. Plain http only on this machine, unless the caller insists. */
export function apiBase(server: string): string {
  const url = new URL(server);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new TypeError("The server's address is http or https.");
  const path = url.pathname.replace(/(?<!\/)\/+$/, "");
  return `${url.origin}${path.endsWith("/api") ? path : `${path}/api`}`;
}

export const isLocal = (server: string): boolean => /^(localhost|127\.|\[::1\]$)/.test(new URL(server).hostname);

/** Runtimes word it differently; what a person can do about it is what is told. */
const reasons: [RegExp, string][] = [
  [/TimeoutError/, "it did not answer in time"],
  [/ENOTFOUND|EAI_AGAIN|dns|lookup/i, "there is no machine of that name"],
  [/ECONNREFUSED|refused/i, "nothing listens there"],
  [/EPROTO|TLS handshake/i, "it does not speak TLS: if that is meant, write http://"],
  [
    /cert|SELF_SIGNED|UNABLE_TO_VERIFY/i,
    "its certificate is not trusted; NODE_EXTRA_CA_CERTS=<file> adds your own authority",
  ],
  [/redirect/i, "it leads elsewhere: use the address it leads to"],
];

const unreachedAt =
  (origin: string) =>
  (error: unknown): never => {
    const { name, code, message } = error as { name?: string; code?: string; message?: string };
    const text = `${name} ${code} ${message}`;
    const why = reasons.find(([form]) => form.test(text))?.[1];
    throw new ApiError(0, "unreachable", `${origin} could not be reached${why ? ` (${why})` : ""}.`);
  };

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError(0, "not_gatehouse", "What answered does not speak like a Gatehouse server.");
  }
}

function refused(reply: Response, text: string): ApiError {
  let body: { error?: unknown; message?: unknown } = {};
  try {
    body = JSON.parse(text) as typeof body;
  } catch {
    // A proxy's page: the status says enough.
  }
  const code = typeof body.error === "string" ? body.error : "unknown";
  const message = typeof body.message === "string" ? body.message : `The server answered ${reply.status}.`;
  const wait = Number(reply.headers.get("retry-after"));
  return new ApiError(reply.status, code, message, Number.isFinite(wait) && wait > 0 ? wait : undefined);
}
