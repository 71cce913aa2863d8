import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { useAct } from "../state/use-ask.ts";
import { Icon } from "./icons.tsx";
import { Failure } from "./states.tsx";

/** A native modal dialog: the browser keeps the focus inside, closes it with Escape and gives the focus back. */
export function Dialog({
  title,
  onClose,
  children,
  kind = "modal",
}: {
  title: string;
  onClose(): void;
  children: ComponentChildren;
  kind?: "modal" | "drawer";
}) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it already
    <dialog
      ref={element}
      class={kind}
      aria-labelledby={id}
      onClose={onClose}
      onClick={event => event.target === element.current && onClose()}
    >
      <div class="sticky top-0 z-10 flex items-center justify-between gap-2 border-b border-line bg-panel px-4 py-2.5">
        <h2 id={id} class="min-w-0 truncate">
          {title}
        </h2>
        <button type="button" class="btn btn-plain btn-small" onClick={onClose} aria-label="Close">
          <Icon name="close" />
        </button>
      </div>
      <div class="p-4">{children}</div>
    </dialog>
  );
}

/** Asks before something that counts at once. */
export function Confirm({
  title,
  action,
  danger = true,
  onClose,
  work,
  children,
}: {
  title: string;
  action: string;
  danger?: boolean;
  onClose(): void;
  work(): Promise<unknown>;
  children: ComponentChildren;
}) {
  const { busy, error, act } = useAct();
  const run = async () => {
    if (await act(work)) onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <div class="space-y-3 text-sm">
        <div class="text-soft">{children}</div>
        {error && <Failure error={error} />}
        <div class="flex justify-end gap-2">
          <button type="button" class="btn" onClick={onClose}>
            Cancel
          </button>
          <button type="button" class={`btn ${danger ? "btn-danger" : "btn-primary"}`} disabled={busy} onClick={run}>
            {busy ? "Working…" : action}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
