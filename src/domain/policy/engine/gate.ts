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
    (c >= 0x202a && c <= 0x202e) ||
    (c >= 0x2060 && c <= 0x206f) ||
    c === 0xfeff ||
    (c >= 0xfff9 && c <= 0xfffc) ||
    c === 0xdb40
  );
}

/** Zero-width joiner between two pictographs is how emoji are written, not a trick. */
function joinsEmoji(text: string, i: number): boolean {
  if (text.charCodeAt(i) !== 0x200d) return false;
  const before = text.charCodeAt(i - 1);
  const after = text.charCodeAt(i + 1);
  return (before >= 0xd83c || before === 0xfe0f || before === 0x2640 || before === 0x2642) && after >= 0x2600;
}

const odd = /[^\t\n\r -~]/;

export function hiddenAt(text: string): number {
  if (!odd.test(text)) return -1;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    if (c >= 0x20 && c < 0x7f) continue;
    if (isHidden(c) && !joinsEmoji(text, i)) return i;
  }
  return -1;
}

/** The text as a reader takes it who sees nothing of what is hidden. */
export const visible = (text: string): string =>
  [...text].filter(c => !isHidden(c.length > 1 ? c.charCodeAt(0) : c.codePointAt(0)!)).join("");

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
export function gate(text: string): { gap: Gap; stop: boolean } | undefined {
  const gap = (why: Gap["why"], detail: string) => ({ why, detail, via: [] });
  if (text.length > limits.chars) {
    return { gap: gap("too_long", `${text.length} characters, at most ${limits.chars} are read`), stop: true };
  }
  if (text.length > limits.openers && openers(text) > limits.openers) {
    return { gap: gap("too_deep", `more than ${limits.openers} substitutions`), stop: true };
  }
  const at = hiddenAt(text);
  if (at < 0) return undefined;
  const code = text.codePointAt(at)!.toString(16).toUpperCase().padStart(4, "0");
  return { gap: { ...gap("hidden_unicode", `U+${code} is invisible`), span: [at, at + 1] }, stop: false };
}
