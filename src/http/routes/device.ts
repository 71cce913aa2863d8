import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Device } from "../../directory/device-codes.ts";
import { iso } from "../../domain/time.ts";
import { refusal } from "../../errors.ts";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";
import { registerAgent } from "../register-agent.ts";
import { body, InstallationId, Line, query, Name } from "../schema.ts";
import { actorOf, personOf, visitOf } from "../visit.ts";

/** The grant's own name (RFC 8628 §3.4). */
export const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const DeviceCode = body({
  client_id: T.Optional(Line),
  scope: T.Optional(T.String({ maxLength: 200 })),
  name: T.Optional(Name),
  hostname: T.Optional(Line),
  platform: T.Optional(Line),
  version: T.Optional(Line),
  installation_id: T.Optional(InstallationId),
});

const UserCode = T.String({ minLength: 1, maxLength: 32 });

/** The device authorization grant (RFC 8628), in JSON and in the form encoding that OAuth clients send. */
export function deviceRoutes(parts: Parts) {
  const { directory } = parts;
  return new Elysia()
    .post("/auth/device-code", ({ body: { scope, ...device }, request }) => start(parts, device, visitOf(request).ip), {
      body: DeviceCode,
      ...route({
        need: "public",
        rate: "device_code",
        media: ["json", "form"],
        summary: "Start the device code flow",
        tags: ["authentication"],
      }),
    })
    .get("/auth/device-verify", ({ query: { user_code }, request }) => describe(parts, request, user_code), {
      query: query({ user_code: UserCode }),
      ...route({ need: "person", rate: "user_code", summary: "What asks to be connected", tags: ["authentication"] }),
    })
    .post(
      "/auth/device-verify",
      ({ body: { user_code, action }, request }) => {
        if (action === "approve") return approve(parts, request, user_code);
        if (!directory.deviceCodes.deny(user_code)) throw wrongCode(parts, request);
        return { status: "denied" as const };
      },
      {
        body: body({ user_code: UserCode, action: T.Union([T.Literal("approve"), T.Literal("deny")]) }),
        ...route({
          need: "person",
          roles: ["admin", "member"],
          rate: "user_code",
          summary: "Approve or deny a device",
          tags: ["authentication"],
        }),
      },
    )
    .post("/auth/device-token", ({ body }) => token(parts, body), {
      body: body({
        device_code: T.Optional(T.String()),
        grant_type: T.Optional(T.String()),
        client_id: T.Optional(T.String()),
      }),
      ...route({
        need: "public",
        media: ["json", "form"],
        summary: "Poll for the agent token",
        tags: ["authentication"],
      }),
    });
}

function start({ directory, public_url }: Parts, device: Device, ip: string) {
  const { device_code, user_code, expires_in, interval } = directory.deviceCodes.start(device, ip);
  const verification_uri = `${public_url}/device`;
  return {
    device_code,
    user_code,
    verification_uri,
    verification_url: verification_uri,
    verification_uri_complete: `${verification_uri}?user_code=${user_code}`,
    expires_in,
    interval,
  };
}

function describe(parts: Parts, request: Request, user_code: string) {
  const asked = parts.directory.deviceCodes.describe(user_code);
  if (!asked) throw wrongCode(parts, request);
  const { name, hostname, platform, version, ip, created_at, expires_at } = asked;
  const said = { name: name ?? null, hostname: hostname ?? null, platform: platform ?? null, version: version ?? null };
  return { user_code: asked.user_code, ...said, ip, created_at: iso(created_at), expires_at: iso(expires_at) };
}

/** The agent's entry is logged before a token can exist; when that fails the code can be confirmed again. */
async function approve(parts: Parts, request: Request, user_code: string) {
  const { directory } = parts;
  const { org } = personOf(request);
  const approved = directory.deviceCodes.approve(user_code);
  if (!approved) throw wrongCode(parts, request);
  const { code, device } = approved;
  try {
    const { id, agent } = await registerAgent(parts, org, device, actorOf(request));
    directory.deviceCodes.grant(code, id);
    return { status: "approved" as const, agent };
  } catch (error) {
    directory.deviceCodes.release(code);
    throw error;
  }
}

async function token({ directory, dispatch }: Parts, asked: { device_code?: string; grant_type?: string }) {
  if (asked.grant_type !== undefined && asked.grant_type !== DEVICE_GRANT) throw refusal("unsupported_grant_type");
  if (!asked.device_code) throw refusal("invalid_request", "device_code is required.");
  const polled = directory.deviceCodes.poll(asked.device_code);
  if (polled.reply !== "granted") throw refusal(polled.reply);
  const agent = await dispatch.ask(polled.org, "agents.get", { id: polled.agent });
  return { access_token: polled.token, token_type: "Bearer" as const, scope: "agent", agent };
}

/** Guessing is what this costs: five wrong codes a minute and person. */
function wrongCode({ rates }: Parts, request: Request) {
  rates.wrong_code.take(personOf(request).account);
  return refusal("not_found", "This code is unknown, used or expired. Ask for a new one.");
}
