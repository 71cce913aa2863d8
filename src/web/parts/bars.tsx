import type { Slice } from "../state/buckets.ts";

const HEIGHT = 48;

/** Bottom up: what was stopped stands on the base line, where it can be compared. */
const layers = [
  ["block", "fill-chart-block"],
  ["ask", "fill-chart-ask"],
  ["warn", "fill-chart-warn"],
  ["allow", "fill-chart-allow"],
] as const;

/** A small column chart: entries by hour and verdict. The figures are in its description. */
export function Columns({ slices, label }: { slices: Slice[]; label: string }) {
  const most = Math.max(1, ...slices.map(({ total }) => total));
  const y = (value: number) => (value / most) * HEIGHT;
  return (
    <svg
      viewBox={`0 0 ${slices.length * 4} ${HEIGHT}`}
      preserveAspectRatio="none"
      class="h-40 w-full"
      role="img"
      aria-label={label}
    >
      {slices.map((slice, at) => {
        let below = 0;
        const rect = (count: number, colour: string) => {
          below += count;
          return <rect key={colour} x={at * 4} y={HEIGHT - y(below)} width={3} height={y(count)} class={colour} />;
        };
        return (
          <g key={slice.t}>
            {layers.map(([kind, colour]) => rect(slice[kind], colour))}
            {rect(slice.total - below, "fill-chart-rest")}
          </g>
        );
      })}
    </svg>
  );
}

/** Shares of a whole as one bar; what each part is stands beside it in words. */
export const Shares = ({ parts }: { parts: [count: number, colour: string][] }) => {
  const total = parts.reduce((sum, [count]) => sum + count, 0) || 1;
  return (
    <div class="bar flex" aria-hidden="true">
      {parts.map(([count, colour]) => (
        <div key={colour} class={colour} style={{ width: `${(count / total) * 100}%` }} />
      ))}
    </div>
  );
};
