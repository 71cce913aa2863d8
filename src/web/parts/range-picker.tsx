import { type Preset, presets, useRange, useWrittenRange } from "../state/range.ts";
import { dayTime } from "../state/times.ts";
import { Select } from "./form.tsx";

/** The one time range. A brushed one shows its moments; choosing a preset replaces it. */
export function RangePicker() {
  const [range, setRange] = useRange();
  useWrittenRange();
  const fixed = !("preset" in range);
  const options = Object.entries(presets) as [Preset | "fixed", string][];
  if (fixed) options.unshift(["fixed", `${dayTime(range.from)} – ${dayTime(range.to)}`]);
  return (
    <div class="min-w-36">
      <Select
        label="Time range"
        name="range"
        hidden
        value={fixed ? "fixed" : range.preset}
        options={options}
        onChange={value => value !== "fixed" && setRange({ preset: value })}
      />
    </div>
  );
}
