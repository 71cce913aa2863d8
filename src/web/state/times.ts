/** Times in the reader's zone; UTC is shown on hover. */
const full = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "medium" });
const day = new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" });
const clock = new Intl.DateTimeFormat(undefined, {
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hour12: false,
});
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto", style: "short" });

export const fullTime = (iso: string): string => full.format(new Date(iso));
export const dayTime = (iso: string): string => `${day.format(new Date(iso))}, ${clock.format(new Date(iso))}`;
export const minuteTime = (iso: string): string => dayTime(iso).replace(/:\d\d$/, "");
export const utcTime = (iso: string): string => `${new Date(iso).toISOString().replace("T", " ").replace("Z", "")} UTC`;

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
  ["second", 1000],
];

/** "3 min. ago", "in 2 hr."; the unit that fits. */
export function ago(iso: string, now_ms: number): string {
  const difference = Date.parse(iso) - now_ms;
  const [unit, length] = steps.find(([, ms]) => Math.abs(difference) >= ms) ?? ["second", 1000];
  return relative.format(Math.round(difference / length), unit);
}

const count = new Intl.NumberFormat();
export const number = (value: number): string => count.format(value);

const irregular: Record<string, string> = { entry: "entries", leaf: "leaves" };

/** One noun with its count: `plural(2, "agent")` is "2 agents". */
export const plural = (value: number, noun: string): string =>
  `${number(value)} ${value === 1 ? noun : (irregular[noun] ?? `${noun}s`)}`;
