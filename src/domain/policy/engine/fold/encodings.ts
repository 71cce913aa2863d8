const alphabet = new Map([..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].map((c, i) => [c, i]));

/** Base64 text to a string of characters below 256; what is no base64 is passed over, as `base64 -di` does. */
export function base64Decode(text: string): string {
  let out = "";
  let bits = 0;
  let held = 0;
  for (const c of text) {
    const n = alphabet.get(c === "-" ? "+" : c === "_" ? "/" : c);
    if (n === undefined) continue;
    held = ((held << 6) | n) & 0xffffff;
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    out += String.fromCharCode((held >> bits) & 0xff);
  }
  return out;
}

export function base32Decode(text: string): string {
  let out = "";
  let bits = 0;
  let held = 0;
  for (const c of text.toUpperCase()) {
    const n = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(c);
    if (n < 0) continue;
    held = ((held << 5) | n) & 0xfffff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    out += String.fromCharCode((held >> bits) & 0xff);
  }
  return out;
}

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
