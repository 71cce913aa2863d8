import { Buffer } from "node:buffer";
import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { refusal } from "../errors.ts";
import { zstdFrames } from "./zstd-frames.ts";

export type Encoding = "identity" | "gzip" | "zstd";
export const UNPACKED_BYTES_MAX = 32 * 1024 * 1024;

/** The bytes as they were before packing. Throws `too_large` for a bomb, `malformed` for what is no such stream, or is one cut short. */
export function unpack(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  if (encoding === "identity") return bytes;
  try {
    return encoding === "gzip" ? gunzipSync(bytes, { maxOutputLength: UNPACKED_BYTES_MAX }) : unzstd(bytes);
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge();
    throw refusal("malformed", `The body is not valid ${encoding}.`);
  }
}

function unzstd(bytes: Uint8Array): Uint8Array {
  const frames = zstdFrames(bytes);
  if (!frames) throw new Error("no zstd stream");
  let left = UNPACKED_BYTES_MAX;
  const parts = frames.map(frame => {
    const part = zstdDecompressSync(frame, { maxOutputLength: left + 1 });
    left -= part.length;
    if (left < 0) throw Object.assign(new Error(), { code: "ERR_BUFFER_TOO_LARGE" });
    return part;
  });
  return parts.length === 1 ? parts[0]! : Buffer.concat(parts);
}

const tooLarge = () => refusal("too_large", `At most ${UNPACKED_BYTES_MAX} bytes unpacked are taken here.`);
