import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { EnrolmentKey } from "../../directory/enrolment-keys.ts";
import { iso, isoOrNull } from "../../domain/time.ts";
import { refusal } from "../../errors.ts";
import { admin, route } from "../access.ts";
import { note } from "../note.ts";
import { pageOfAll, pageQuery, pageReply } from "../page.ts";
import { ownAccount } from "../own-account.ts";
import type { Parts } from "../parts.ts";
import { noContent } from "../reply.ts";
import { InstallationId, Line, body, Id, query, Name } from "../schema.ts";
import { registerAgent } from "../register-agent.ts";
import { actorOf, personOf } from "../visit.ts";

const DAY_S = 86_400;
const Create = body({
  name: Name,
  uses: T.Optional(T.Integer({ minimum: 1, maximum: 10_000, description: "Default 1" })),
  expires_in_days: T.Optional(T.Integer({ minimum: 1, maximum: 366, description: "Default 7" })),
});
const Enrol = body({
  key: Line,
  name: T.Optional(Name),
  hostname: T.Optional(Line),
  platform: T.Optional(Line),
  version: T.Optional(Line),
  installation_id: T.Optional(InstallationId),
});
const byAdmin = (summary: string) =>
  route({ need: "person", roles: admin, summary, tags: ["agents"], extension: true });

const reply = ({ created_at, expires_at, last_used_at, ...key }: EnrolmentKey) => ({
  ...key,
  ...{ created_at: iso(created_at), expires_at: iso(expires_at), last_used_at: isoOrNull(last_used_at) },
});

/** Enrolment keys: machines connect without a person's press (CI, device management). */
export function enrolmentRoutes(parts: Parts) {
  const { enrolmentKeys } = parts.directory;
  return new Elysia()
    .get(
      "/auth/enrolment-keys",
      ({ query, request, set }) => {
        const { items, next_cursor } = pageOfAll(enrolmentKeys.list(personOf(request).org), query);
        return pageReply(request, set, { items: items.map(reply), next_cursor });
      },
      { query: query(pageQuery), ...byAdmin("Enrolment keys") },
    )
    .post(
      "/auth/enrolment-keys",
      async ({ body: { name, uses = 1, expires_in_days = 7 }, request, set }) => {
        const { org, account } = ownAccount(request);
        const made = enrolmentKeys.create({
          org,
          name,
          uses,
          expires_in_s: expires_in_days * DAY_S,
          created_by: account,
        });
        const attributes = { key: made.id, name, uses, expires_at: iso(made.expires_at) };
        await note(parts, { org, kind: "enrolment_key.created", actor: actorOf(request), attributes }, () =>
          enrolmentKeys.revoke(org, made.id),
        );
        set.status = 201;
        return reply(made);
      },
      { body: Create, ...byAdmin("Make an enrolment key; it is shown once") },
    )
    .delete(
      "/auth/enrolment-keys/:id",
      async ({ params: { id }, request }) => {
        const { org } = personOf(request);
        enrolmentKeys.revoke(org, id);
        await note(parts, { org, kind: "enrolment_key.revoked", actor: actorOf(request), attributes: { key: id } });
        return noContent();
      },
      { params: T.Object({ id: Id }), ...byAdmin("Revoke an enrolment key") },
    )
    .post("/auth/enrol", ({ body }) => enrol(parts, body), {
      body: Enrol,
      ...route({
        need: "public",
        rate: "device_code",
        summary: "Connect an agent with an enrolment key",
        tags: ["agents"],
        extension: true,
      }),
    });
}

async function enrol(parts: Parts, { key, ...device }: typeof Enrol.static) {
  const { agents, enrolmentKeys } = parts.directory;
  const used = enrolmentKeys.use(key);
  if (!used) throw refusal("invalid_credentials", "This enrolment key is unknown, used up, revoked or expired.");
  try {
    const { id, agent } = await registerAgent(parts, used.org, device, { kind: "system", id: used.id });
    const access_token = agents.issue(used.org, id);
    if (!access_token) throw refusal("conflict", "The agent was removed while it was being connected.");
    return { access_token, token_type: "Bearer" as const, scope: "agent", agent };
  } catch (error) {
    enrolmentKeys.giveBack(used.id);
    throw error;
  }
}
