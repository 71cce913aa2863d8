import { expect, test } from "bun:test";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { type Encoding, unpack, UNPACKED_BYTES_MAX } from "./unpack.ts";
import { FRAMES_MAX } from "./zstd-frames.ts";

const pack = { gzip: gzipSync, zstd: zstdCompressSync };
const encodings = ["gzip", "zstd"] as const;
const lines = Array.from({ length: 30_000 }, (_, n) => `{"id":"e${n}","r":${Math.sin(n)}}\n`).join("");
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const refusedWith = (bytes: Uint8Array, encoding: Encoding) => {
  try {
    return `took ${unpack(bytes, encoding).length} bytes`;
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

test("a stream comes out as it went in, of several parts too", () => {
  for (const encoding of encodings)
    for (const whole of ["", "x", "ab".repeat(70_000), lines]) {
      expect(text(unpack(pack[encoding](whole), encoding))).toBe(whole);
      const parts = [whole, "middle", "", whole].map(part => pack[encoding](part));
      expect(text(unpack(Buffer.concat(parts), encoding))).toBe(`${whole}middle${whole}`);
    }
});

test("a stream cut anywhere is refused whole, never taken in part", () => {
  for (const encoding of encodings)
    for (const whole of ["x", lines]) {
      const packed = pack[encoding](whole);
      const step = Math.ceil(packed.length / 100);
      for (let end = 1; end < packed.length; end += step)
        expect([encoding, end, refusedWith(packed.subarray(0, end), encoding)]).toEqual([encoding, end, "malformed"]);
      expect(refusedWith(packed.subarray(0, -1), encoding)).toBe("malformed");
    }
});

test("what is no such stream, or has something behind it, is refused", () => {
  const zstd = pack.zstd(lines);
  for (const junk of [Buffer.from("junk"), Buffer.from([0]), Buffer.from([0x28, 0xb5, 0x2f, 0xfd])])
    expect(refusedWith(Buffer.concat([zstd, junk]), "zstd")).toBe("malformed");
  expect(refusedWith(Buffer.from("{}"), "zstd")).toBe("malformed");
  expect(refusedWith(Buffer.from("{}"), "gzip")).toBe("malformed");
});

test("frames to be skipped are, wherever they stand", () => {
  const skipped = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);
  expect(text(unpack(Buffer.concat([skipped, pack.zstd("a"), skipped, pack.zstd("b"), skipped]), "zstd"))).toBe("ab");
  expect(refusedWith(Buffer.concat([pack.zstd("a"), skipped.subarray(0, -1)]), "zstd")).toBe("malformed");
});

test("a bomb is refused, in one part or in many", () => {
  const half = Buffer.alloc(UNPACKED_BYTES_MAX / 2);
  for (const encoding of encodings) {
    const packed = pack[encoding](half);
    expect(unpack(Buffer.concat([packed, packed]), encoding).length).toBe(UNPACKED_BYTES_MAX);
    expect(refusedWith(Buffer.concat([packed, packed, pack[encoding]("x")]), encoding)).toBe("too_large");
  }
  const many = (n: number) => Buffer.concat(Array.from({ length: n }, () => pack.zstd("x")));
  expect(unpack(many(FRAMES_MAX), "zstd").length).toBe(FRAMES_MAX);
  expect(refusedWith(many(FRAMES_MAX + 1), "zstd")).toBe("malformed");
});
