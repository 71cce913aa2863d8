import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useReducer, useRef } from "preact/hooks";

interface Props {
  count: number;
  row_px: number;
  label: string;
  /** Row under the keyboard, and being opened. */
  active: number;
  onActive(index: number): void;
  onOpen(index: number): void;
  /** The end is in sight. */
  onEnd(): void;
  children(index: number): ComponentChildren;
}

/** Only the rows in sight are in the page. Arrow keys and j/k move, Enter opens. */
export function VirtualList({ count, row_px, label, active, onActive, onOpen, onEnd, children }: Props) {
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const list = useRef<Virtualizer<HTMLDivElement, HTMLElement>>();
  const options = {
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => row_px,
    overscan: 8,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(0),
  };
  list.current ??= new Virtualizer(options);
  list.current.setOptions(options);
  useEffect(() => {
    const unmount = list.current!._didMount();
    list.current!._willUpdate();
    redraw(0);
    return unmount;
  }, []);
  useEffect(() => list.current!._willUpdate());
  useEffect(() => list.current!.measure(), [row_px]);
  const rows = list.current.getVirtualItems();
  const last = rows.at(-1)?.index ?? -1;
  useEffect(() => {
    if (count > 0 && last >= count - 10) onEnd();
  }, [last, count]);
  const move = (to: number) => {
    if (count === 0) return;
    const next = Math.max(0, Math.min(count - 1, to));
    onActive(next);
    list.current!.scrollToIndex(next);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 15, PageUp: -15 };
    const step = steps[event.key];
    if (step !== undefined) move(active + step);
    else if (event.key === "Home") move(0);
    else if (event.key === "Enter" && active >= 0 && active < count) onOpen(active);
    else return;
    event.preventDefault();
  };
  return (
    <div
      ref={scroller}
      role="listbox"
      aria-label={label}
      aria-activedescendant={active >= 0 ? `row-${active}` : undefined}
      tabIndex={0}
      onKeyDown={onKeyDown}
      class="h-[calc(100dvh-22rem)] min-h-80 overflow-y-auto"
    >
      <div class="relative" style={{ height: `${list.current.getTotalSize()}px` }}>
        {rows.map(({ index, start }) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list itself takes the keys
          <div
            key={index}
            id={`row-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            aria-posinset={index + 1}
            aria-setsize={count}
            class="absolute inset-x-0 top-0 cursor-pointer"
            style={{ height: `${row_px}px`, transform: `translateY(${start}px)` }}
            onClick={() => (onActive(index), onOpen(index))}
          >
            {children(index)}
          </div>
        ))}
      </div>
    </div>
  );
}
