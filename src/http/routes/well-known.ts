import { Elysia } from "elysia";
import { route } from "../access.ts";
import type { Parts } from "../parts.ts";
import { DEVICE_GRANT } from "./device.ts";

/** RFC 8414 metadata, so that any OAuth client can drive the device flow. */
export function wellKnownRoutes(parts: Parts) {
  return new Elysia().get(
    "/.well-known/oauth-authorization-server",
    () => {
      const issuer = parts.public_url;
      return {
        issuer,
        device_authorization_endpoint: `${issuer}/api/auth/device-code`,
        token_endpoint: `${issuer}/api/auth/device-token`,
        grant_types_supported: [DEVICE_GRANT],
        response_types_supported: [],
        token_endpoint_auth_methods_supported: ["none"],
        service_documentation: `${issuer}/api/docs`,
      };
    },
    route({ need: "public", summary: "OAuth server metadata", tags: ["authentication"], extension: true }),
  );
}
