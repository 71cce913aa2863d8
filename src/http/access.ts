import type { Role } from "../domain/identity/roles.ts";

/**
 * Who may call a route, declared beside its handler and nowhere else. The front door refuses whatever does not say so,
 * the description and the access matrix are read from the same declaration.
 */
export type Need = "public" | "person" | "agent" | "either";
export type Media = "json" | "form" | "ndjson" | "yaml" | "sarif";
export type RateName = "playground" | "login" | "device_code" | "user_code" | "demo";

export interface Access {
  need: Need;
  /** Roles a person needs; none given = any role. */
  roles?: readonly Role[];
  /** What the body may be; default JSON up to 1 MiB. */
  media?: readonly Media[];
  body_max_bytes?: number;
  /** The handler reads the bytes itself, packed or not (`Content-Encoding: gzip|zstd`). */
  raw?: boolean;
  /** Counted per client address before anything else. */
  rate?: RateName;
  /** For visitors of the demo, by their handle alone. */
  demo?: boolean;
  /** Answered in a stream, for as long as the caller reads. */
  long?: boolean;
  /** Called so often that its log line is `debug`. */
  busy?: boolean;
}

export interface Operation extends Access {
  summary: string;
  tags?: string[];
  /** Not in the specification: marked `x-extension` in the description. */
  extension?: boolean;
  /** Response schemas by status, for the description only. */
  responses?: Record<number, unknown>;
}

export const KIB = 1024;
export const MIB = 1024 * KIB;
export const BODY_MAX_BYTES = MIB;
export const admin = ["admin"] as const satisfies readonly Role[];

const ACCESS = "x-access";

/** The hook member that declares a route: `.get("/org", handler, route({ need: "person", summary: "…" }))`. */
export function route(operation: Operation) {
  const { summary, tags, extension, responses, ...access } = operation;
  const security = access.need === "public" ? [] : [{ bearer: [] }];
  return {
    detail: {
      summary,
      tags: tags ?? [],
      security,
      ...(extension ? { "x-extension": true } : {}),
      ...(responses ? { "x-responses": responses } : {}),
      [ACCESS]: access,
    } as { summary: string; tags: string[]; security: { bearer: string[] }[] },
  };
}

export function accessOf(detail: unknown): Access | undefined {
  return (detail as Record<string, Access> | undefined)?.[ACCESS];
}

/** The same declaration for another caller: the twin of a route in the demo. */
export function withAccess(detail: object, access: Access) {
  const security = access.demo ? [{ demo: [] }] : access.need === "public" ? [] : [{ bearer: [] }];
  return { ...detail, tags: access.demo ? ["demo"] : [], security, "x-extension": false, [ACCESS]: access };
}
