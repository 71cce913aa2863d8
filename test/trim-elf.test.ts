import { expect, test } from "bun:test";
// @ts-expect-error: a script of the build, without types
import { trimElf } from "../scripts/trim-elf.mjs";

/** A file as the bundler writes it: header, three program headers, data, the zeros of .bss, the program, two section headers. */
function executable({ bss = 3 * 4096, zero = 0, type = 2 }): Buffer {
  const [base, data, start] = [0x400000, 0x1000, 0x1080];
  const program = Math.ceil((start + bss) / 4096) * 4096;
  const sections = program + 0x200;
  const file = Buffer.alloc(sections + 128);
  const put = (at: number, ...values: number[]) =>
    values.forEach((value, n) => void file.writeBigUInt64LE(BigInt(value), at + n * 8));
  file.write("\x7fELF", "latin1");
  file.writeUInt16LE(type, 16);
  put(32, 64, sections);
  file.writeUInt16LE(3, 56);
  file.writeUInt16LE(2, 60);
  file.writeUInt32LE(6, 64);
  file.writeUInt32LE(1, 120);
  file.writeUInt32LE(6, 124);
  put(128, data, base + data, base + data, sections - data, sections - data, 4096);
  file.writeUInt32LE(4, 176);
  file.fill(7, data, start);
  file.fill(zero, start, start + bss);
  file.fill(9, program, sections);
  file.writeUInt32LE(8, sections + 4);
  put(sections + 16, base + start, start, bss);
  file.writeUInt32LE(1, sections + 64 + 4);
  put(sections + 64 + 16, base + program, program, 0x200);
  return file;
}

/** What the kernel makes of it: bytes by address, what the file does not hold being zero. */
function image(file: Buffer): Map<number, number> {
  const memory = new Map<number, number>();
  for (const at of [64, 120, 176]) {
    if (file.readUInt32LE(at) !== 1) continue;
    const [offset, address, , held, size] = [8, 16, 24, 32, 40].map(field => Number(file.readBigUInt64LE(at + field)));
    expect(address! % 4096).toBe(offset! % 4096);
    for (let n = 0; n < size!; n++) memory.set(address! + n, n < held! ? file[offset! + n]! : 0);
  }
  return memory;
}

test("what is loaded is the same, without the zeros in the file; sections still point at their bytes", () => {
  const file = executable({});
  const before = image(file);
  const trimmed: Buffer = trimElf(Buffer.from(file));
  expect(file.length - trimmed.length).toBe(2 * 4096);
  expect(image(trimmed)).toEqual(before);
  // Two segments in the order of their addresses, and the notes.
  expect([64, 120, 176].map(at => trimmed.readUInt32LE(at))).toEqual([1, 1, 4]);
  const sections = Number(trimmed.readBigUInt64LE(40));
  expect(sections).toBe(trimmed.length - 128);
  expect(trimmed[Number(trimmed.readBigUInt64LE(sections + 64 + 24))]).toBe(9);
});

test("what has nothing to take out is left as it is", () => {
  for (const file of [
    executable({ bss: 64 }),
    executable({ zero: 1 }),
    executable({ type: 3 }),
    Buffer.from("MZ and more than that"),
  ])
    expect(trimElf(Buffer.from(file)).equals(file)).toBe(true);
  const trimmed = trimElf(executable({}));
  expect(trimElf(trimmed)).toBe(trimmed);
});
