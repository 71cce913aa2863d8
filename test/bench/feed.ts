import { batchOf } from "./events.ts";

const variants = 8;
const digits = 12;
const zero = 48;

interface Text {
  bytes: Buffer;
  /** Where the digits of each event's counter are. */
  ids: number[];
}

const texts = new Map<number, Text[]>();

/** The texts batches of this size are made of: made once, so best before anything is measured. */
export function prepare(size: number): readonly Text[] {
  let made = texts.get(size);
  if (!made) texts.set(size, (made = Array.from({ length: variants }, (_, n) => textOf(batchOf(n * size, size)))));
  return made;
}

function textOf(batch: string): Text {
  const text = batch.replaceAll(/"id":"[^"]{36}"/g, '"id":"01975000-0000-7000-8000-000000000000"');
  const ids = Array.from(text.matchAll(/"id":"/g), match => match.index + '"id":"'.length + 36 - digits);
  return { bytes: Buffer.from(text), ids };
}

/**
 * Batches of one agent, made for next to nothing while others are measured: texts made beforehand, whose ids (UUIDv7 with a
 * counter) are written anew for each batch. The bytes are lent until the next call, of any feed.
 */
export class Feed {
  #sent = 0;

  batch(size: number): Buffer {
    const { bytes, ids } = prepare(size)[Math.floor(this.#sent / size) % variants]!;
    for (const at of ids) putNumber(bytes, at, this.#sent++);
    return bytes;
  }
}

/** Decimal digits are hexadecimal digits too. */
function putNumber(bytes: Buffer, at: number, value: number): void {
  for (let i = at + digits - 1; i >= at; i--) {
    bytes[i] = zero + (value % 10);
    value = Math.floor(value / 10);
  }
}
