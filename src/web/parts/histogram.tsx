import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../state/theme.ts";
import type { Slice } from "../state/buckets.ts";

const HEIGHT_PX = 110;
const kinds = ["allow", "warn", "ask", "block"] as const;

/** Entries over time, stacked by decision. Dragging over it chooses a time range. */
export function Histogram({
  slices,
  bucket_ms,
  onBrush,
}: {
  slices: Slice[];
  bucket_ms: number;
  onBrush(from: string, to: string): void;
}) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>();
  const brush = useRef(onBrush);
  brush.current = onBrush;
  const shown = useRef(slices);
  shown.current = slices;
  useEffect(() => {
    const host = place.current!;
    const draw = () => {
      plot.current?.destroy();
      plot.current = new uPlot(
        optionsOf(host, bucket_ms, (from, to) => brush.current(from, to)),
        stack(shown.current),
        host,
      );
    };
    const stop = effect(() => {
      theme.value;
      draw();
    });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    const sized = new ResizeObserver(() => plot.current?.setSize({ width: host.clientWidth, height: HEIGHT_PX }));
    sized.observe(host);
    return () => {
      stop();
      sized.disconnect();
      dark.removeEventListener("change", draw);
      plot.current?.destroy();
      plot.current = undefined;
    };
  }, [bucket_ms]);
  // Into the same plot, so that a refresh does not take a range away that is being dragged.
  useEffect(() => plot.current?.setData(stack(slices)), [slices]);
  const total = slices.reduce((sum, slice) => sum + slice.total, 0);
  const blocked = slices.reduce((sum, slice) => sum + slice.block, 0);
  return (
    <div
      ref={place}
      role="img"
      aria-label={`${total} entries over time, ${blocked} blocked. Drag to choose a time range.`}
      class="w-full"
    />
  );
}

/** Cumulated from the top, so that each series is drawn in front of the one that contains it. */
function stack(slices: Slice[]): uPlot.AlignedData {
  const x = slices.map(({ t }) => Date.parse(t) / 1000);
  const total = slices.map(slice => slice.total);
  const series = [total];
  let left = total;
  for (const kind of ["none", ...kinds].slice(0, -1)) {
    left = left.map(
      (value, at) => value - (kind === "none" ? other(slices[at]!) : slices[at]![kind as (typeof kinds)[number]]),
    );
    series.push(left);
  }
  return [x, ...series];
}

const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit", hour12: false });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });

/** Times of day in the reader's zone; the day where it changes. */
function ticks(splits: number[]): string[] {
  const days = splits.map(s => day.format(s * 1000));
  const step_s = (splits[1] ?? 0) - (splits[0] ?? 0);
  return splits.map((s, at) =>
    step_s >= 86_400 || (at > 0 && days[at] !== days[at - 1]) ? days[at]! : clock.format(s * 1000),
  );
}

const other = ({ total, allow, warn, ask, block }: Slice) => total - allow - warn - ask - block;

function optionsOf(host: HTMLElement, bucket_ms: number, onBrush: (from: string, to: string) => void): uPlot.Options {
  const probe = document.createElement("span");
  host.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--color-${name})`;
    return getComputedStyle(probe).color;
  };
  const bars = uPlot.paths.bars!({ size: [0.86, 40], align: 1 });
  const axis = {
    stroke: colour("soft"),
    font: `11px ${getComputedStyle(host).fontFamily}`,
    grid: { stroke: colour("line"), width: 1 },
    ticks: { show: false },
  };
  const options: uPlot.Options = {
    width: host.clientWidth || 600,
    height: HEIGHT_PX,
    legend: { show: false },
    padding: [8, 4, 0, 0],
    cursor: { points: { show: false }, drag: { x: true, y: false, setScale: false }, y: false },
    scales: {
      x: { range: (_, min, max) => [min, max + bucket_ms / 1000] },
      y: { range: (_, __, max) => [0, Math.max(1, max)] },
    },
    axes: [
      { ...axis, grid: { show: false }, size: 22, values: (_, splits) => ticks(splits) },
      { ...axis, size: 40, splits: (_, __, ___, max) => [0, Math.ceil(max / 2), Math.ceil(max)] },
    ],
    series: [
      {},
      ...["chart-rest", ...kinds.map(kind => `chart-${kind}`)].map(name => ({
        fill: colour(name),
        width: 0,
        paths: bars,
        points: { show: false },
      })),
    ],
    hooks: {
      setSelect: [
        plot => {
          if (plot.select.width < 4) return;
          const at = (px: number) => plot.posToVal(px, "x") * 1000;
          const from = Math.floor(at(plot.select.left) / bucket_ms) * bucket_ms;
          const to = Math.ceil(at(plot.select.left + plot.select.width) / bucket_ms) * bucket_ms;
          onBrush(new Date(from).toISOString(), new Date(to).toISOString());
        },
      ],
    },
  };
  probe.remove();
  return options;
}
