import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, ask } from "./api.ts";

const names = signal(new Map<string, string>());

/** Titles of frameworks by id, for figures that carry ids only. They never change while a page is open. */
export function useFrameworkNames(): Map<string, string> {
  useEffect(() => {
    if (names.value.size > 0) return;
    ask(api().compliance.frameworks.get({ query: { all: true } })).then(
      ({ items }) => void (names.value = new Map(items.map(({ id, title }) => [id, title]))),
      () => {},
    );
  }, []);
  return names.value;
}
