/** How many a person gets; each works once. */
export const RECOVERY_CODES = 10;

/** Crockford's base 32: no I, L, O, U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 24;
/** Codes of 80 bits, as they were made before 0.2, work until they are used. */
const FORMER_LENGTH = 16;

/** 120 random bits as `XXXX-XXXX-XXXX-XXXX-XXXX-XXXX`: too many to be guessed from their hash (ASVS 5.0 6.5.2). */
export function makeRecoveryCode(random: (bytes: number) => Uint8Array): string {
  const code = [...random(LENGTH)].map(byte => ALPHABET[byte % ALPHABET.length]).join("");
  return code.replace(/(.{4})(?=.)/g, "$1-");
}

/** As it is compared; letters that look like digits are taken for them. Undefined when it cannot be one. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = typed.slice(0, 64).toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  const whole = code.length === LENGTH || code.length === FORMER_LENGTH;
  return whole && [...code].every(letter => ALPHABET.includes(letter)) ? code : undefined;
}
