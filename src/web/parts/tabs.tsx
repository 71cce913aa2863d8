/** Tabs in the ARIA pattern: one is in the tab order, arrow keys move between them. */
export function Tabs<T extends string>({
  label,
  tabs,
  chosen,
  onChoose,
}: {
  label: string;
  tabs: readonly (readonly [T, string])[];
  chosen: string;
  onChoose(tab: T): void;
}) {
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const at = tabs.findIndex(([key]) => key === chosen);
    const next = (at + step + tabs.length) % tabs.length;
    onChoose(tabs[next]![0]);
    (event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  };
  return (
    <div role="tablist" aria-label={label} class="flex gap-4 overflow-x-auto" onKeyDown={move}>
      {tabs.map(([key, text]) => (
        <button
          key={key}
          type="button"
          role="tab"
          class="tab"
          aria-selected={key === chosen}
          tabIndex={key === chosen ? 0 : -1}
          onClick={() => onChoose(key)}
        >
          {text}
        </button>
      ))}
    </div>
  );
}
