import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";

/** Title, what the page is for, and its actions. The heading takes the focus after a navigation, so that readers hear where they are. */
export function Page({
  title,
  says,
  actions,
  children,
}: {
  title: string;
  says?: ComponentChildren;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <div class="mx-auto w-full max-w-[90rem] space-y-4 px-4 py-5 sm:px-6">
      <div class="flex flex-wrap items-end justify-between gap-x-4 gap-y-2">
        <div class="min-w-0">
          <h1 ref={heading} tabIndex={-1} class="break-words">
            {title}
          </h1>
          {says && <p class="mt-0.5 max-w-3xl text-sm text-soft">{says}</p>}
        </div>
        {actions && <div class="flex flex-wrap items-center gap-2">{actions}</div>}
      </div>
      {children}
    </div>
  );
}

export const Card = ({
  title,
  aside,
  children,
  class: extra = "",
}: {
  title?: ComponentChildren;
  aside?: ComponentChildren;
  children: ComponentChildren;
  class?: string;
}) => (
  <section class={`card ${extra}`}>
    {title !== undefined && (
      <div class="card-head">
        <h2>{title}</h2>
        {aside && <div class="flex flex-wrap items-center gap-2 text-sm text-soft">{aside}</div>}
      </div>
    )}
    {children}
  </section>
);

/** Tables scroll sideways on narrow screens instead of breaking the page. */
export const Scroll = ({ label, children }: { label: string; children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable with the keyboard
  <section class="overflow-x-auto" aria-label={label} tabIndex={0}>
    {children}
  </section>
);

/** Term and value pairs of one thing. */
export const Facts = ({ rows }: { rows: [string, ComponentChildren][] }) => (
  <dl class="grid grid-cols-[fit-content(40%)_minmax(0,1fr)] gap-x-6 gap-y-1.5 px-4 py-3 text-sm">
    {rows.map(([term, value]) => (
      <>
        <dt class="text-soft">{term}</dt>
        <dd class="min-w-0 break-words">{value}</dd>
      </>
    ))}
  </dl>
);
