/** What an identifier names. */
export type IdPrefix =
  | ("org" | "usr" | "agt" | "scn" | "ses" | "inv" | "dec")
  /** Trusted device, access token, enrolment key. */
  | ("dev" | "tok" | "enr")
  /** An entry the server itself makes. */
  | "evt";
export type MakeId = (prefix: IdPrefix) => string;

/**
 * Makes `usr_` + UUIDv7 (RFC 9562 §5.7). Within one maker ids only grow: in the same millisecond, or when the clock goes
 * back, the 12 bits of `rand_a` count up (§6.2, method 1). `random` returns that many random bytes.
 */
export function createIds(now: () => number, random: (bytes: number) => Uint8Array): MakeId {
  let last_ms = -1;
  let counter = 0;
  return prefix => {
    const bytes = random(10);
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

function uuid(ms: number, counter: number, random: Uint8Array): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");
  const time = hex(ms, 12);
  const tail = [...random.subarray(0, 8)].map(byte => hex(byte, 2)).join("");
  const variant = hex(0x8000 | (Number.parseInt(tail.slice(0, 4), 16) & 0x3fff), 4);
  return `${time.slice(0, 8)}-${time.slice(8)}-${hex(0x7000 | counter, 4)}-${variant}-${tail.slice(4)}`;
}

const SHAPE = /^([a-z]{3})_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Whether `text` is an identifier of that kind, as this server makes them. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return SHAPE.exec(text)?.[1] === prefix;
}
