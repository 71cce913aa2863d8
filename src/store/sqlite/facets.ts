import type { Facets } from "../../domain/audit/facets.ts";
import type { Names } from "./names.ts";

/**
 * Facets are kept as one name, `[client, server, tool, ...rules]`, so that every column is one number. There are about
 * as many of them as clients × tools × sets of rules; long values are cut.
 */
const lengthMax = 256;
const rulesMax = 64;

/** The number the facets have among the names; 0 when there is nothing to keep. Inside a transaction. */
export function internFacets(names: Names, facets: Facets | undefined): number {
  if (!facets) return 0;
  const { client, server, tool, rules } = facets;
  if (server || tool || rules?.length) return names.intern(facetName(facets));
  // Most events name their client only.
  return client ? names.internAs(client, () => facetName(facets)) : 0;
}

function facetName({ client, server, tool, rules }: Facets): string {
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
