import { createHash } from "node:crypto";
import { Elysia } from "elysia";
import { admin, MIB, route } from "../access.ts";
import { ifMatch, pull } from "../etag.ts";
import type { Parts } from "../parts.ts";
import { actorOf, orgOf } from "../visit.ts";

export function policyRoutes({ dispatch }: Parts) {
  return new Elysia()
    .get(
      "/policy",
      async ({ request }) => {
        const { document, etag } = await dispatch.ask(orgOf(request), "policy.document", null);
        return pull(request, document, etag);
      },
      route({ need: "either", busy: true, summary: "The policy in force, signed", tags: ["policy"] }),
    )
    .get(
      "/policy/yaml",
      async ({ request }) => {
        const { yaml, etag } = await dispatch.ask(orgOf(request), "policy.yaml", null);
        return pull(request, yaml, etag, "application/yaml");
      },
      route({ need: "either", summary: "The policy as its author wrote it", tags: ["policy"] }),
    )
    .put(
      "/policy/yaml",
      async ({ request, body, set }) => {
        const tag = ifMatch(request);
        const change = { yaml: String(body ?? ""), actor: actorOf(request), ...(tag ? { if_match: tag } : {}) };
        const changed = await dispatch.ask(orgOf(request), "policy.change", change);
        set.headers["etag"] = `"${changed.hash}"`;
        return changed;
      },
      route({
        need: "person",
        roles: admin,
        media: ["yaml"],
        body_max_bytes: MIB,
        extension: true,
        summary: "Replace the policy; a mistake is answered with line and column",
        tags: ["policy"],
      }),
    )
    .get(
      "/agent/config",
      async ({ request }) => {
        const document = JSON.stringify(await dispatch.ask(orgOf(request), "policy.config", null));
        return pull(request, document, createHash("sha256").update(document).digest("hex"));
      },
      route({ need: "agent", busy: true, summary: "What an agent needs to know", tags: ["agents"] }),
    );
}
