import { type Decision, decisions } from "../../domain/policy/verdict.ts";
import type { Stream } from "../log.ts";
import { compress, decompress } from "../zstd.ts";

/** The columns of a bundle: what filters and statistics ask for, and what leaves are made of beside the bodies. */
export interface Columns {
  n: number;
  /** Unix ms. */
  ts: Float64Array;
  kind: Uint32Array;
  agent: Uint32Array;
  facet: Uint32Array;
  /** Bytes of the body; 0 once erased. */
  length: Uint32Array;
  /** Bits 0–2: decision (0 none, else 1 + its index); bit 3: state; bit 4: echo. */
  flags: Uint8Array;
}

type Numbers = Uint8Array | Uint16Array | Uint32Array;

const rawBelow = 5;
const planes = [4, 2, 4, 4, 4, 4, 1] as const;
const bytesPerEntry = planes.reduce((sum: number, width) => sum + width, 0);
const stateBit = 8;
const echoBit = 16;

export const flagsOf = (decision: Decision | undefined, stream: Stream, echo: boolean): number =>
  (decision ? decisions.indexOf(decision) + 1 : 0) | (stream === "state" ? stateBit : 0) | (echo ? echoBit : 0);
export const decisionOf = (flags: number): Decision | undefined => decisions[(flags & 7) - 1];
export const isState = (flags: number): boolean => (flags & stateBit) !== 0;
export const isEcho = (flags: number): boolean => (flags & echoBit) !== 0;
/** The decision that counts: none for the echo of one logged already. */
export const countedDecision = (flags: number): number => (isEcho(flags) ? 0 : flags & 7);

export function emptyColumns(n: number): Columns {
  return {
    n,
    ts: new Float64Array(n),
    kind: new Uint32Array(n),
    agent: new Uint32Array(n),
    facet: new Uint32Array(n),
    length: new Uint32Array(n),
    flags: new Uint8Array(n),
  };
}

/**
 * Every number is cut into byte planes (all lowest bytes, then all second bytes, …): high planes are nearly constant and
 * vanish under zstd. Times are steps from the entry before, 48 bits. First byte: 1 when compressed.
 */
export function encodeColumns(columns: Columns, level = 1): Uint8Array {
  const { n } = columns;
  const bytes = new Uint8Array(1 + n * bytesPerEntry);
  const low = new Uint32Array(n);
  const high = new Uint16Array(n);
  for (let i = 1; i < n; i++) {
    const step = columns.ts[i]! - columns.ts[i - 1]!;
    low[i] = step % 2 ** 32;
    high[i] = Math.floor(step / 2 ** 32);
  }
  const numbers = [low, high, columns.kind, columns.agent, columns.facet, columns.length, columns.flags];
  let at = 1;
  planes.forEach((width, column) => {
    const values = numbers[column]!;
    const used = bits(values);
    for (let byte = 0; byte < width; byte++, at += n)
      if (used >>> (byte * 8) !== 0) putPlane(bytes, at, values, byte * 8);
  });
  if (n < rawBelow) return bytes;
  const packed = compress(bytes.subarray(1), level);
  const out = new Uint8Array(1 + packed.length);
  out[0] = 1;
  out.set(packed, 1);
  return out;
}

/** The bits any of the numbers has. */
function bits(numbers: Numbers): number {
  let all = 0;
  for (let i = 0; i < numbers.length; i++) all |= numbers[i]!;
  return all >>> 0;
}

function putPlane(bytes: Uint8Array, at: number, numbers: Numbers, shift: number): void {
  for (let i = 0; i < numbers.length; i++) bytes[at + i] = numbers[i]! >>> shift;
}

/** Throws on damaged input. */
export function decodeColumns(stored: Uint8Array, n: number, ts0: number): Columns {
  const bytes = stored[0] === 1 ? decompress(stored.subarray(1)) : stored.subarray(1);
  if (bytes.length !== n * bytesPerEntry) throw new Error("the columns are not as long as their bundle");
  const columns = emptyColumns(n);
  const low = new Uint32Array(n);
  const high = new Uint32Array(n);
  const numbers = [low, high, columns.kind, columns.agent, columns.facet, columns.length, columns.flags];
  let at = 0;
  planes.forEach((width, column) => {
    for (let byte = 0; byte < width; byte++, at += n) takePlane(bytes, at, numbers[column]!, byte * 8);
  });
  let ts = ts0;
  for (let i = 0; i < n; i++) columns.ts[i] = ts += low[i]! + high[i]! * 2 ** 32;
  return columns;
}

function takePlane(bytes: Uint8Array, at: number, numbers: Uint32Array | Uint8Array, shift: number): void {
  for (let i = 0; i < numbers.length; i++) {
    const byte = bytes[at + i]!;
    if (byte !== 0) numbers[i]! |= byte << shift;
  }
}
