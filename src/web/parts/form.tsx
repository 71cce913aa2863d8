import type { ComponentChildren, JSX } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useAct } from "../state/use-ask.ts";
import { Failure } from "./states.tsx";

interface FieldProps {
  label: string;
  name: string;
  hint?: ComponentChildren;
  type?: string;
  value?: string;
  required?: boolean;
  autoComplete?: string;
  minLength?: number;
  maxLength?: number;
  placeholder?: string;
  inputMode?: JSX.HTMLAttributes["inputMode"];
  pattern?: string;
  autoFocus?: boolean;
}

export function Field({ label, hint, name, value, type = "text", autoFocus = false, ...rest }: FieldProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  // The attribute alone counts only while the document loads. Whoever sees the field may type at once.
  useLayoutEffect(() => {
    if (autoFocus) input.current?.focus();
  }, []);
  return (
    <div>
      <label class="label" for={id}>
        {label}
      </label>
      <input
        ref={input}
        id={id}
        class="input"
        name={name}
        type={type}
        // biome-ignore lint/a11y/noAutofocus: a dialog opens with the focus in its first field
        autoFocus={autoFocus}
        defaultValue={value ?? ""}
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...rest}
      />
      {hint && (
        <p class="hint mt-1" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}

export function Select<T extends string>({
  label,
  name,
  value,
  options,
  onChange,
  hidden = false,
}: {
  label: string;
  name: string;
  value?: T;
  options: readonly (readonly [T, string])[];
  onChange?(value: T): void;
  hidden?: boolean;
}) {
  const id = useId();
  return (
    <div>
      <label class={hidden ? "sr-only" : "label"} for={id}>
        {label}
      </label>
      <select
        id={id}
        class="input"
        name={name}
        value={value}
        onChange={event => onChange?.(event.currentTarget.value as T)}
      >
        {options.map(([key, text]) => (
          <option key={key} value={key}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A form that says what it does while it does it, and what went wrong. */
export function Form({
  action,
  work,
  children,
  danger = false,
  after,
}: {
  action: string;
  work(values: Record<string, string>): Promise<unknown>;
  children: ComponentChildren;
  danger?: boolean;
  after?: ComponentChildren;
}) {
  const { busy, error, act } = useAct();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const values = Object.fromEntries(new FormData(event.currentTarget as HTMLFormElement)) as Record<string, string>;
    void act(() => work(values));
  };
  return (
    <form class="space-y-3" onSubmit={submit}>
      {children}
      {error && <Failure error={error} />}
      <div class="flex flex-wrap items-center gap-3">
        <button type="submit" class={`btn ${danger ? "btn-danger" : "btn-primary"}`} disabled={busy}>
          {busy ? "Working…" : action}
        </button>
        {after}
      </div>
    </form>
  );
}
