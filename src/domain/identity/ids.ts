/** What an identifier names. */
export type IdPrefix =
  | ("org" | "usr" | "agt" | "scn" | "ses" | "inv" | "dec")
  /** Trusted device, access token, enrolment key. */
  | ("dev" | "tok" | "enr")
  /** An entry the server itself makes. */
  | "evt";
export type MakeId = (prefix: IdPrefix) => string;

/** Random bytes of one id, and of how many they are drawn at a time: a draw costs more than an id. */
const RANDOM_BYTES = 10;
const DRAWN = 64;

/**
 * Makes `usr_` + UUIDv7 (RFC 9562 §5.7). Within one maker ids only grow: in the same millisecond, or when the clock goes
 * back, the 12 bits of `rand_a` count up (§6.2, method 1). `random` returns that many random bytes.
 */
export function createIds(now: () => number, random: (bytes: number) => Uint8Array): MakeId {
  let last_ms = -1;
  let counter = 0;
  let drawn: Uint8Array = new Uint8Array();
  let at = 0;
  return prefix => {
    if (at === drawn.length) {
      drawn = random(RANDOM_BYTES * DRAWN);
      at = 0;
    }
    const bytes = drawn.subarray(at, (at += RANDOM_BYTES));
    const fresh_ms = now();
    if (fresh_ms > last_ms) {
      last_ms = fresh_ms;
      // The top bit stays free, so that at least 2,048 ids fit into the millisecond.
      counter = ((bytes[8]! << 8) | bytes[9]!) & 0x7ff;
    } else if (++counter > 0xfff) {
      last_ms++;
      counter = 0;
    }
    return `${prefix}_${uuid(last_ms, counter, bytes)}`;
  };
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function uuid(ms: number, counter: number, random: Uint8Array): string {
  const hex = (from: number, to: number) => {
    let text = "";
    for (let index = from; index < to; index++) text += HEX[random[index]!];
    return text;
  };
  const time = ms.toString(16).padStart(12, "0");
  const variant = HEX[0x80 | (random[0]! & 0x3f)]!;
  return `${time.slice(0, 8)}-${time.slice(8)}-${(0x7000 | counter).toString(16)}-${variant}${hex(1, 2)}-${hex(2, 8)}`;
}

const SHAPE = /^([a-z]{3})_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether `text` is an identifier of that kind, as this server makes them. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return SHAPE.exec(text)?.[1] === prefix;
}
