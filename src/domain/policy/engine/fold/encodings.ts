/** Encodings that hide text, undone: a string of characters below 256; what is none of theirs is passed over. */
const alphabetOf = (characters: string): ReadonlyMap<string, number> => new Map([...characters].map((c, i) => [c, i]));

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
const base32 = alphabetOf(`${letters}234567`);
const base64 = alphabetOf(`${letters}${letters.toLowerCase()}0123456789+/`);

/** Each character stands for so many bits (RFC 4648). */
function decoded(text: string, alphabet: ReadonlyMap<string, number>, width: number): string {
  let out = "";
  let bits = 0;
  let held = 0;
  for (const c of text) {
    const n = alphabet.get(c);
    if (n === undefined) continue;
    held = ((held << width) | n) & 0xffffff;
    bits += width;
    if (bits < 8) continue;
    bits -= 8;
    out += String.fromCharCode((held >> bits) & 0xff);
  }
  return out;
}

/** As `base64 -di`; also the alphabet of addresses. */
export const base64Decode = (text: string): string =>
  decoded(/[-_]/.test(text) ? text.replaceAll("-", "+").replaceAll("_", "/") : text, base64, 6);

export const base32Decode = (text: string): string => decoded(text.toUpperCase(), base32, 5);

export function hexDecode(text: string): string {
  const digits = text.replace(/[^0-9a-fA-F]/g, "");
  let out = "";
  for (let i = 0; i + 1 < digits.length; i += 2)
    out += String.fromCharCode(Number.parseInt(digits.slice(i, i + 2), 16));
  return out;
}

export const rot13 = (text: string): string =>
  text.replace(/[A-Za-z]/g, c => {
    const base = c <= "Z" ? 65 : 97;
    return String.fromCharCode(((c.charCodeAt(0) - base + 13) % 26) + base);
  });
