import type { Facets } from "../../domain/audit/facets.ts";

/**
 * Facets are kept as one name, `[client, server, tool, ...rules]`, so that every column is one number. There are about
 * as many of them as clients × tools × sets of rules; long values are cut.
 */
const lengthMax = 256;
const rulesMax = 64;

/** Undefined when there is nothing to keep. */
export function facetName(facets: Facets | undefined): string | undefined {
  if (!facets) return undefined;
  const { client, server, tool, rules } = facets;
  if (!client && !server && !tool && !rules?.length) return undefined;
  return JSON.stringify([cut(client), cut(server), cut(tool), ...(rules ?? []).slice(0, rulesMax).map(cut)]);
}

const cut = (text: string | undefined) => (text ? text.slice(0, lengthMax) : null);

export function parseFacets(name: string | undefined, echo: boolean): Facets {
  const [client, server, tool, ...rules] = name ? (JSON.parse(name) as (string | null)[]) : [];
  return {
    ...(client ? { client } : {}),
    ...(rules.length > 0 ? { rules: rules as string[] } : {}),
    ...(server ? { server } : {}),
    ...(tool ? { tool } : {}),
    ...(echo ? { echo } : {}),
  };
}
