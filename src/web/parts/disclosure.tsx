import type { ComponentChildren } from "preact";
import { Icon } from "./icons.tsx";

export const Disclosure = ({
  title,
  open = false,
  children,
}: {
  title: ComponentChildren;
  open?: boolean;
  children: ComponentChildren;
}) => (
  <details class="group" open={open}>
    <summary class="flex list-none items-center gap-1.5 py-1 text-sm font-medium [&::-webkit-details-marker]:hidden">
      <Icon name="right" class="size-3.5 text-soft group-open:rotate-90" />
      {title}
    </summary>
    <div class="pt-1">{children}</div>
  </details>
);
