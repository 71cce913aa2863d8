import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { api, ask } from "./api.ts";

const names = signal(new Map<string, string>());

/** Names of agents by id, for lists that carry ids only. */
export function useAgentNames(): Map<string, string> {
  useEffect(() => {
    ask(api().agents.get({ query: { limit: 200 } })).then(
      ({ items }) =>
        void (names.value = new Map([...names.value, ...items.map(({ id, name }): [string, string] => [id, name])])),
      () => {},
    );
  }, []);
  return names.value;
}
