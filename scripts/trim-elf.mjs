const HEADER = { program: 56, section: 64 };
const PT_LOAD = 1;
const PT_PHDR = 6;
const ET_EXEC = 2;
const SHT_NOBITS = 8;
const SHF_TLS = 0x400;
const READ_WRITE = 6;

/**
 * A Linux executable without the zeros that the bundler writes into it. It lays the program behind the runtime's .bss, data that
 * is nothing but zeros, and in the same segment: so the file holds each of them, 1.8 MB. Here the segment becomes two, and the zeros
 * are the kernel's to make, as they are in the runtime itself. The second one takes the place of the header that tells where the
 * headers are, which nothing needs that is loaded where it says (ET_EXEC). What is no such file is given back as it is. Layout:
 * System V ABI, chapters 4 and 5 (ELF-64, little endian).
 */
export function trimElf(file) {
  if (file.readUInt32BE(0) !== 0x7f454c46 || file.readUInt16LE(16) !== ET_EXEC) return file;
  const programs = headers(file, 32, 56, HEADER.program);
  const sections = headers(file, 40, 60, HEADER.section);
  const spare = programs.find(at => file.readUInt32LE(at) === PT_PHDR);
  const data = programs.findLast(at => file.readUInt32LE(at) === PT_LOAD);
  const bss = sections.find(at => file.readUInt32LE(at + 4) === SHT_NOBITS && !(get(file, at + 8) & SHF_TLS));
  const [offset, address, size, align] = [8, 16, 32, 48].map(field => get(file, data + field));
  const start = offset + get(file, bss + 16) - address;
  const end = start + get(file, bss + 32);
  // The second half begins with a whole page, and stays where it was within its page.
  const second = end - (end % align);
  const cut = second - start - ((second - start) % align);
  if (spare === undefined || end > offset + size || cut <= 0 || file.subarray(start, end).some(byte => byte !== 0))
    return file;

  put(file, data + 32, start - offset, second - offset);
  // Segments stand in the order of their addresses: those before the second one move up.
  file.copyWithin(spare, spare + HEADER.program, data + HEADER.program);
  file.writeUInt32LE(PT_LOAD, data);
  file.writeUInt32LE(READ_WRITE, data + 4);
  const [moved, length] = [address + second - offset, size - (second - offset)];
  put(file, data + 8, second - cut, moved, moved, length, length, align);
  for (const at of [40, ...sections.map(section => section + 24)])
    if (get(file, at) >= second) put(file, at, get(file, at) - cut);
  return Buffer.concat([file.subarray(0, start), file.subarray(start + cut)]);
}

/** Where the headers of a table lie: its offset stands in the file's own header, and so does how many there are. */
const headers = (file, offset, count, size) =>
  Array.from({ length: file.readUInt16LE(count) }, (_, n) => get(file, offset) + n * size);

const get = (file, at) => Number(file.readBigUInt64LE(at));

const put = (file, at, ...values) => {
  for (const [n, value] of values.entries()) file.writeBigUInt64LE(BigInt(value), at + n * 8);
};
