import { Elysia } from "elysia";
import { refusal } from "../../errors.ts";
import { route } from "../access.ts";
import { type DashboardFile, packingOf, readDashboard } from "../dashboard.ts";
import type { Parts } from "../parts.ts";

const operation = (summary: string) =>
  route({ need: "public", summary, tags: ["dashboard"], extension: true, busy: true });

/** The dashboard: one page at every address of its own, its files under /assets. Nothing of it comes from another host. */
export function webRoutes({ config }: Pick<Parts, "config">) {
  const dashboard = readDashboard();
  const policy = contentSecurityPolicy(config.oidc_issuer);
  const page = ({ request }: { request: Request }) =>
    dashboard ? reply(request, dashboard.file("index.html")!, pageHeaders(policy)) : notBuilt();
  const app = new Elysia().get(
    "/assets/:name",
    ({ params: { name }, request }) => {
      const file = name === "index.html" ? undefined : dashboard?.file(name);
      if (!file) throw refusal("not_found", "There is no such file.");
      return reply(request, file, { "cache-control": "public, max-age=31536000, immutable" });
    },
    operation("A file of the dashboard"),
  );
  for (const path of dashboard?.pages ?? ["/"]) app.get(path, page, operation("The dashboard"));
  return app;
}

function reply(request: Request, { type, plain, packed }: DashboardFile, headers: Record<string, string>): Response {
  const packing = packingOf(request.headers.get("accept-encoding"));
  const encoding = packing ? { "content-encoding": packing } : {};
  return new Response(packing ? packed[packing] : plain(), {
    headers: { "content-type": type, vary: "accept-encoding", ...encoding, ...headers },
  });
}

const pageHeaders = (policy: string) => ({
  "cache-control": "no-cache",
  "content-security-policy": policy,
  "referrer-policy": "no-referrer",
  "x-frame-options": "DENY",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
});

/** Only what the server itself serves; the identity provider may be spoken to for signing in, where one is configured. */
function contentSecurityPolicy(issuer: string | undefined): string {
  const connect = ["'self'", ...(issuer ? [new URL(issuer).origin] : [])].join(" ");
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src ${connect}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

const notBuilt = () =>
  new Response("The dashboard is not built. Run `npm run build:web` and start again. The API is at /api.\n", {
    status: 503,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", "retry-after": "60" },
  });
