import type { ComponentChildren } from "preact";
import { number } from "../state/times.ts";

interface Choice {
  /** Undefined: all of them. */
  value: string | undefined;
  count: number;
  /** What stands on the button, where that is not the value. */
  text?: string;
  /** Class of the square that stands for it in a chart. */
  colour?: string;
}
interface Props {
  choices: readonly Choice[];
  chosen: string | undefined;
  choose: (status: string | undefined) => void;
  children?: ComponentChildren;
}

/** Narrows a list to one status, each with its number; pressed again it shows all. */
export const StatusFilter = ({ choices, chosen, choose, children }: Props) => (
  <div class="flex flex-wrap gap-1" role="group" aria-label="Status">
    {choices.map(({ value, count, text = value?.replace("_", " "), colour }) => (
      <button
        key={text}
        type="button"
        class="btn btn-small"
        aria-pressed={chosen === value}
        onClick={() => choose(chosen === value ? undefined : value)}
      >
        {colour && <span class={`size-2 rounded-sm ${colour}`} />}
        {text} <span class="opacity-80">{number(count)}</span>
      </button>
    ))}
    {children}
  </div>
);

/** Says that a list shows the things of one, and takes that back. */
export const Only = ({ what, clear }: { what: string; clear: () => void }) => (
  <button type="button" class="btn btn-small" onClick={clear}>
    Only {what}: show all
  </button>
);
