import { readFileSync } from "node:fs";

/** Linux counts in hundredths of a second (`sysconf(_SC_CLK_TCK)`, 100 on every machine Linux runs on today). */
const MS_PER_TICK = 10;
const [USER, SYSTEM] = [11, 12];

/**
 * Processor milliseconds that a thread of this process has used (`tid` as in /proc, proc_pid_stat(5)). Where the system does not
 * tell threads apart, those of all threads but the one that asks: more than the thread's own.
 */
export function cpuMs(tid?: number): number {
  const own = tid === undefined ? undefined : ofThread(tid);
  if (own !== undefined) return own;
  const [all, asking] = [process.cpuUsage(), process.threadCpuUsage()];
  return (all.user + all.system - asking.user - asking.system) / 1000;
}

function ofThread(tid: number): number | undefined {
  try {
    // The name in brackets may hold spaces.
    const fields = readFileSync(`/proc/self/task/${tid}/stat`, "latin1")
      .replace(/^.*\) /s, "")
      .split(" ");
    return (Number(fields[USER]) + Number(fields[SYSTEM])) * MS_PER_TICK;
  } catch {
    return undefined;
  }
}
