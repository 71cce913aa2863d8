/** What a short program of a scripting language prints, where it only prints a text or decodes its input. */
import { base64Decode, hexDecode, rot13 } from "../fold/encodings.ts";
import { DECODED } from "../taint.ts";
import { literal, type Val } from "../value.ts";

const prints =
  /^\s*(?:(?:import|use|require)\b[^;\n]*[;\n]\s*)*(?:BEGIN\s*\{\s*)?(?:(?:print|puts|echo|say|printf|console\.log|process\.stdout\.write|sys\.stdout\.write|io\.write)\s*)?(?:\(\s*)?(?:"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)')[\s);}]*$/;

const undoing: readonly (readonly [RegExp, (text: string) => string | undefined])[] = [
  [/b64decode|decode_base64|atob|base64_decode|decode64|unpack1?\(?\s*["']m|['"]base64['"]/, base64Decode],
  [/fromhex|unhexlify|hex2bin|pack\(?\s*\(?["']H\*|chr\(?\s*hex|['"]hex['"]/, hexDecode],
  [/rot_?13/, rot13],
  [/\[::-1\]|\breverse\b|strrev/, text => [...text.trimEnd()].reverse().join("")],
];

const MAX_CODE = 2000;

/** The text `code` prints when `input` is what it reads; undefined: not to be told. */
export function printedBy(code: string, input: Val | undefined): Val | undefined {
  if (code.length > MAX_CODE) return undefined;
  const [, double, single] = prints.exec(code) ?? [];
  const text = double ?? single;
  if (text !== undefined && !/[$#]\{?\w/.test(text))
    return literal(`${text.replace(/\\(["'\\/])/g, "$1").replaceAll("\\n", "\n")}\n`);
  if (!input?.known) return undefined;
  for (const [does, undo] of undoing) {
    const found = does.test(code) ? undo(input.text.trim()) : undefined;
    if (found !== undefined) return { ...literal(found), taint: input.taint | DECODED };
  }
  return undefined;
}
