import { Elysia } from "elysia";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";
import { peopleOf } from "../people.ts";
import { orgOf } from "../visit.ts";

export function dashboardRoutes(parts: Parts) {
  return new Elysia().get(
    "/dashboard",
    ({ request }) => {
      const org = orgOf(request);
      return parts.dispatch.finish(org, "dashboard", { people: peopleOf(parts, org) });
    },
    route({ need: "person", summary: "Numbers of the Overview page", tags: ["organisation"] }),
  );
}
