/** Cursors are opaque to callers: the seq of the last entry handed out, in base 36 behind a mark of the version. */
const pattern = /^e([0-9a-z]{1,11})$/;

export const formatCursor = (seq: number): string => `e${seq.toString(36)}`;

/** Undefined when it is not one of ours. */
export function parseCursor(cursor: string): number | undefined {
  const digits = pattern.exec(cursor)?.[1];
  const seq = digits === undefined ? Number.NaN : Number.parseInt(digits, 36);
  return Number.isSafeInteger(seq) ? seq : undefined;
}
