/**
 * Milliseconds of processor time that this thread needs for `work`: what bounds an algorithm, however much else the
 * machine does meanwhile.
 */
export function spentMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
