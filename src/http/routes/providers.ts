import { Elysia } from "elysia";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";

/** How one may sign in here, for the sign-in page. */
export function providerRoutes({ config }: Parts) {
  const { oidc_issuer: issuer, oidc_client_id, oidc_audience } = config;
  const oidc = issuer
    ? { issuer, client_id: oidc_client_id ?? null, audience: oidc_audience ?? oidc_client_id ?? null }
    : null;
  return new Elysia().get("/auth/providers", () => ({ password: true, oidc }), {
    ...route({ need: "public", summary: "Ways to sign in", tags: ["authentication"], extension: true }),
  });
}
