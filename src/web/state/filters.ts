import { useSearchParams } from "wouter-preact";

export type Filters<Name extends string> = Partial<Record<Name, string>>;

/** Filters of a view live in its URL, so that every view can be linked. Setting one to undefined takes it out. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): [Filters<Name>, (change: { [K in Name]?: string | undefined }) => void] {
  const [params, setParams] = useSearchParams();
  const filters: Filters<Name> = {};
  for (const name of names) {
    const value = params.get(name);
    if (value) filters[name] = value;
  }
  const set = (change: { [K in Name]?: string | undefined }) =>
    setParams(before => {
      const next = new URLSearchParams(before);
      for (const [name, value] of Object.entries(change) as [string, string | undefined][])
        if (value) next.set(name, value);
        else next.delete(name);
      return next;
    });
  return [filters, set];
}
