import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { Sign } from "./icons.tsx";

/** The frame of every page before sign-in. */
export function Entrance({
  title,
  says,
  children,
  foot,
}: {
  title: string;
  says?: ComponentChildren;
  children: ComponentChildren;
  foot?: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  return (
    <main class="grid min-h-dvh place-items-center px-4 py-8">
      <div class="w-full max-w-sm">
        <div class="mb-5 flex items-center gap-2.5">
          <Sign class="size-8" />
          <span class="text-lg font-semibold tracking-tight">Gatehouse</span>
        </div>
        <div class="card space-y-4 p-5">
          <div>
            <h1>{title}</h1>
            {says && <p class="mt-1 text-sm text-soft">{says}</p>}
          </div>
          {children}
        </div>
        {foot && <div class="mt-4 space-y-1 px-1 text-sm text-soft">{foot}</div>}
      </div>
    </main>
  );
}
