import type { Severity } from "../policy/verdict.ts";

export interface TextChange {
  severity: Severity;
  detail: string;
}

/**
 * What a changed description means. Null: only white space, case or punctuation differ. Rewording alone is low; what
 * speaks to the model behind people's backs is high.
 */
export function textChange(before: string, after: string): TextChange | null {
  if (before === after) return null;
  const appeared = signs.find(({ in: sign }) => found(sign, after) > found(sign, before));
  if (appeared) return { severity: appeared.severity, detail: appeared.detail };
  return plain(before) === plain(after) ? null : { severity: "low", detail: "reworded" };
}

/** Does a text speak to the model behind people's backs, whatever it said before? */
export const isSuspicious = (text: string): boolean => textChange("", text)?.severity === "high";

const found = (sign: RegExp, text: string): number => text.match(sign)?.length ?? 0;

/** Letters and digits only, so that layout, case and punctuation do not count. */
const plain = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Ordered by weight. All are linear in the text. */
const signs: { in: RegExp; severity: Severity; detail: string }[] = [
  {
    in: /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u206F\uFEFF\u{E0000}-\u{E007F}]/gu,
    severity: "high",
    detail: "now holds invisible characters",
  },
  {
    in: /\b(?:ignore|disregard|forget|override)\b[^.\n]{0,40}\b(?:previous|prior|above|other|all|earlier|rules?|instructions?)\b/gi,
    severity: "high",
    detail: "now tells the model to ignore instructions",
  },
  {
    in: /\b(?:do not|don'?t|never|without)\b[^.\n]{0,20}\b(?:tell|telling|mention|mentioning|inform|informing|reveal|show|ask|asking)\b/gi,
    severity: "high",
    detail: "now tells the model to hide something",
  },
  {
    in: /<\/?\s*(?:important|system|secret|instructions?|admin)\s*>/gi,
    severity: "high",
    detail: "now imitates a system message",
  },
  {
    in: /\b(?:before|after|whenever|instead of)\b[^.\n]{0,30}\b(?:using|calling|invoking|running)\b/gi,
    severity: "medium",
    detail: "now tells the model when to call it",
  },
  {
    in: /(?:\.ssh|id_rsa|id_ed25519|\.env\b|\.aws|\.npmrc|\/etc\/passwd|keychain|private key|api[ _-]?key|credentials?|passwords?)/gi,
    severity: "medium",
    detail: "now mentions secrets",
  },
  { in: /\b(?:https?|ftp|wss?):\/\//gi, severity: "medium", detail: "now names another address" },
];
