import { readlinkSync } from "node:fs";

/**
 * The system's number of the thread that asks (/proc, proc(5)), where there is one. By it others read its processor time. The
 * demo's thread does without: it opens nothing.
 */
export function threadId(): number | undefined {
  try {
    return Number(readlinkSync("/proc/thread-self").split("/").at(-1));
  } catch {
    return undefined;
  }
}
