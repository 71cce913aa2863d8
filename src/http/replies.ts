import { type TProperties, type TSchema, Type as T } from "@sinclair/typebox";
import type { RefusalCode } from "../errors.ts";

/**
 * What each route answers when all goes well, by `METHOD /path` below /api; and what it may refuse besides what every route may.
 * The description is made from it, and the contract test holds live answers to it. Members may be added, none taken away.
 */
export interface Reply {
  status?: number;
  schema?: TSchema;
  /** Media type, or which of them the question asks for; JSON unless said. */
  type?: string | readonly string[];
  /** Under a strong ETag; 304 to `If-None-Match`. */
  pulled?: true;
  /** Refusals of its own. */
  refuses?: readonly RefusalCode[];
}

const pulled = true;
const O = (properties: TProperties) => T.Object(properties, { additionalProperties: true });
const S = T.String();
const N = T.Number();
const I = T.Integer({ minimum: 0 });
const B = T.Boolean();
const At = T.String({ format: "date-time" });
const orNull = (schema: TSchema) => T.Union([schema, T.Null()]);
const word = (...values: string[]) => T.Union(values.map(value => T.Literal(value)));
const list = (item: TSchema) => O({ items: T.Array(item), next_cursor: orNull(S) });
const counts = T.Record(S, I);

const DecisionName = word("ALLOW", "WARN", "ASK", "BLOCK");
const ModeName = word("enforce", "audit-only");
const Role = word("admin", "member", "auditor");
const Head = O({ seq: T.Integer({ minimum: -1 }), hash: S });
const Mode = O({ mode: ModeName, changed_at: orNull(At), changed_by: orNull(S) });
const Organisation = O({
  id: S,
  name: S,
  created_at: At,
  enforcement_mode: ModeName,
  plan: O({ id: S, name: S }),
  role: Role,
});
const member = {
  id: S,
  email: S,
  name: S,
  role: Role,
  status: word("invited", "active"),
  created_at: At,
};
const plan = {
  id: S,
  name: S,
  seats: orNull(I),
  agents: orNull(I),
  retention_days: orNull(I),
  entitlements: T.Array(S),
};
const Agent = O({
  id: S,
  name: S,
  hostname: orNull(S),
  platform: orNull(S),
  version: orNull(S),
  owner: orNull(S),
  status: word("active", "stale", "never_seen"),
  last_seen_at: orNull(At),
  hooks: T.Array(O({ client: S, installed: B })),
  policy_version: orNull(I),
  mcp_servers: T.Array(O({ name: S })),
  created_at: At,
});
const Session = O({
  token: S,
  token_type: T.Literal("Bearer"),
  expires_in: I,
  account: O({ id: S, email: S, name: S, two_factor: B }),
  organisation: O({ id: S, name: S, role: Role }),
});
const Challenge = O({ two_factor: O({ challenge: S, expires_in: I }) });
const AgentToken = O({ access_token: S, token_type: T.Literal("Bearer"), scope: T.Literal("agent"), agent: Agent });
const Changed = O({ version: I, hash: S, changed_by: orNull(S), changed_at: At });
const pack = { name: S, version: S, title: S, rules: T.Unknown(), sha256: S, signature: S };
const Entry = O({ type: S, seq: I, received_at: At, agent_id: orNull(S), hash: S });
const Series = T.Array(O({ t: At, total: I, allow: I, warn: I, ask: I, block: I }));
const Attestation = O({ framework: S, control: S, status: S, statement: O({}), envelope: O({}) });
const Framework = O({ id: S, title: S, version: S, enabled: B, controls: T.Unknown() });
const ScanSummary = O({ pass: I, fail: I, error: I, not_applicable: I, new: I, fixed: I, unchanged: I });
const Scan = O({ id: S, project: S, status: S, summary: ScanSummary, truncated: B, received_at: At });
const Rules = list(
  O({
    id: S,
    title: S,
    why: S,
    severity: word("low", "medium", "high", "critical"),
    fix: S,
    mappings: T.Array(O({ framework: S, control: S })),
  }),
);
const Demo = O({ session: S, expires_in: I });
const empty: Reply = { status: 204 };
/** Where something of the person's own account is shown or changed. */
const own = { refuses: ["demo_account"] } as const satisfies Reply;
const AccessToken = O({ id: S, name: S, created_at: At, expires_at: At, last_used_at: orNull(At) });
const EnrolmentKey = O({ ...AccessToken.properties, uses_left: I, created_by: S });
const Problem = O({ path: S, message: S });
const Telemetry = O({ partialSuccess: O({}) });
const grant = [
  "authorization_pending",
  "slow_down",
  "access_denied",
  "expired_token",
  "invalid_grant",
  "invalid_request",
  "unsupported_grant_type",
] as const;

export const replies: Record<string, Reply> = {
  "GET /metrics": { type: "application/openmetrics-text", schema: S, refuses: ["not_found"] },
  "GET /docs": { type: "text/html", schema: S },
  "GET /openapi.json": { pulled, schema: O({ openapi: S, info: O({}), paths: O({}), components: O({}) }) },
  "GET /.well-known/oauth-authorization-server": {
    schema: O({ issuer: S, device_authorization_endpoint: S, token_endpoint: S, grant_types_supported: T.Array(S) }),
  },
  "GET /assets/:name": { schema: S, refuses: ["not_found"] },
  "GET /releases/download/:name": { type: "application/octet-stream", schema: S },
  "GET /health": { schema: O({ status: word("pass", "warn"), version: S, commit: S, uptime_s: I, checks: O({}) }) },
  "GET /releases/latest": {
    schema: O({
      version: S,
      published_at: orNull(At),
      notes_url: orNull(S),
      assets: T.Array(O({ name: S, os: S, arch: S, url: S, size: I, sha256: S })),
    }),
  },
  "POST /playground/analyze": {
    schema: T.Object(
      { decision: DecisionName, rules: T.Array(S), reasons: T.Array(S) },
      { additionalProperties: false },
    ),
  },
  "POST /auth/login": { schema: T.Union([Session, Challenge]), refuses: ["invalid_credentials", "forbidden"] },
  "POST /auth/2fa/verify": { schema: Session, refuses: ["invalid_code", "invalid_token"] },
  "POST /auth/setup": { status: 201, schema: Session, refuses: ["invalid_code", "already_set_up"] },
  "POST /auth/logout": empty,
  "POST /auth/device-code": {
    schema: O({
      device_code: S,
      user_code: S,
      verification_uri: S,
      verification_url: S,
      verification_uri_complete: S,
      expires_in: I,
      interval: I,
    }),
  },
  "GET /auth/device-verify": { schema: O({ user_code: S, ip: S, created_at: At, expires_at: At }) },
  "POST /auth/device-verify": {
    schema: O({ status: word("approved", "denied") }),
    refuses: ["plan_limit", "conflict"],
  },
  "POST /auth/device-token": { schema: AgentToken, refuses: grant },
  "POST /auth/enrol": { schema: AgentToken, refuses: ["invalid_credentials", "conflict", "plan_limit"] },
  "GET /auth/providers": {
    schema: O({ password: B, oidc: orNull(O({ issuer: S, client_id: orNull(S), audience: orNull(S) })) }),
  },
  "POST /auth/session": { schema: Session, ...own },
  "GET /auth/sessions": {
    ...own,
    schema: list(
      O({ id: S, org: S, ip: S, user_agent: S, created_at: At, expires_at: At, last_seen_at: At, current: B }),
    ),
  },
  "GET /auth/devices": {
    ...own,
    schema: list(O({ id: S, name: S, ip: S, created_at: At, expires_at: At, last_used_at: At })),
  },
  "GET /auth/tokens": { schema: list(AccessToken), ...own },
  "POST /auth/tokens": {
    status: 201,
    schema: O({ ...AccessToken.properties, token: S }),
    refuses: ["conflict", "demo_account"],
  },
  "GET /auth/enrolment-keys": { schema: list(EnrolmentKey) },
  "POST /auth/enrolment-keys": {
    status: 201,
    schema: O({ ...EnrolmentKey.properties, key: S }),
    refuses: ["conflict", "demo_account"],
  },
  "DELETE /auth/tokens/:id": { ...empty, ...own },
  "DELETE /auth/enrolment-keys/:id": empty,
  "DELETE /auth/sessions/:id": { ...empty, ...own },
  "DELETE /auth/devices/:id": { ...empty, ...own },
  "POST /auth/password": { status: 204, refuses: ["invalid_credentials", "demo_account"] },
  "POST /auth/2fa/setup": { schema: O({ secret: S, otpauth_uri: S }), refuses: ["conflict", "demo_account"] },
  "POST /auth/2fa/enable": {
    schema: O({ recovery_codes: T.Array(S) }),
    refuses: ["invalid_code", "conflict", "demo_account"],
  },
  "POST /auth/2fa/disable": { status: 204, refuses: ["invalid_code", "conflict", "demo_account"] },
  "POST /auth/accept-invitation": {
    schema: T.Union([Session, Challenge]),
    refuses: ["conflict", "invalid_credentials"],
  },
  "GET /auth/session": {
    schema: O({ account: O({ id: S, email: S }), organisation: O({ id: S, role: Role }), memberships: T.Array(O({})) }),
  },
  "GET /org": { schema: Organisation },
  "PATCH /org": { schema: Organisation },
  "GET /org/enforcement-mode": { schema: Mode },
  "PUT /org/enforcement-mode": { schema: Mode },
  "GET /org/members": { schema: list(O(member)) },
  "POST /org/members": {
    status: 201,
    schema: O({ ...member, invitation_url: S, expires_at: At }),
    refuses: ["conflict", "plan_limit"],
  },
  "PATCH /org/members/:id": { schema: O(member), refuses: ["last_admin", "conflict"] },
  "DELETE /org/members/:id": { status: 204, refuses: ["last_admin"] },
  "GET /plans": { schema: list(O(plan)) },
  "GET /org/plan": { schema: O({ ...plan, usage: O({ seats: I, agents: I }) }) },
  "PUT /org/plan": { schema: O({ ...plan, usage: O({ seats: I, agents: I }) }), refuses: ["plan_limit"] },
  "GET /dashboard": {
    schema: O({
      agents: O({ total: I, active: I, stale: I, unhooked_calls_24h: I }),
      events: O({ last_24h: I, last_7d: I, hourly: Series }),
      decisions_24h: O({ allow: I, warn: I, ask: I, block: I }),
      top_rules: T.Array(O({ rule: S, count: I })),
      compliance: T.Array(O({ framework: S, covered: I, partial: I, failing: I, not_evaluated: I })),
      drift: O({ open: I, high: I }),
      chain: O({ size: I, last_checkpoint_at: orNull(At), valid: orNull(B) }),
      enforcement_mode: ModeName,
    }),
  },
  "GET /agents": { schema: list(Agent) },
  "GET /agents/stats": {
    schema: O({ total: I, active: I, stale: I, never_seen: I, by_platform: counts, by_client: counts, policy_lag: I }),
  },
  "GET /agents/self": { schema: Agent },
  "GET /agents/:id": { schema: Agent },
  "PATCH /agents/:id": { schema: Agent },
  "DELETE /agents/:id": empty,
  "POST /heartbeat": {
    schema: O({
      server_time: At,
      enforcement_mode: ModeName,
      policy_version: I,
      policy_etag: S,
      config_version: T.Unknown(),
      next_heartbeat_s: N,
    }),
  },
  "GET /agent/config": {
    pulled,
    schema: O({
      heartbeat_interval_s: N,
      enforcement_mode: ModeName,
      on_unreachable: word("allow", "ask", "block"),
      policy_max_age_s: N,
      policy: O({ version: I, etag: S }),
      packs: T.Array(O({ name: S, version: S, sha256: S })),
      events: O({ batch_max: I, flush_ms: I }),
      signing_keys: T.Array(S),
    }),
  },
  "GET /policy": {
    pulled,
    schema: O({ version: I, hash: S, enforcement_mode: ModeName, policy: O({}), signature: T.Unknown() }),
  },
  "GET /policy/yaml": { pulled, type: "application/yaml", schema: S },
  "PUT /policy/yaml": { schema: Changed, refuses: ["precondition_failed"] },
  "PUT /policy": { schema: Changed, refuses: ["precondition_failed"] },
  "GET /policy/history": { schema: list(Changed) },
  "GET /policy/history/:version": { schema: O({ ...Changed.properties, yaml: S }) },
  "POST /policy/validate": { schema: O({ valid: B, problems: T.Array(Problem), hints: T.Array(T.Unknown()) }) },
  "POST /policy/replay": {
    schema: O({
      replayed: I,
      changed: T.Array(
        O({
          seq: I,
          agent_id: orNull(S),
          action: O({ kind: S }),
          before: O({ decision: DecisionName, rules: T.Array(S) }),
          after: O({ decision: DecisionName, rules: T.Array(S), reasons: T.Array(S) }),
        }),
      ),
    }),
  },
  "GET /packs": { pulled, schema: list(O(pack)), refuses: ["plan_required"] },
  "GET /packs/:name": { pulled, schema: O({ ...pack, content: S }), refuses: ["plan_required"] },
  "POST /policy/check": {
    schema: O({
      decision: DecisionName,
      rules: T.Array(S),
      reasons: T.Array(S),
      enforced: B,
      mode: ModeName,
      decision_id: S,
      policy_version: I,
      matched: T.Array(O({ rule: S, pack: S, severity: S, reason: S, via: T.Array(S) })),
    }),
  },
  "POST /events": {
    schema: O({ accepted: I, duplicates: I, rejected: T.Array(O({ index: I, error: S, message: S })), head: Head }),
    refuses: ["rejected"],
  },
  "POST /hooks/:client": { schema: O({}) },
  "POST /v1/logs": { schema: Telemetry },
  "POST /v1/traces": { schema: Telemetry },
  "POST /v1/metrics": { schema: Telemetry },
  "GET /audit": { schema: list(Entry) },
  "GET /audit/:seq": { schema: Entry },
  "GET /audit/stats": {
    schema: O({
      total: I,
      by_type: counts,
      by_decision: counts,
      by_agent: T.Array(O({ agent_id: S, count: I })),
      by_rule: T.Array(O({ rule: S, count: I })),
      by_client: counts,
      series: Series,
    }),
  },
  "GET /audit/mcp-servers": {
    schema: list(
      O({
        name: S,
        agents: I,
        tools: T.Array(O({ name: S, calls: I, last_seen_at: orNull(At) })),
        first_seen_at: orNull(At),
        last_seen_at: orNull(At),
        calls: I,
        declared: B,
      }),
    ),
  },
  "GET /audit/export": { type: ["application/x-ndjson", "text/csv"], schema: S },
  "GET /audit/stream": { type: "text/event-stream", schema: S, refuses: ["malformed"] },
  "GET /posture/evidence": { schema: list(Attestation) },
  "GET /posture/control-evidence": { schema: T.Union([Attestation, list(Attestation)]) },
  "GET /posture/attestation-chain": {
    schema: O({ valid: B, from: I, to: T.Integer({ minimum: -1 }), count: I, head: Head, checkpoint: S }),
  },
  "GET /posture/drift": {
    schema: list(
      O({ kind: S, severity: S, agent_id: S, server: S, detail: S, first_seen_at: At, last_seen_at: At, count: I }),
    ),
  },
  "POST /posture/drift/accept": {
    schema: O({ server: S, tool: S, agent_ids: T.Array(S), accepted_at: At }),
    refuses: ["conflict"],
  },
  "GET /posture/checkpoint": { type: "text/plain", schema: S },
  "GET /posture/keys": { schema: O({ keys: T.Array(O({ vkey: S, since: At })) }) },
  "GET /posture/proof": {
    schema: O({ seq: I, size: I, leaf_hash: S, hashes: T.Array(S), checkpoint: orNull(S) }),
  },
  "GET /compliance/frameworks": { schema: list(Framework) },
  "POST /compliance/frameworks": { status: 201, schema: Framework },
  "POST /compliance/frameworks/disable": { schema: Framework },
  "GET /compliance/rules": { schema: Rules },
  "GET /comply/rules": { schema: Rules },
  "POST /compliance/scans": { status: 201, schema: Scan, refuses: ["conflict"] },
  "GET /compliance/scans/latest": { schema: Scan },
  "GET /compliance/scans/history": { schema: list(Scan) },
  "GET /compliance/scans/detail": { schema: O({ id: S, results: T.Array(O({ rule_id: S, status: S })) }) },
  "GET /compliance/scans/projects": { schema: list(O({ project: S, scans: I, last_scan_at: At, fail: I })) },
  "GET /compliance/status": {
    schema: O({
      frameworks: T.Array(
        O({
          framework: S,
          summary: O({}),
          controls: T.Array(
            O({ control: S, title: S, status: word("covered", "partial", "failing", "not_evaluated") }),
          ),
        }),
      ),
    }),
  },
  "GET /compliance/export": {
    refuses: ["conflict"],
    schema: O({ "assessment-results": O({ uuid: S, metadata: O({}), results: T.Array(O({})) }) }),
  },
  "POST /demo/session": { status: 201, schema: Demo },
  "DELETE /demo/session": { status: 204, refuses: ["demo_expired"] },
  "POST /demo/reset": { schema: Demo, refuses: ["demo_expired"] },
};
