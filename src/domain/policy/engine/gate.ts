/** What a text is refused or noted for before it is read: its length, its nesting, characters nobody sees. */
import type { Gap } from "../facts.ts";
import { limits } from "./limits.ts";

/**
 * Characters that show one thing and run another: bidirectional controls (Trojan Source, CVE-2021-42574), zero-width
 * characters, tag characters, variation selectors of the private kind, and C0/C1 controls other than tab and newline.
 */
function isHidden(c: number): boolean {
  if (c < 0x20) return c !== 9 && c !== 10 && c !== 13 && c !== 27;
  if (c < 0x7f) return false;
  if (c < 0xa0) return true;
  return (
    c === 0xad ||
    c === 0x34f ||
    c === 0x61c ||
    c === 0x115f ||
    c === 0x1160 ||
    c === 0x17b4 ||
    c === 0x17b5 ||
    c === 0x3164 ||
    c === 0xffa0 ||
    (c >= 0x180b && c <= 0x180e) ||
    (c >= 0x200b && c <= 0x200f) ||
    (c >= 0x2028 && c <= 0x202e) ||
    (c >= 0x2060 && c <= 0x206f) ||
    c === 0xfeff ||
    (c >= 0xfff9 && c <= 0xfffc) ||
    c === 0xdb40
  );
}

const sequences = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, "g");

/** Escape sequences that do more than colour what follows: they move the cursor, wipe out or conceal. */
const painting = /^\[[\d;]*m/;
const concealed = /[[;]8[;m]/;

/** A carriage return within a line, and an escape sequence, have a terminal show other text than there is. */
function overwrites(text: string, i: number): boolean {
  const c = text.charCodeAt(i);
  if (c === 13) return i + 1 < text.length && text.charCodeAt(i + 1) !== 10;
  if (c !== 27) return false;
  const painted = painting.exec(text.slice(i + 1, i + 24));
  return !painted || concealed.test(painted[0]);
}

/** Zero-width joiner between two pictographs is how emoji are written, not a trick. */
function joinsEmoji(text: string, i: number): boolean {
  if (text.charCodeAt(i) !== 0x200d) return false;
  const before = text.charCodeAt(i - 1);
  const after = text.charCodeAt(i + 1);
  return (before >= 0xd83c || before === 0xfe0f || before === 0x2640 || before === 0x2642) && after >= 0x2600;
}

const odd = /[^\t\n -~]/;

/** Holds other characters than those of a keyboard: most commands do not. */
export const isOdd = (text: string): boolean => odd.test(text);

function hiddenAt(text: string): number {
  if (!isOdd(text)) return -1;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 0x20 && c < 0x7f) continue;
    if ((isHidden(c) && !joinsEmoji(text, i)) || overwrites(text, i)) return i;
  }
  return -1;
}

/** The text as a reader takes it who sees nothing of what is hidden; what starts a line for them starts one. */
export const visible = (text: string): string =>
  [...text.replace(/\r\n?|\v|\f|\u0085|\u2028|\u2029/g, "\n").replace(sequences, "")]
    .filter(c => !isHidden(c.length > 1 ? c.charCodeAt(0) : c.codePointAt(0)!))
    .join("");

function openers(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c === 96) count++;
    else if (c === 40 || c === 123) {
      const before = text.charCodeAt(i - 1);
      if (before === 36 || before === 60 || before === 62) count++;
    } else if (c === 60 && text.charCodeAt(i + 1) === 60) count++;
  }
  return count;
}

/** What forbids even trying to understand the text. `stop`: do not evaluate; otherwise evaluate and keep the gap. */
export function gate(text: string, odd = isOdd(text)): { gap: Gap; stop: boolean } | undefined {
  const gap = (why: Gap["why"], detail: string) => ({ why, detail, via: [] });
  if (text.length > limits.chars) {
    return { gap: gap("too_long", `${text.length} characters, at most ${limits.chars} are read`), stop: true };
  }
  if (text.length > limits.openers && openers(text) > limits.openers) {
    return { gap: gap("too_deep", `more than ${limits.openers} substitutions`), stop: true };
  }
  const at = odd ? hiddenAt(text) : -1;
  if (at < 0) return undefined;
  const code = text.codePointAt(at)!.toString(16).toUpperCase().padStart(4, "0");
  return { gap: { ...gap("hidden_unicode", `U+${code} is invisible`), span: [at, at + 1] }, stop: false };
}
