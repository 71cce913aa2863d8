import { useState } from "preact/hooks";
import { Icon } from "./icons.tsx";

const SHOWN_MS = 1600;

export function CopyButton({ text, label = "Copy" }: { text: string | (() => string); label?: string }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard.writeText(typeof text === "string" ? text : text());
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  return (
    <button type="button" class="btn btn-small" onClick={copy}>
      <Icon name="copy" class="size-3.5" />
      <span aria-live="polite">{copied ? "Copied" : label}</span>
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
