import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";

const PAUSE_MS = 250;

/** Searches when typing pauses. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange(value: string | undefined): void;
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = value ?? "";
  }, [value]);
  const typed = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(text.trim() || undefined), PAUSE_MS);
  };
  return (
    <div class="relative min-w-48 flex-1 sm:max-w-xs">
      <Icon name="search" class="pointer-events-none absolute top-2 left-2.5 text-soft" />
      <input
        ref={input}
        type="search"
        class="input pl-8"
        aria-label={label}
        placeholder={label}
        defaultValue={value ?? ""}
        onInput={event => typed(event.currentTarget.value)}
      />
    </div>
  );
}
