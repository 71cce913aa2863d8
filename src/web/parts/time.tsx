import { useSignal } from "@preact/signals";
import { useEvery } from "../state/use-ask.ts";
import { ago, dayTime, fullTime, minuteTime, utcTime } from "../state/times.ts";

/** A moment in the reader's zone; UTC on hover. `relative` says how long ago. */
export function Time({
  iso,
  relative = false,
  long = false,
  minute = false,
}: {
  iso: string | null | undefined;
  relative?: boolean;
  long?: boolean;
  minute?: boolean;
}) {
  const now = useSignal(Date.now());
  useEvery(15_000, () => {
    if (relative) now.value = Date.now();
  });
  if (!iso) return <span class="text-soft">never</span>;
  const title = relative ? `${fullTime(iso)} · ${utcTime(iso)}` : utcTime(iso);
  return (
    <time dateTime={iso} title={title} class="whitespace-nowrap">
      {relative ? ago(iso, now.value) : long ? fullTime(iso) : minute ? minuteTime(iso) : dayTime(iso)}
    </time>
  );
}
