/** Twenty consonants: no vowels, so no words (RFC 8628 §6.1). Eight of them are 34.6 bits. */
export const USER_CODE_ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
const LENGTH = 8;
/** Bytes from here on would favour the first letters. */
const FAIR_BELOW = 256 - (256 % USER_CODE_ALPHABET.length);

/** A code as it is compared: eight letters, no dash. */
export function makeUserCode(random: (bytes: number) => Uint8Array): string {
  let code = "";
  while (code.length < LENGTH)
    for (const byte of random(LENGTH))
      if (byte < FAIR_BELOW && code.length < LENGTH) code += USER_CODE_ALPHABET[byte % USER_CODE_ALPHABET.length];
  return code;
}

/** As it is shown: `BCDF-GHJK`. */
export const showUserCode = (code: string) => `${code.slice(0, 4)}-${code.slice(4)}`;

/** What a person typed: case, dashes, dots and blanks do not matter. Undefined when it cannot be a code. */
export function readUserCode(typed: string): string | undefined {
  if (typed.length > 64) return undefined;
  const letters = typed.replaceAll(/[\s.\-\u2010-\u2015]/g, "");
  const code = /^[A-Za-z]{8}$/.test(letters) ? letters.toUpperCase() : "";
  return code && [...code].every(letter => USER_CODE_ALPHABET.includes(letter)) ? code : undefined;
}
