import type { ComponentChildren } from "preact";
import { ApiError } from "../state/api.ts";
import type { Asked } from "../state/use-ask.ts";
import { Icon, type IconName } from "./icons.tsx";

/** What happened, in the server's words, with the id that finds it in the server's log. */
export function Failure({ error, retry }: { error: Error; retry?: () => void }) {
  const refused = error instanceof ApiError ? error : undefined;
  return (
    <div role="alert" class="rounded-md border border-line bg-block-wash px-3 py-2 text-sm">
      <div class="flex items-start gap-2">
        <Icon name="warning" class="mt-0.5 text-block" />
        <div class="min-w-0 flex-1">
          <p>{refused ? refused.message : "This page failed. Reload it; if it stays, report it."}</p>
          {refused && refused.details.length > 0 && (
            <ul class="mt-1 list-disc pl-4">
              {refused.details.map(({ path, message }) => (
                <li key={path + message}>
                  <code>{path}</code> {message}
                </li>
              ))}
            </ul>
          )}
          {refused?.request_id && (
            <p class="mt-0.5 text-xs text-soft">
              Request <code class="text-xs break-all">{refused.request_id}</code>
            </p>
          )}
        </div>
        {retry && (
          <button type="button" class="btn btn-small" onClick={retry}>
            Try again
          </button>
        )}
      </div>
    </div>
  );
}

/** Nothing here: why, and what to do next. */
export const Empty = ({ icon, title, children }: { icon: IconName; title: string; children?: ComponentChildren }) => (
  <div class="mx-auto max-w-xl px-4 py-10 text-center">
    <Icon name={icon} class="mx-auto size-7 text-soft" />
    <h2 class="mt-2">{title}</h2>
    <div class="mt-1 space-y-3 text-sm text-soft [&_.code]:text-left">{children}</div>
  </div>
);

export const Loading = ({ rows = 4 }: { rows?: number }) => (
  <div class="space-y-2 p-4" role="status" aria-label="Loading">
    {Array.from({ length: rows }, (_, at) => (
      <div key={at} class="h-5 animate-pulse rounded bg-raised" />
    ))}
  </div>
);

/** Loading, failed, or there. */
export function Await<T>({
  asked,
  rows,
  children,
}: {
  asked: Asked<T>;
  rows?: number;
  children: (data: T) => ComponentChildren;
}) {
  if (asked.data !== undefined)
    return (
      <>
        {asked.error && <Failure error={asked.error} retry={asked.reload} />}
        {children(asked.data)}
      </>
    );
  if (asked.error)
    return (
      <div class="p-4">
        <Failure error={asked.error} retry={asked.reload} />
      </div>
    );
  return <Loading {...(rows ? { rows } : {})} />;
}
