/** Text of a call as it may be shown to people: short, on one line, without hidden characters or secret values. */
import { hole } from "../facts.ts";

const shownMax = 80;
/** No more is looked at: enough to find a credential that begins in what is shown. */
const lookedAtMax = 512;

/** Control, bidi, zero-width and other invisible characters, and those no terminal should receive. */
const hidden = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** What a text must hold for shapes of one group to be looked for at all. */
const hints = {
  named: /bearer|basic|token|pass|secret|key|authorization/i,
  marked: /gh[a-z]_|pat_|glpat-|xox|sk-|_live_|npm_|pypi-|hf_|A[KS]IA|AIza|dop_v1_|SG\.|eyJ|-----BEGIN/,
  user: /@|\s-u/,
};
/** A shape of credentials or of values named as such: its group, how it is found, what is shown instead. */
type Shape = [hint: keyof typeof hints, found: RegExp, shown: string];
const secrets: Shape[] = [
  [
    "marked",
    /\b(gh[opsru]_|github_pat_|glpat-|xox[abprs]-|sk-|pk_live_|sk_live_|rk_live_|npm_|pypi-|hf_|AKIA|ASIA|AIza|gha_|ghd_|ghp_|dop_v1_|shpat_|SG\.)[\w.-]{8,}/g,
    "$1…",
  ],
  ["marked", /\beyJ[\w-]{8,}(?:\.[\w-]+){0,4}/g, "eyJ…"],
  ["named", /\b((?:authorization\s*:\s*)?(?:bearer|basic|token))\s+[\w+/=.~-]{6,}/gi, "$1 …"],
  ["user", /(:\/\/[^/\s:@]*:)[^/\s@]+@/g, "$1…@"],
  [
    "named",
    /((?:pass(?:word|wd|phrase)?|secret|token|api[_-]?key|access[_-]?key|client[_-]?secret|private[_-]?key)["']?\s*[=:]\s*["']?)[^\s"'&;|]+/gi,
    "$1…",
  ],
  ["named", /(--(?:password|passwd|token|secret|api-key)\s+)[^\s-]\S*/gi, "$1…"],
  ["user", /(\s-u\s*[^\s:]+:)\S+/g, "$1…"],
  ["marked", /-----BEGIN [^\n]*/g, "-----BEGIN …"],
];

/** What a text must hold for any of these shapes, where it has more than one word. */
const namedBeforeBlank = /\s-u|(?:bearer|basic|token|secret|api-key)\s|pass/i;

/** What is seen in a text at one look over its characters: bits. */
const [odd, blank, sign, inWord, longWord] = [1, 2, 4, 8, 16];
/** Letters in a row that may be a credential. */
const longMin = 12;

/** By character: not to be shown as it stands, a blank, a sign between a name and its value, part of a word. */
const looks = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (char === " ") return blank;
  if (char === ":" || char === "=") return sign;
  if (/[\w-]/.test(char)) return inWord;
  return /[!-~]/.test(char) && char !== "`" ? 0 : odd;
});

function looked(text: string): number {
  let seen = 0;
  let run = 0;
  let before = blank;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const look = code < looks.length ? looks[code]! : odd;
    run = look === inWord ? run + 1 : 0;
    if (run === longMin) seen |= longWord;
    // Blanks stand alone and between words.
    seen |= look === blank && before === blank ? odd | blank : look;
    before = look;
  }
  return before === blank ? seen | odd : seen;
}

/** Quoted in backticks, at most 80 characters long. */
export function quoted(text: string): string {
  return `\`${shown(text)}\``;
}

export function shown(text: string): string {
  let safe = text.length > lookedAtMax ? text.slice(0, lookedAtMax) : text;
  const seen = looked(safe);
  if ((seen & (sign | longWord)) !== 0 || ((seen & (blank | odd)) !== 0 && namedBeforeBlank.test(safe))) {
    safe = withoutSecrets(safe);
  }
  if ((seen & odd) !== 0) {
    safe = safe.replaceAll(/\s+/g, " ").trim().replaceAll(hole, "…").replaceAll("`", "'").replace(hidden, "\ufffd");
  }
  return safe.length > shownMax || text.length > lookedAtMax ? `${cut(safe)}…` : safe;
}

function withoutSecrets(text: string): string {
  const held = { named: hints.named.test(text), marked: hints.marked.test(text), user: hints.user.test(text) };
  if (!held.named && !held.marked && !held.user) return text;
  return secrets.reduce((safe, [hint, found, instead]) => (held[hint] ? safe.replace(found, instead) : safe), text);
}

/** Never in the middle of a surrogate pair. */
function cut(text: string): string {
  const end = shownMax - 1;
  const code = text.charCodeAt(end - 1);
  return text.slice(0, code >= 0xd800 && code <= 0xdbff ? end - 1 : end);
}
