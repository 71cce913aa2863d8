import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { normalisePassword } from "../domain/identity/password.ts";
import { refusal } from "../errors.ts";

/** Hashing takes tens of milliseconds and megabytes on purpose: few at a time, and a queue that ends. */
export interface Passwords {
  /** A PHC string that names its algorithm. Throws `busy`. */
  hash(password: string): Promise<string>;
  /** Takes as long for no hash at all (an unknown email) as for a wrong password. Throws `busy`. */
  verify(password: string, hash: string | undefined): Promise<boolean>;
}

interface Algorithm {
  /** The hash of no password anybody knows; checking against it takes as long as against a real one. */
  nobody: string;
  hash(password: string): Promise<string>;
  verify(password: string, hash: string): Promise<boolean>;
}

const underBun = "Bun" in globalThis;
const AT_A_TIME = 2;
const WAITING_MAX = 64;

/** argon2id under Bun, scrypt under Deno (its node:crypto has no argon2). Everyone verifies scrypt. */
export function createPasswords(algorithm: Algorithm = underBun ? argon2id : scryptOnly): Passwords {
  const limited = createQueue(AT_A_TIME, WAITING_MAX);
  return {
    hash: password => limited(() => algorithm.hash(normalisePassword(password))),
    verify: (password, hash) =>
      limited(async () => {
        const stored = hash ?? algorithm.nobody;
        const right = await (stored.startsWith("$scrypt$") ? scryptOnly : algorithm).verify(
          normalisePassword(password),
          stored,
        );
        return right && hash !== undefined;
      }),
  };
}

/** OWASP's floor for argon2id: 19 MiB, two passes. */
const ARGON2 = { algorithm: "argon2id", memoryCost: 19_456, timeCost: 2 } as const;
const argon2id: Algorithm = {
  nobody: `$argon2id$v=19$m=${ARGON2.memoryCost},t=${ARGON2.timeCost},p=1$${"A".repeat(43)}$${"A".repeat(43)}`,
  hash: password => Bun.password.hash(password, ARGON2),
  verify: (password, hash) => Bun.password.verify(password, hash),
};

/** OWASP's scrypt of equal strength: 32 MiB, three lanes. */
const SCRYPT = { ln: 15, r: 8, p: 3 };
const LN_MAX = 17;
const KEY_BYTES = 32;
const SCRYPT_SHAPE = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/;

export const scryptOnly: Algorithm = {
  nobody: `$scrypt$ln=${SCRYPT.ln},r=${SCRYPT.r},p=${SCRYPT.p}$${"A".repeat(22)}$${"A".repeat(43)}`,
  async hash(password) {
    const salt = randomBytes(16);
    const key = await derive(password, salt, SCRYPT);
    return `$scrypt$ln=${SCRYPT.ln},r=${SCRYPT.r},p=${SCRYPT.p}$${base64(salt)}$${base64(key)}`;
  },
  async verify(password, hash) {
    const [, ln, r, p, salt, key] = SCRYPT_SHAPE.exec(hash) ?? [];
    if (!salt || !key || Number(ln) > LN_MAX) return false;
    const wanted = Buffer.from(key, "base64");
    const found = await derive(password, Buffer.from(salt, "base64"), { ln: Number(ln), r: Number(r), p: Number(p) });
    return wanted.length === found.length && timingSafeEqual(wanted, found);
  },
};

function derive(password: string, salt: Uint8Array, { ln, r, p }: typeof SCRYPT): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r };
  return new Promise((resolve, reject) =>
    scrypt(password, salt, KEY_BYTES, options, (error, key) => (error ? reject(error) : resolve(key))),
  );
}

const base64 = (bytes: Buffer) => bytes.toString("base64").replaceAll("=", "");

function createQueue(at_a_time: number, waiting_max: number) {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running >= at_a_time) {
      if (waiting.length >= waiting_max)
        throw refusal("busy", { message: "Too many people sign in at once.", retry_after_s: 2 });
      await new Promise<void>(resume => waiting.push(resume));
    } else running++;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  };
}
