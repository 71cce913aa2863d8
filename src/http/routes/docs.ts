import { createHash } from "node:crypto";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { Elysia } from "elysia";
import { route } from "../access.ts";
import { type Packing, packingOf } from "../dashboard.ts";
import type { Page } from "../docs-page.ts";
import { pull } from "../etag.ts";
import type { AnyRoute } from "../openapi.ts";
import type { Parts } from "../parts.ts";

/** The description and its page. `routes` is asked for once everything is in place. */
export function docsRoutes(parts: Parts, routes: () => readonly AnyRoute[]) {
  let text: string | undefined;
  let page: Page | undefined;
  let packed: Record<Packing, Uint8Array<ArrayBuffer>> | undefined;
  // Loaded when somebody asks: the schemas of all replies are half of what a start would take otherwise.
  const document = async () => {
    const { describe } = await import("../openapi.ts");
    return describe(routes(), parts.release.version, parts.public_url);
  };
  return new Elysia()
    .get(
      "/openapi.json",
      async ({ request }) => {
        text ??= JSON.stringify(await document());
        return pull(request, text, createHash("sha256").update(text).digest("hex"));
      },
      route({ need: "public", summary: "This description", tags: ["public"], extension: true }),
    )
    .get(
      "/docs",
      async ({ request }) => {
        const { docsPage } = await import("../docs-page.ts");
        const { html, csp } = (page ??= docsPage(await document()));
        const packing = packingOf(request.headers.get("accept-encoding"));
        packed ??= { br: brotliCompressSync(html), gzip: gzipSync(html) };
        return new Response(packing ? packed[packing] : html, {
          headers: {
            "content-type": "text/html; charset=utf-8",
            "content-security-policy": csp,
            vary: "accept-encoding",
            ...(packing ? { "content-encoding": packing } : {}),
          },
        });
      },
      route({ need: "public", summary: "The description to browse", tags: ["public"], extension: true }),
    );
}
