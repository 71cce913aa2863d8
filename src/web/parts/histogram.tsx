import { effect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import { theme } from "../state/theme.ts";
import type { Slice } from "./bars.tsx";

const HEIGHT_PX = 110;
const BUCKETS_MAX = 1000;
const kinds = ["allow", "warn", "ask", "block"] as const;

/** Entries over time, stacked by decision. Dragging over it chooses a time range. */
/** Every bucket from the start of the window to its end: what nobody logged is shown as nothing. */
export function filled(slices: Slice[], bucket_ms: number, from: string | undefined, to: string | undefined): Slice[] {
  const known = new Map(slices.map(slice => [Date.parse(slice.t), slice]));
  const times = [...known.keys()];
  const floor = (ms: number) => Math.floor(ms / bucket_ms) * bucket_ms;
  const last = Math.max(floor(to ? Date.parse(to) - 1 : Date.now()), ...times);
  const first = Math.min(floor(from ? Date.parse(from) : last - 23 * bucket_ms), ...times);
  const count = Math.min(BUCKETS_MAX, Math.round((last - first) / bucket_ms) + 1);
  return Array.from({ length: count }, (_, at) => {
    const t = last - (count - 1 - at) * bucket_ms;
    return known.get(t) ?? { t: new Date(t).toISOString(), total: 0, allow: 0, warn: 0, ask: 0, block: 0 };
  });
}

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
  const brush = useRef(onBrush);
  brush.current = onBrush;
  useEffect(() => {
    const host = place.current!;
    let plot: uPlot | undefined;
    const draw = () => {
      plot?.destroy();
      plot = new uPlot(
        optionsOf(host, bucket_ms, (from, to) => brush.current(from, to)),
        stack(slices),
        host,
      );
    };
    const stop = effect(() => {
      theme.value;
      draw();
    });
    const dark = matchMedia("(prefers-color-scheme: dark)");
    dark.addEventListener("change", draw);
    const sized = new ResizeObserver(() => plot?.setSize({ width: host.clientWidth, height: HEIGHT_PX }));
    sized.observe(host);
    return () => {
      stop();
      sized.disconnect();
      dark.removeEventListener("change", draw);
      plot?.destroy();
    };
  }, [slices, bucket_ms]);
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
    font: "11px system-ui",
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
      { ...axis, grid: { show: false }, size: 22 },
      { ...axis, size: 40, splits: (_, __, ___, max) => [0, Math.ceil(max / 2), Math.ceil(max)] },
    ],
    series: [
      {},
      ...["firm", ...kinds.map(kind => `chart-${kind}`)].map(name => ({
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
