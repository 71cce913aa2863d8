/** What another process has used, from /proc; undefined where that is not there. */
import { readdirSync, readFileSync } from "node:fs";

function read(pid: number, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return undefined;
  }
}

/** Processor milliseconds so far (100 ticks a second on Linux), with those of its running children when asked for. */
export function cpuMs(pid: number, { children = false } = {}): number | undefined {
  const fields = fieldsOf(pid);
  if (!fields) return undefined;
  const below = children ? childrenOf(pid) : [];
  return (Number(fields[11]) + Number(fields[12])) * 10 + below.reduce((sum, child) => sum + (cpuMs(child) ?? 0), 0);
}

/** What stands behind the name, which may hold spaces (proc_pid_stat(5), from field 3 on). */
const fieldsOf = (pid: number) =>
  read(pid, "stat")
    ?.replace(/^.*\) /s, "")
    .split(" ");

const childrenOf = (pid: number) =>
  readdirSync("/proc")
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(other => Number(fieldsOf(other)?.[1]) === pid);

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
