/** What another process has used, from /proc; undefined where that is not there. */
import { readdirSync, readFileSync } from "node:fs";

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}

/** Processor milliseconds so far (100 ticks a second on Linux). */
export function cpuMs(pid: number): number | undefined {
  const fields = read(pid, "stat")
    ?.replace(/^.*\) /, "")
    .split(" ");
  return fields && (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Resident memory, MiB: now and at its highest. */
export function memory(pid: number): { now: number; highest: number } | undefined {
  const status = read(pid, "status");
  const of = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status!)![1]) / 1024;
  return status === undefined ? undefined : { now: of("VmRSS"), highest: of("VmHWM") };
}

/** Open files and connections. */
export function openFiles(pid: number): number | undefined {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return undefined;
  }
}
