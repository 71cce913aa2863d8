import { Elysia } from "elysia";
import { hasRoom } from "../../domain/org/plans.ts";
import { refusal } from "../../errors.ts";
import { admin, route } from "../access.ts";
import { note } from "../note.ts";
import { pageOfAll, pageQuery, pageReply } from "../page.ts";
import type { Parts } from "../parts.ts";
import { planOf, usageOf } from "../room.ts";
import { Line, query, settings } from "../schema.ts";
import { actorOf, orgOf, personOf } from "../visit.ts";

/** The catalogue, and the plan an organisation is on. */
export function planRoutes(parts: Parts) {
  const { plans, directory, dispatch } = parts;
  const present = (org: string) => ({ ...planOf(parts, org), usage: usageOf(parts, org) });
  return new Elysia()
    .get("/plans", ({ query, request, set }) => pageReply(request, set, pageOfAll([...plans.values()], query)), {
      query: query(pageQuery),
      ...route({ need: "either", summary: "Plan catalogue", tags: ["organisation"] }),
    })
    .get(
      "/org/plan",
      ({ request }) => present(orgOf(request)),
      route({ need: "either", summary: "Current plan", tags: ["organisation"] }),
    )
    .put(
      "/org/plan",
      async ({ body, request }) => {
        const { org } = personOf(request);
        const next = plans.get(body.plan);
        const before = planOf(parts, org);
        if (!next)
          throw refusal("invalid", {
            details: [{ path: "/plan", message: `Must be one of: ${[...plans.keys()].join(", ")}` }],
          });
        if (next.id === before.id) return present(org);
        for (const what of ["seats", "agents"] as const)
          if (!hasRoom(next, what, usageOf(parts, org)[what] - 1))
            throw refusal("plan_limit", `The plan ${next.name} allows ${next[what]} ${what}; remove some first.`);
        directory.organisations.setPlan(org, next.id);
        const attributes = { plan: next.id, before: before.id };
        await note(parts, { org, kind: "org.plan_changed", actor: actorOf(request), attributes }, () =>
          directory.organisations.setPlan(org, before.id),
        );
        dispatch.reintroduce(org);
        return present(org);
      },
      {
        body: settings({ plan: Line }),
        ...route({ need: "person", roles: admin, summary: "Change the plan", tags: ["organisation"], extension: true }),
      },
    );
}
