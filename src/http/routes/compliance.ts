import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { admin, route } from "../access.ts";
import { afterText, encodeCursor, LIMIT_DEFAULT, pageOfAll, pageQuery, pageReply, unknownCursor } from "../page.ts";
import type { Parts } from "../parts.ts";
import { peopleOf } from "../people.ts";
import { body, query } from "../schema.ts";
import { actorOf, orgOf } from "../visit.ts";

const FrameworkId = T.String({ pattern: "^[a-z][a-z0-9-]{1,39}$" });
const one = { framework: T.Optional(FrameworkId) };
const OneFramework = query(one);
const tags = ["compliance"];

/** Frameworks, rules and coverage; scans have a file of their own. */
export function complianceRoutes(parts: Parts) {
  const { dispatch, directory, release } = parts;
  const rules = ({ query, request }: { query: typeof RuleQuery.static; request: Request }) =>
    listRules(dispatch, query, request);
  const asked = (request: Request, { framework }: typeof OneFramework.static) => ({
    people: peopleOf(parts, orgOf(request)),
    ...(framework === undefined ? {} : { framework }),
  });
  return new Elysia()
    .get(
      "/compliance/frameworks",
      async ({ query: { all, ...page }, request, set }) => {
        const frameworks = await dispatch.ask(orgOf(request), "compliance.frameworks", { all: all ?? false });
        return pageReply(request, set, pageOfAll(frameworks, page));
      },
      {
        query: query({ ...pageQuery, all: T.Optional(T.Boolean({ description: "The whole catalogue" })) }),
        ...route({ need: "person", summary: "Enabled frameworks", tags }),
      },
    )
    .post(
      "/compliance/frameworks",
      async ({ body: { framework }, request, set }) => {
        const change = { framework, actor: actorOf(request) };
        set.status = 201;
        return dispatch.ask(orgOf(request), "compliance.enable", change);
      },
      {
        body: body({ framework: FrameworkId }),
        ...route({ need: "person", roles: admin, summary: "Enable a framework", tags }),
      },
    )
    .post(
      "/compliance/frameworks/disable",
      ({ body: { framework }, request }) =>
        dispatch.ask(orgOf(request), "compliance.disable", { framework, actor: actorOf(request) }),
      {
        body: body({ framework: FrameworkId }),
        ...route({ need: "person", roles: admin, summary: "Disable a framework", tags }),
      },
    )
    .get(
      "/compliance/rules",
      async ({ query, request, set }) => pageReply(request, set, await rules({ query, request })),
      {
        query: RuleQuery,
        ...route({ need: "either", summary: "Rules and control mappings", tags }),
      },
    )
    .get("/comply/rules", async ({ query, request, set }) => pageReply(request, set, await rules({ query, request })), {
      query: RuleQuery,
      ...route({ need: "either", summary: "Rules and control mappings, as the scanner asks for them", tags }),
    })
    .get(
      "/compliance/status",
      ({ query, request }) => dispatch.finish(orgOf(request), "compliance.status", asked(request, query)),
      { query: OneFramework, ...route({ need: "person", summary: "Coverage of the enabled frameworks", tags }) },
    )
    .get(
      "/compliance/export",
      async ({ query, request }) => {
        const org = orgOf(request);
        const question = {
          ...asked(request, query),
          organisation: directory.organisations.get(org).name,
          product: { name: "Gatehouse", version: release.version },
        };
        const document = await dispatch.finish(org, "compliance.export", question);
        const headers = {
          "content-type": "application/json",
          "content-disposition": 'attachment; filename="assessment-results.json"',
        };
        return new Response(JSON.stringify(document), { headers });
      },
      {
        query: query({ ...one, format: T.Optional(T.Literal("oscal")) }),
        ...route({ need: "person", summary: "Coverage as OSCAL assessment results", tags, extension: true }),
      },
    );
}

const RuleQuery = query({ ...pageQuery, ...one });

/** The rules are few and fixed: all of them at once, unless the caller asks for pages. */
async function listRules(dispatch: Parts["dispatch"], query: typeof RuleQuery.static, request: Request) {
  const { framework, limit, cursor } = query;
  const all = await dispatch.ask(orgOf(request), "compliance.rules", framework === undefined ? {} : { framework });
  const after = afterText(cursor);
  const start = after === undefined ? 0 : all.findIndex(rule => rule.id === after) + 1;
  if (after !== undefined && start === 0) throw unknownCursor();
  if (limit === undefined && after === undefined) return { items: all, next_cursor: null };
  const items = all.slice(start, start + (limit ?? LIMIT_DEFAULT));
  const more = start + items.length < all.length;
  return { items, next_cursor: more ? encodeCursor([items.at(-1)!.id]) : null };
}
