import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { iso } from "../../domain/time.ts";
import { admin, route } from "../access.ts";
import type { Parts } from "../parts.ts";
import { settings } from "../schema.ts";
import { actorOf, orgOf, personOf } from "../visit.ts";

const Mode = T.Union([T.Literal("enforce"), T.Literal("audit-only")]);

export function orgRoutes({ dispatch, directory, plans }: Parts) {
  return new Elysia()
    .get(
      "/org",
      async ({ request }) => {
        const { org, role } = personOf(request);
        const { id, name, created_at, plan } = directory.organisations.get(org);
        const { mode } = await dispatch.ask(org, "org.mode", null);
        const { id: plan_id, name: plan_name } = plans.get(plan)!;
        return {
          id,
          name,
          created_at: iso(created_at),
          enforcement_mode: mode,
          plan: { id: plan_id, name: plan_name },
          role,
        };
      },
      route({ need: "person", summary: "Current organisation and plan", tags: ["organisation"] }),
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
