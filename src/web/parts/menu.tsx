import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

const GAP_PX = 4;

/** A button that opens a native popover below itself: Escape and a press elsewhere close it. */
export function Menu({ button, children }: { button: ComponentChildren; children: ComponentChildren }) {
  const id = `menu-${useId()}`;
  const opener = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const place = () => {
    const { bottom, right } = opener.current!.getBoundingClientRect();
    const { style } = list.current!;
    style.top = `${bottom + GAP_PX}px`;
    style.right = `${Math.max(8, document.documentElement.clientWidth - right)}px`;
  };
  return (
    <>
      <button ref={opener} type="button" class="btn" popovertarget={id}>
        {button}
      </button>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: a choice closes it; Escape does too */}
      <div
        ref={list}
        id={id}
        popover="auto"
        onBeforeToggle={place}
        onClick={() => list.current?.hidePopover()}
        class="menu"
      >
        {children}
      </div>
    </>
  );
}
