import type { Slice } from "../state/buckets.ts";

const HEIGHT = 48;

/** A small column chart: calls by hour, what was stopped on top. The figures are in its description. */
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
      {slices.map(({ t, total, ask, block, warn }, at) => {
        const stopped = y(block);
        const asked = y(ask + warn);
        const rest = y(total) - stopped - asked;
        return (
          <g key={t}>
            <rect x={at * 4} y={HEIGHT - rest} width={3} height={rest} class="fill-accent opacity-45" />
            <rect x={at * 4} y={HEIGHT - rest - asked} width={3} height={asked} class="fill-chart-warn" />
            <rect x={at * 4} y={HEIGHT - rest - asked - stopped} width={3} height={stopped} class="fill-chart-block" />
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
