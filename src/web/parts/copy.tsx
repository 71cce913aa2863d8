import { useState } from "preact/hooks";
import { Icon } from "./icons.tsx";

const SHOWN_MS = 1600;

export function CopyButton({ text, label = "Copy" }: { text: string | (() => string); label?: string }) {
  const [said, say] = useState<string>();
  const copy = async () => {
    // Browsers lend the clipboard to pages over TLS and of this machine only.
    const taken = navigator.clipboard?.writeText(typeof text === "string" ? text : text()) ?? Promise.reject();
    say(
      await taken.then(
        () => "Copied",
        () => "Not allowed here",
      ),
    );
    setTimeout(() => say(undefined), SHOWN_MS);
  };
  return (
    <button type="button" class="btn btn-small" onClick={copy}>
      <Icon name="copy" class="size-3.5" />
      <span aria-live="polite">{said ?? label}</span>
    </button>
  );
}

/** A command to take away. */
export const Command = ({ text, label }: { text: string; label?: string }) => (
  <div class="flex items-center gap-2">
    <code class="code min-w-0 flex-1 wrap-anywhere whitespace-pre-wrap">{text}</code>
    <CopyButton text={text} {...(label ? { label } : {})} />
  </div>
);
