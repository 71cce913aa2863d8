import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { useAsk } from "../state/use-ask.ts";
import { Confirm } from "./dialog.tsx";
import { Card } from "./page.tsx";
import { Await } from "./states.tsx";

interface Props<T extends { id: string }> {
  title: string;
  says: string;
  aside?: (reload: () => void) => ComponentChildren;
  list(): Promise<{ items: T[] }>;
  row(one: T): ComponentChildren;
  revoke(one: T): Promise<unknown>;
  /** What it is called in the question. */
  name(one: T): string;
  action: string;
  empty: string;
}

/** Things that can be revoked: sessions, devices, tokens, keys. */
export function KeptList<T extends { id: string }>({
  title,
  says,
  aside,
  list,
  row,
  revoke,
  name,
  action,
  empty,
}: Props<T>) {
  const asked = useAsk(list, []);
  const [chosen, setChosen] = useState<T>();
  return (
    <Card title={title} aside={aside?.(asked.reload)}>
      <p class="px-4 pt-3 text-sm text-soft">{says}</p>
      <Await asked={asked} rows={2}>
        {({ items }) => (
          <ul class="divide-y divide-line py-1">
            {items.length === 0 && <li class="px-4 py-3 text-sm text-soft">{empty}</li>}
            {items.map(one => (
              <li key={one.id} class="flex flex-wrap items-center justify-between gap-3 px-4 py-2 text-sm">
                <div class="min-w-0 flex-1">{row(one)}</div>
                <button
                  type="button"
                  class="btn btn-small btn-danger"
                  onClick={() => setChosen(one)}
                  aria-label={`${action} ${name(one)}`}
                >
                  {action}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Await>
      {chosen && (
        <Confirm
          title={`${action} ${name(chosen)}?`}
          action={action}
          onClose={() => setChosen(undefined)}
          work={async () => {
            await revoke(chosen);
            asked.reload();
          }}
        >
          It stops working at once.
        </Confirm>
      )}
    </Card>
  );
}
