import { afterAll, beforeAll, expect, test } from "bun:test";
import { generateSync } from "otplib";
import { ADMIN, createWorld, type Reply, type World } from "../world.ts";

/**
 * The endpoints of the specification with the members that the wire contract names, row by row, written down a second time by
 * hand: neither the description nor the handlers are asked what is right. `name{…}` is an object, `name[…]` a list of such,
 * `?` may be missing, `*` may be empty, `=` says that nothing else may be there.
 */
const organisation = "id name created_at enforcement_mode plan{id name} role";
const member = "id email name role status created_at";
const plan = "id name seats agents retention_days entitlements";
const agent = `id name hostname platform version owner status last_seen_at hooks[client installed]* policy_version mcp_servers
  created_at`;
const session = "token token_type expires_in account{id email name two_factor} organisation{id name role}";
const mode = "mode changed_at changed_by";
const pack = "name version title description rules sha256 signature";
const changed = "version hash changed_by changed_at";
const entry = "id time type seq received_at agent_id hash";
const attestation = `framework control status statement{_type subject predicateType predicate}
  envelope{payload payloadType signatures}`;
const framework = "id title version enabled controls";
const rule = "id title why severity fix mappings[framework control]";
const scanned = "id project status summary{pass fail error not_applicable new fixed unchanged} truncated received_at";
const verdict =
  "decision rules reasons enforced mode decision_id policy_version matched[rule pack severity reason via]*";
const list = (members: string) => `items[${members}] next_cursor`;

const time = "2026-11-20T10:00:00Z";
const shell = { type: "shell", command: "rm -rf /" };
const yaml = "policy: 1\nno_match: ALLOW\n";
const scan = {
  project: "shop",
  tool: { name: "gatehouse comply", version: "1" },
  ...{ started_at: time, finished_at: time },
  results: [{ rule_id: "GH-HOOK-003", status: "fail", location: { path: "a.json", line: 1 }, message: "no limit" }],
};
const beat = {
  ...{ version: "1", hostname: "host", platform: "linux", policy_version: 1, queue_depth: 0 },
  hooks: [{ client: "codex", installed: true }],
  mcp_servers: [{ name: "github", tools: [{ name: "search" }] }],
};
const happened = { id: "e-1", time, type: "mcp.call", action: { kind: "mcp", server: "files", tool: "read" } };

interface Row {
  /** `P` nobody, `U` person, `A` agent, `D` the demo's twin: each is asked. */
  who: string;
  ask: string;
  status?: number;
  members?: string;
  body?: unknown;
  type?: string;
}
/** In this order: what one makes, the next may need. */
const rows: Row[] = [
  { who: "P", ask: "GET /health", members: "status version commit uptime_s checks" },
  {
    who: "P",
    ask: "GET /releases/latest",
    members: "version published_at notes_url assets[name os arch url size sha256]*",
  },
  { who: "P", ask: "POST /playground/analyze", body: shell, members: "= decision rules reasons" },
  {
    ...{ who: "P", ask: "POST /playground/analyze", members: "= decision rules reasons" },
    body: { type: "mcp", tool: "read_file", args: { path: "/etc/shadow" } },
  },
  { who: "P", ask: "POST /auth/login", body: ADMIN, members: session },
  { who: "U", ask: "GET /auth/session", members: "account{id email} organisation{id name role} role memberships" },
  { who: "P", ask: "GET /auth/providers", members: "password oidc" },
  {
    who: "A",
    ask: "POST /heartbeat",
    body: beat,
    members: "server_time enforcement_mode policy_version policy_etag config_version next_heartbeat_s",
  },
  { who: "AD", ask: "POST /policy/check", body: shell, members: verdict },
  {
    who: "A",
    ask: "POST /policy/check",
    body: { type: "mcp", server: "github", tool: "search", args: {} },
    members: verdict,
  },
  {
    who: "A",
    ask: "POST /events",
    body: happened,
    members: "accepted duplicates rejected[index error message]* head{seq hash}",
  },
  { who: "UD", ask: "GET /org", members: organisation },
  { who: "UD", ask: "PATCH /org", body: { name: "Acme" }, members: organisation },
  { who: "UD", ask: "GET /org/enforcement-mode", members: mode },
  { who: "UD", ask: "PUT /org/enforcement-mode", body: { mode: "audit-only" }, members: mode },
  { who: "UD", ask: "PUT /org/enforcement-mode", body: { mode: "enforce" }, members: mode },
  {
    who: "U",
    ask: "POST /org/members",
    status: 201,
    body: { email: "m@example.com", role: "member" },
    members: `${member} invitation_url expires_at`,
  },
  { who: "UD", ask: "GET /org/members", members: list(member) },
  { who: "U", ask: "PATCH /org/members/$member", body: { role: "auditor" }, members: member },
  { who: "U", ask: "DELETE /org/members/$member", status: 204 },
  { who: "U", ask: "DELETE /org/members/$invited", status: 204 },
  { who: "UAD", ask: "GET /org/plan", members: `${plan} usage{seats agents}` },
  { who: "UAD", ask: "GET /plans", members: list(plan) },
  { who: "U", ask: "PUT /org/plan", body: { plan: "enterprise" }, members: `${plan} usage{seats agents}` },
  { who: "UD", ask: "POST /compliance/frameworks", status: 201, body: { framework: "soc2" }, members: framework },
  { who: "UD", ask: "POST /compliance/frameworks", status: 201, body: { framework: "cis" }, members: framework },
  { who: "UD", ask: "POST /compliance/frameworks/disable", body: { framework: "cis" }, members: framework },
  { who: "UD", ask: "GET /compliance/frameworks", members: list(`${framework} enabled_at`) },
  { who: "UD", ask: "GET /compliance/frameworks?all=true", members: list(framework) },
  { who: "UAD", ask: "GET /compliance/rules", members: list(rule) },
  { who: "UA", ask: "GET /comply/rules?framework=soc2", members: list(rule) },
  { who: "UA", ask: "POST /compliance/scans", status: 201, body: scan, members: scanned },
  { who: "UD", ask: "GET /compliance/scans/latest", members: scanned },
  { who: "UD", ask: "GET /compliance/scans/history", members: list(scanned) },
  { who: "UD", ask: "GET /compliance/scans/detail?id=$scan", members: `${scanned} results[rule_id status]` },
  { who: "UD", ask: "GET /compliance/scans/projects", members: list("project scans last_scan_at fail") },
  {
    who: "UD",
    ask: "GET /compliance/status?framework=soc2",
    members: "frameworks[framework summary controls[control title status evidence rules]]",
  },
  { who: "UD", ask: "GET /compliance/export?format=oscal", members: "assessment-results{uuid metadata results}" },
  {
    ...{ who: "UD", ask: "GET /dashboard" },
    members: `agents{total active stale unhooked_calls_24h} events{last_24h last_7d hourly[t total allow warn ask block]}
      decisions_24h{allow warn ask block} top_rules[rule count] compliance[framework covered partial failing not_evaluated]
      drift{open high} chain{size last_checkpoint_at valid} enforcement_mode`,
  },
  { who: "UD", ask: "GET /agents", members: list(agent) },
  { who: "UD", ask: "GET /agents?status=active&q=a", members: list(agent) },
  { who: "UD", ask: "GET /agents/stats", members: "total active stale never_seen by_platform by_client policy_lag" },
  { who: "A", ask: "GET /agents/self", members: agent },
  { who: "UD", ask: "GET /agents/$agent", members: agent },
  {
    ...{ who: "A", ask: "GET /agent/config" },
    members: `heartbeat_interval_s enforcement_mode on_unreachable policy_max_age_s policy{version etag}
      packs[name version sha256 signature] events{batch_max flush_ms} signing_keys`,
  },
  { who: "UAD", ask: "GET /policy", members: "version hash enforcement_mode policy{} signature" },
  { who: "UAD", ask: "GET /policy/yaml", type: "application/yaml" },
  { who: "UD", ask: "PUT /policy/yaml", body: yaml, type: "application/yaml", members: changed },
  { who: "UD", ask: "PUT /policy", body: { policy: 1 }, members: changed },
  { who: "UD", ask: "GET /policy/history", members: list(changed) },
  { who: "UD", ask: "POST /policy/validate", body: { yaml }, members: "valid problems" },
  {
    who: "UD",
    ask: "POST /policy/replay",
    body: { yaml: "policy: 1\nno_match: ASK\n", last: 50 },
    members: "replayed changed[seq agent_id action before after]",
  },
  { who: "UAD", ask: "GET /packs", members: list(pack) },
  { who: "UAD", ask: "GET /packs/core", members: `${pack} content` },
  { who: "UD", ask: "GET /audit", members: list(entry) },
  { who: "UD", ask: "GET /audit/0", members: `${entry} leaf salt body` },
  {
    ...{ who: "UD", ask: "GET /audit/stats?bucket=day" },
    members: "total by_type{} by_decision{} by_agent[agent_id count] by_rule[rule count] by_client{} series[t total]",
  },
  {
    who: "UD",
    ask: "GET /audit/mcp-servers",
    members: list("name agents tools[name calls last_seen_at] first_seen_at last_seen_at calls declared"),
  },
  { who: "UD", ask: "GET /audit/export?format=ndjson", type: "application/x-ndjson" },
  { who: "UD", ask: "GET /audit/export?format=leaves", type: "application/x-ndjson" },
  { who: "UD", ask: "GET /audit/export?format=csv", type: "text/csv" },
  { who: "UD", ask: "GET /posture/evidence?framework=soc2", members: list(attestation) },
  { who: "UD", ask: "GET /posture/control-evidence?framework=soc2&control=CC6.1", members: list(attestation) },
  {
    who: "UD",
    ask: "GET /posture/attestation-chain",
    members: "valid from to count head{seq hash} checkpoint first_break{seq expected found}?",
  },
  {
    who: "UD",
    ask: "GET /posture/attestation-chain?from=1&to=2",
    members: "valid from to count head{seq hash} checkpoint",
  },
  {
    who: "UD",
    ask: "GET /posture/drift",
    members: list("kind severity agent_id server tool? detail first_seen_at last_seen_at count"),
  },
  { who: "UD", ask: "GET /posture/checkpoint", type: "text/plain" },
  { who: "UD", ask: "GET /posture/keys", members: "keys[vkey since]" },
  { who: "UD", ask: "GET /posture/proof?seq=0", members: "seq size leaf_hash hashes checkpoint" },
  {
    who: "P",
    ask: "POST /auth/device-code",
    body: { name: "laptop" },
    members: "device_code user_code verification_uri verification_url verification_uri_complete expires_in interval",
  },
  {
    who: "U",
    ask: "GET /auth/device-verify?user_code=$user_code",
    members: "user_code name hostname platform version ip created_at expires_at",
  },
  {
    who: "U",
    ask: "POST /auth/device-verify",
    body: { user_code: "$user_code", action: "approve" },
    members: `status agent{${agent}}`,
  },
  {
    who: "P",
    ask: "POST /auth/device-token",
    body: { device_code: "$device_code" },
    members: `access_token token_type scope agent{${agent}}`,
  },
  { who: "U", ask: "POST /auth/2fa/setup", members: "secret otpauth_uri" },
  { who: "U", ask: "POST /auth/2fa/enable", body: { code: "$totp" }, members: "recovery_codes" },
  { who: "P", ask: "POST /auth/login", body: ADMIN, members: "= two_factor{challenge expires_in}" },
  {
    ...{ who: "P", ask: "POST /auth/2fa/verify", members: `${session} trusted_device` },
    body: { challenge: "$challenge", code: "$recovery", remember_device: true },
  },
  { who: "U", ask: "PATCH /agents/$agent", body: { name: "desk" }, members: agent },
  { who: "U", ask: "DELETE /agents/$agent", status: 204 },
  { who: "P", ask: "POST /demo/session", status: 201, members: "session expires_in" },
  { who: "D", ask: "POST /reset", members: "session expires_in" },
  { who: "D", ask: "DELETE /session", status: 204 },
];

/** What is missing, or too much, in `value` by such a text. */
function wrongWith(value: unknown, members: string, at = ""): string[] {
  if (typeof value !== "object" || value === null) return [`${at || "body"} is ${JSON.stringify(value)}`];
  const [closed, text] = members.startsWith("= ") ? [true, members.slice(2)] : [false, members];
  const wanted = split(text);
  const extra = closed ? Object.keys(value).filter(name => !wanted.some(one => one.name === name)) : [];
  return [
    ...extra.map(name => `${at}${name} is too much`),
    ...wanted.flatMap(({ name, kind, inner, mark }) => {
      const one = (value as Record<string, unknown>)[name];
      if (one === undefined) return mark === "?" ? [] : [`${at}${name} is missing`];
      if (kind === "object") return wrongWith(one, inner, `${at}${name}.`);
      if (kind !== "list") return [];
      if (!Array.isArray(one)) return [`${at}${name} is no list`];
      if (one.length === 0) return mark === "*" ? [] : [`${at}${name} is empty`];
      return one.slice(0, 20).flatMap((item, index) => wrongWith(item, inner, `${at}${name}.${index}.`));
    }),
  ];
}

interface Wanted {
  name: string;
  kind?: "object" | "list";
  inner: string;
  /** `?` or `*`. */
  mark: string;
}

function split(text: string): Wanted[] {
  const found: Wanted[] = [];
  for (let rest = text.trim(); rest !== ""; ) {
    const name = /^[\w-]+/.exec(rest)![0];
    rest = rest.slice(name.length);
    const open = /^[{[]/.exec(rest)?.[0];
    const end = open ? closing(rest) : 0;
    const inner = open ? rest.slice(1, end - 1) : "";
    rest = rest.slice(end);
    const mark = /^[?*]?/.exec(rest)![0];
    rest = rest.slice(mark.length).trimStart();
    found.push({ name, ...(open ? { kind: open === "{" ? "object" : "list" } : {}), inner, mark });
  }
  return found;
}

function closing(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (/[{[]/.test(text[at]!)) depth++;
    if (/[}\]]/.test(text[at]!) && --depth === 0) return at + 1;
  }
  throw new Error(`not closed: ${text}`);
}

let world: World;
const known: Record<string, Record<string, string>> = { tenant: {}, demo: {} };
let token: string;
let machine: string;
beforeAll(async () => {
  world = await createWorld({ GATEHOUSE_LOG_LEVEL: "error" });
  token = await world.admin();
  await world.person("member");
  const { items } = (await world.call("GET", "/api/org/members", { token })).json;
  known["tenant"]!["member"] = items.find((one: { role: string }) => one.role === "member").id;
  const connected = await world.agent();
  machine = connected.token;
  known["tenant"]!["agent"] = connected.id;
  known["demo"]!["session"] = (await world.call("POST", "/api/demo/session")).json.session;
  known["demo"]!["agent"] = (await asked("D", { who: "D", ask: "GET /agents?limit=1" })).json.items[0].id;
  known["demo"]!["scan"] = (
    await asked("D", { who: "D", ask: "GET /compliance/scans/history?limit=1" })
  ).json.items[0].id;
});
afterAll(() => world.close());

/** What later rows name by `$…`. */
// biome-ignore lint/suspicious/noExplicitAny: replies are what is looked into
function remembered(ask: string, json: any): Record<string, string> {
  if (ask === "POST /auth/device-code") return { user_code: json.user_code, device_code: json.device_code };
  if (ask === "POST /compliance/scans") return { scan: json.id };
  if (ask === "POST /org/members") return { invited: json.id };
  if (ask === "POST /auth/2fa/setup") return { totp: generateSync({ secret: json.secret }) };
  if (ask === "POST /auth/2fa/enable") return { recovery: json.recovery_codes[0] };
  return json?.two_factor ? { challenge: json.two_factor.challenge } : {};
}

async function asked(who: string, { ask, body, type }: Row): Promise<Reply> {
  const side = known[who === "D" ? "demo" : "tenant"]!;
  const filled = (text: string) => text.replaceAll(/\$(\w+)/g, (_, name) => side[name] ?? `no-${name}`);
  const [method, path] = filled(ask).split(" ") as [string, string];
  const reply = await world.call(method, (who === "D" ? "/api/demo" : "/api") + path, {
    ...(who === "U" ? { token } : who === "A" ? { token: machine } : {}),
    headers: {
      ...(who === "D" ? { "x-demo-session": side["session"]! } : {}),
      ...(body !== undefined && type ? { "content-type": type } : {}),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.parse(filled(JSON.stringify(body))) }),
  });
  Object.assign(side, remembered(ask, reply.json));
  return reply;
}

test("every row of the contract answers with the status and the members that are written there, to everybody it names", async () => {
  const wrong: string[] = [];
  for (const row of rows)
    for (const who of row.who) {
      const reply = await asked(who, row);
      const { status = 200, members, type } = row;
      const say = (problem: string) => wrong.push(`${who} ${row.ask}: ${problem}`);
      if (reply.status !== status) say(`${reply.status} ${reply.text.slice(0, 200)}`);
      else if (members) for (const problem of wrongWith(reply.json, members)) say(problem);
      else if (status === 204) reply.text === "" || say(reply.text);
      else if (!reply.headers.get("content-type")!.startsWith(type!)) say(reply.headers.get("content-type")!);
    }
  expect(wrong).toEqual([]);
});

test("every operation of the description that is no extension has a row", async () => {
  const { paths } = (await world.call("GET", "/api/openapi.json")).json;
  const told = new Set(
    rows.map(({ ask }) => ask.replace(/\?.*/, "").replace(/\$\w+/, "{id}").replace("/packs/core", "/packs/{name}")),
  );
  const without = Object.entries<Record<string, { "x-extension"?: boolean }>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !operation["x-extension"] && !path.startsWith("/api/demo/"))
      .map(([method]) => `${method.toUpperCase()} ${path.replace("/api", "")}`)
      .filter(name => !told.has(name)),
  );
  expect(without).toEqual([]);
});
