import { dismiss, notices } from "../state/notices.ts";
import { Icon } from "./icons.tsx";

export const Notices = () => (
  <div class="fixed right-4 bottom-4 z-50 space-y-2" role="status" aria-live="polite">
    {notices.value.map(({ id, text }) => (
      <div key={id} class="flex items-center gap-3 rounded-lg border border-line bg-panel px-3 py-2 text-sm shadow-lg">
        {text}
        <button type="button" class="text-soft" aria-label="Dismiss" onClick={() => dismiss(id)}>
          <Icon name="close" class="size-3.5" />
        </button>
      </div>
    ))}
  </div>
);
