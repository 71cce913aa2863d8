import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";

/** Zstandard (RFC 8878), the same in both runtimes. */
const underBun = "Bun" in globalThis;

export function compress(bytes: Uint8Array, level: number): Uint8Array {
  if (underBun) return Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>, { level });
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: level } });
}

/** Throws on damaged input. */
export function decompress(bytes: Uint8Array): Uint8Array {
  const out = underBun ? Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>) : zstdDecompressSync(bytes);
  // Not as a Buffer: its `slice` does not copy.
  return new Uint8Array(out.buffer, out.byteOffset, out.length);
}
