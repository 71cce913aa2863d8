/** Zstandard (RFC 8878), the same in both runtimes. */
// Not by `import`: Bun has functions of its own for it, and the module brings all streams along.
const zlib = "Bun" in globalThis ? undefined : process.getBuiltinModule("node:zlib");

export function compress(bytes: Uint8Array, level: number): Uint8Array {
  if (!zlib) return Bun.zstdCompressSync(bytes as Uint8Array<ArrayBuffer>, { level });
  return zlib.zstdCompressSync(bytes, { params: { [zlib.constants.ZSTD_c_compressionLevel]: level } });
}

/** Throws on damaged input. */
export function decompress(bytes: Uint8Array): Uint8Array {
  const out = zlib ? zlib.zstdDecompressSync(bytes) : Bun.zstdDecompressSync(bytes as Uint8Array<ArrayBuffer>);
  // Not as a Buffer: its `slice` does not copy.
  return new Uint8Array(out.buffer, out.byteOffset, out.length);
}
