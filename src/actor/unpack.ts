import { gunzipSync, zstdDecompressSync } from "node:zlib";
import { refusal } from "../errors.ts";

export type Encoding = "identity" | "gzip" | "zstd";
export const UNPACKED_BYTES_MAX = 32 * 1024 * 1024;

/** The bytes as they were before packing. Throws `too_large` for a bomb, `malformed` for what is no such stream. */
export function unpack(bytes: Uint8Array, encoding: Encoding): Uint8Array {
  if (encoding === "identity") return bytes;
  const limit = { maxOutputLength: UNPACKED_BYTES_MAX };
  try {
    return encoding === "gzip" ? gunzipSync(bytes, limit) : zstdDecompressSync(bytes, limit);
  } catch (error) {
    if ((error as { code?: string }).code === "ERR_BUFFER_TOO_LARGE")
      throw refusal("too_large", `At most ${UNPACKED_BYTES_MAX} bytes unpacked are taken here.`);
    throw refusal("malformed", `The body is not valid ${encoding}.`);
  }
}
