/** How many a person gets; each works once. */
export const RECOVERY_CODES = 10;

/** Crockford's base 32: no I, L, O, U. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const LENGTH = 16;

/** 80 random bits as `XXXX-XXXX-XXXX-XXXX`. */
export function makeRecoveryCode(random: (bytes: number) => Uint8Array): string {
  const code = [...random(LENGTH)].map(byte => ALPHABET[byte % ALPHABET.length]).join("");
  return code.replace(/(.{4})(?=.)/g, "$1-");
}

/** As it is compared; letters that look like digits are taken for them. Undefined when it cannot be one. */
export function readRecoveryCode(typed: string): string | undefined {
  const code = typed.slice(0, 64).toUpperCase().replaceAll(/[\s-]/g, "").replaceAll("O", "0").replaceAll(/[IL]/g, "1");
  return code.length === LENGTH && [...code].every(letter => ALPHABET.includes(letter)) ? code : undefined;
}
