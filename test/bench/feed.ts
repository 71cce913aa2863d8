import { eventOf } from "./events.ts";

const variants = 8;
const digits = 12;
const zero = 48;

interface Text {
  bytes: Buffer;
  /** Where the digits of each event's counter are. */
  ids: number[];
  /** Where each event begins, and where the next would. */
  starts: number[];
}

const texts = new Map<number, Text[]>();

/** The texts batches of this size are made of: made once, so best before anything is measured. */
export function prepare(size: number): readonly Text[] {
  let made = texts.get(size);
  if (!made) texts.set(size, (made = Array.from({ length: variants }, (_, n) => textOf(n * size, size))));
  return made;
}

function textOf(first: number, size: number): Text {
  const id = "01975000-0000-7000-8000-000000000000";
  const events = Array.from({ length: size }, (_, i) => JSON.stringify({ ...eventOf(first + i), id }));
  const text = `[${events.join(",")}]`;
  const starts = [1];
  for (const event of events) starts.push(starts.at(-1)! + Buffer.byteLength(event) + 1);
  const ids = Array.from(text.matchAll(/"id":"/g), match => match.index + '"id":"'.length + id.length - digits);
  return { bytes: Buffer.from(text), ids, starts };
}

/**
 * Batches of one agent, made for next to nothing while others are measured: texts made beforehand, whose ids (UUIDv7 with a
 * counter) are written anew for each batch. The bytes are lent until the next call, of any feed.
 */
export class Feed {
  #sent = 0;

  batch(size: number): Buffer {
    return this.#next(size).bytes;
  }

  /** The same, event by event. */
  each(size: number): string[] {
    const { bytes, starts } = this.#next(size);
    return Array.from({ length: size }, (_, i) => bytes.toString("utf8", starts[i], starts[i + 1]! - 1));
  }

  #next(size: number): Text {
    const text = prepare(size)[Math.floor(this.#sent / size) % variants]!;
    for (const at of text.ids) putNumber(text.bytes, at, this.#sent++);
    return text;
  }
}

/** Decimal digits are hexadecimal digits too. */
function putNumber(bytes: Buffer, at: number, value: number): void {
  for (let i = at + digits - 1; i >= at; i--) {
    bytes[i] = zero + (value % 10);
    value = Math.floor(value / 10);
  }
}
