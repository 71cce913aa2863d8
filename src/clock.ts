/** Unix milliseconds. A shared offset lets tests move the clock of every thread at once. */
export type Now = () => number;

export function createClock(offset?: SharedArrayBuffer): Now {
  if (!offset) return Date.now;
  const ms = new Float64Array(offset);
  return () => Date.now() + ms[0]!;
}
