const FRAME = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const DICTIONARY_BYTES = [0, 1, 2, 4];
const SIZE_BYTES = [0, 2, 4, 8];
/** Whoever flushes each event into a frame of its own stays below it; opening so many costs 20 ms. */
export const FRAMES_MAX = 1000;

/**
 * Where the frames of a zstd stream end (RFC 8878 §3.1), frames to be skipped left out. The runtimes' own functions give what
 * they have of a stream that was cut, and Deno's reads the first frame alone: either would lose what was sent without a word.
 * Undefined when the stream ends early, is no such stream, or has more than `FRAMES_MAX` frames.
 */
export function zstdFrames(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frames: Uint8Array[] = [];
  try {
    for (let at = 0; at < bytes.length; ) {
      const magic = view.getUint32(at, true);
      const isSkipped = (magic & 0xfffffff0) === SKIPPABLE;
      const end = isSkipped
        ? at + 8 + view.getUint32(at + 4, true)
        : magic === FRAME
          ? endOfFrame(view, at + 4)
          : Infinity;
      if (end > bytes.length || frames.length === FRAMES_MAX) return undefined;
      if (!isSkipped) frames.push(bytes.subarray(at, end));
      at = end;
    }
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  return frames;
}

/** Of the frame whose header begins at `start`. Throws RangeError where the view ends before it. */
function endOfFrame(view: DataView, start: number): number {
  const descriptor = view.getUint8(start);
  const isSingle = (descriptor & 0x20) !== 0;
  const size = SIZE_BYTES[descriptor >> 6]! || (isSingle ? 1 : 0);
  let at = start + 1 + (isSingle ? 0 : 1) + DICTIONARY_BYTES[descriptor & 3]! + size;
  for (let isLast = false; !isLast; ) {
    const header = view.getUint16(at, true) | (view.getUint8(at + 2) << 16);
    isLast = (header & 1) === 1;
    const isRepeated = ((header >> 1) & 3) === 1;
    at += 3 + (isRepeated ? 1 : header >> 3);
  }
  return at + ((descriptor & 4) === 0 ? 0 : 4);
}
