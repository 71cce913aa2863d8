import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { iso } from "../../domain/time.ts";
import { admin, route } from "../access.ts";
import { note } from "../note.ts";
import type { Parts } from "../parts.ts";
import { planOf } from "../room.ts";
import { settings, Name } from "../schema.ts";
import { actorOf, orgOf, personOf } from "../visit.ts";

const Mode = T.Union([T.Literal("enforce"), T.Literal("audit-only")]);

export function orgRoutes(parts: Parts) {
  const { dispatch, directory } = parts;
  const present = async (request: Request) => {
    const { org, role } = personOf(request);
    const { id, name, created_at } = directory.organisations.get(org);
    const { mode } = await dispatch.ask(org, "org.mode", null);
    const { id: plan_id, name: plan_name } = planOf(parts, org);
    const plan = { id: plan_id, name: plan_name };
    return { id, name, created_at: iso(created_at), enforcement_mode: mode, plan, role };
  };
  return new Elysia()
    .get(
      "/org",
      ({ request }) => present(request),
      route({ need: "person", summary: "Current organisation and plan", tags: ["organisation"] }),
    )
    .patch(
      "/org",
      async ({ request, body: { name } }) => {
        const { org } = personOf(request);
        const before = directory.organisations.get(org).name;
        directory.organisations.rename(org, name);
        await note(parts, { org, kind: "org.renamed", actor: actorOf(request), attributes: { name, before } }, () =>
          directory.organisations.rename(org, before),
        );
        return present(request);
      },
      {
        body: settings({ name: Name }),
        ...route({ need: "person", roles: admin, summary: "Rename", tags: ["organisation"], extension: true }),
      },
    )
    .get(
      "/org/enforcement-mode",
      ({ request }) => dispatch.ask(orgOf(request), "org.mode", null),
      route({ need: "person", summary: "Read the enforcement mode", tags: ["organisation"] }),
    )
    .put(
      "/org/enforcement-mode",
      ({ request, body: { mode } }) => dispatch.ask(orgOf(request), "org.set_mode", { mode, actor: actorOf(request) }),
      {
        body: settings({ mode: Mode }),
        ...route({ need: "person", roles: admin, summary: "Set the enforcement mode", tags: ["organisation"] }),
      },
    );
}
