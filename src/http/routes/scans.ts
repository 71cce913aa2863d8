import { createHash } from "node:crypto";
import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { MIB, route } from "../access.ts";
import { mediaOf, readBytes } from "../body.ts";
import { encodingOf } from "../encoding.ts";
import { idempotent } from "../idempotent.ts";
import { afterNumber, afterText, encodeCursor, LIMIT_DEFAULT, pageQuery, pageReply } from "../page.ts";
import type { Parts } from "../parts.ts";
import { Id, query } from "../schema.ts";
import { actorOf, orgOf, visitOf } from "../visit.ts";

const Project = T.String({ minLength: 1, maxLength: 200, pattern: "^[^\\u0000-\\u001f\\u007f]+$" });
const one = { project: T.Optional(Project) };
const OfProject = query(one);
const tags = ["compliance"];

export function scanRoutes(parts: Parts) {
  const { dispatch } = parts;
  return new Elysia()
    .post(
      "/compliance/scans",
      async ({ query: { project }, request, set }) => {
        const { access } = visitOf(request);
        const media = mediaOf(request, access.media!) as "json" | "sarif";
        const encoding = encodingOf(request);
        const bytes = await readBytes(request, access.body_max_bytes!);
        if (bytes.byteLength === 0) throw refusal("malformed_json", "The body is empty.");
        const upload = { bytes, encoding, media, ...(project === undefined ? {} : { project }) };
        set.status = 201;
        const sent = { project, media, digest: createHash("sha256").update(bytes).digest("hex") };
        const transfer = [bytes.buffer as ArrayBuffer];
        return idempotent(parts, request, sent, async () => {
          const org = orgOf(request);
          const scan = await dispatch.ask(org, "scans.read", upload, { bytes: bytes.byteLength, transfer });
          return dispatch.ask(org, "scans.ingest", { scan, actor: actorOf(request) });
        });
      },
      {
        parse: "none",
        query: OfProject,
        ...route({
          need: "either",
          roles: ["admin", "member"],
          raw: true,
          media: ["json", "sarif"],
          body_max_bytes: 10 * MIB,
          summary: "Take a scan: our own form or SARIF 2.1.0, packed with gzip or zstd if liked",
          tags,
        }),
      },
    )
    .get("/compliance/scans/latest", ({ query, request }) => dispatch.ask(orgOf(request), "scans.latest", query), {
      query: OfProject,
      ...route({ need: "person", summary: "The latest scan", tags }),
    })
    .get(
      "/compliance/scans/history",
      async ({ query: { limit = LIMIT_DEFAULT, cursor, project }, request, set }) => {
        const before = afterNumber(cursor);
        const scans = await dispatch.ask(orgOf(request), "scans.history", {
          limit: limit + 1,
          ...(project === undefined ? {} : { project }),
          ...(before === undefined ? {} : { before }),
        });
        const items = scans.slice(0, limit);
        const next_cursor = scans.length > limit ? encodeCursor([items.at(-1)!.seq]) : null;
        return pageReply(request, set, { items, next_cursor });
      },
      {
        query: query({ ...pageQuery, ...one }),
        ...route({ need: "person", summary: "Scans, the newest first", tags }),
      },
    )
    .get("/compliance/scans/detail", ({ query, request }) => dispatch.ask(orgOf(request), "scans.detail", query), {
      query: query({ id: Id }),
      ...route({ need: "person", summary: "One scan with its results", tags }),
    })
    .get(
      "/compliance/scans/projects",
      async ({ query: { limit = LIMIT_DEFAULT, cursor }, request, set }) => {
        const after = afterText(cursor);
        const projects = await dispatch.ask(orgOf(request), "scans.projects", {
          limit: limit + 1,
          ...(after === undefined ? {} : { after }),
        });
        const items = projects.slice(0, limit);
        const next_cursor = projects.length > limit ? encodeCursor([items.at(-1)!.project]) : null;
        return pageReply(request, set, { items, next_cursor });
      },
      { query: query(pageQuery), ...route({ need: "person", summary: "Projects that were scanned", tags }) },
    );
}
