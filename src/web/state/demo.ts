import { signal } from "@preact/signals";

/** The demo workspace of this tab. Its handle lives in tab-scoped storage only. */
export interface Demo {
  handle: string;
  /** Idle time after which the server forgets it, seconds. */
  idle_s: number;
  /** Unix ms of the last answered call. */
  used_at: number;
}

const KEY = "gatehouse.demo";
export const DEMO_BASE = "/demo";

/** Pages below /demo show the demo workspace, all others the organisation. */
export const inDemo = (): boolean => location.pathname === DEMO_BASE || location.pathname.startsWith(`${DEMO_BASE}/`);

export const demo = signal<Demo | undefined>(read());

function read(): Demo | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? "null") as Demo | null) ?? undefined;
  } catch {
    return undefined;
  }
}

export function keepDemo(handle: string, idle_s: number): void {
  demo.value = { handle, idle_s, used_at: Date.now() };
  sessionStorage.setItem(KEY, JSON.stringify(demo.value));
}

/** A call was answered: the idle time starts again. */
export function touchDemo(): void {
  if (!demo.value) return;
  demo.value = { ...demo.value, used_at: Date.now() };
  sessionStorage.setItem(KEY, JSON.stringify(demo.value));
}

export function dropDemo(): void {
  sessionStorage.removeItem(KEY);
  demo.value = undefined;
}
