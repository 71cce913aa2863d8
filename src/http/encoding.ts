import { refusal } from "../errors.ts";

const encodings = { identity: "identity", gzip: "gzip", "x-gzip": "gzip", zstd: "zstd" } as const;

/** How a raw body is packed. Throws `unsupported_encoding`. */
export function encodingOf(request: Request): "identity" | "gzip" | "zstd" {
  const sent = (request.headers.get("content-encoding") ?? "identity").trim().toLowerCase();
  if (!Object.hasOwn(encodings, sent))
    throw refusal("unsupported_encoding", "Send it unpacked, or packed with gzip or zstd.");
  return encodings[sent as keyof typeof encodings];
}
