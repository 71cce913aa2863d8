import { Type as T } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";
import { Line } from "../schema.ts";

/** The running program offers itself, and those of other platforms that lie beside it; from source there is nothing to download. */
export function releaseRoutes(parts: Parts) {
  const { release } = parts;
  return new Elysia()
    .get(
      "/releases/latest",
      async () => {
        const url = (name: string) => `${parts.public_url}/api/releases/download/${encodeURIComponent(name)}`;
        const assets = (await release.assets()).map(asset => ({ ...asset, url: url(asset.name) }));
        return { version: release.version, published_at: release.published_at, notes_url: null, assets };
      },
      route({ need: "public", summary: "Latest release with its downloads", tags: ["public"] }),
    )
    .get(
      "/releases/download/:name",
      async ({ params: { name } }) => {
        const asset = (await release.assets()).find(one => one.name === name);
        if (!asset) throw refusal("not_found");
        const headers = {
          "content-type": "application/octet-stream",
          "content-length": String(asset.size),
          "content-disposition": `attachment; filename="${asset.name.replaceAll(/[^\w.-]/g, "_")}"`,
          "repr-digest": `sha-256=:${Buffer.from(asset.sha256, "hex").toString("base64")}:`,
        };
        return new Response(release.read(asset), { headers });
      },
      {
        params: T.Object({ name: Line }),
        ...route({ need: "public", summary: "A program of this release", tags: ["public"], extension: true }),
      },
    );
}
