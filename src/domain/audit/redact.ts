/**
 * Secrets are taken out of what agents report before anything is hashed or stored. Each is replaced by
 * `[redacted:<what>:<tag>]`; the tag is keyed per organisation, so equal secrets can be told to be equal, and no more.
 * Found are known token forms, values of secret-like names, Authorization headers, passwords in URLs and private keys.
 */
export type Tag = (secret: string) => string;

interface Detector {
  what: string;
  /** One of these occurs in every text the pattern matches, so that a plain search can rule a text out. */
  keywords: readonly string[];
  /** The secret is the group `secret`, or else the whole match. */
  pattern: RegExp;
}

const start = "(?<![A-Za-z0-9_-])";
const token = (what: string, keywords: string[], pattern: string): Detector => ({
  what,
  keywords,
  pattern: new RegExp(start + pattern, "g"),
});

const tokens: readonly Detector[] = [
  token("github-token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9_-]{30,255}"),
  token("github-token", ["github_pat_"], "github_pat_[A-Za-z0-9_]{22,255}"),
  token("gitlab-token", ["glpat-"], "glpat-[A-Za-z0-9_.-]{20,255}"),
  token("gatehouse-token", ["gha_", "ghd_"], "gh[ad]_[A-Za-z0-9_-]{20,255}"),
  token("aws-key", ["AKIA", "ASIA"], "A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
  token("google-key", ["AIza"], "AIza[A-Za-z0-9_-]{35}"),
  token("google-token", ["ya29."], "ya29\\.[A-Za-z0-9_-]{20,}"),
  token("slack-token", ["xox"], "xox[abeoprs]-[A-Za-z0-9-]{10,}"),
  {
    what: "slack-webhook",
    keywords: ["hooks.slack.com/"],
    pattern: /hooks\.slack\.com\/services\/(?<secret>[A-Za-z0-9/]{20,})/g,
  },
  token("stripe-key", ["k_live_", "k_test_"], "[rs]k_(?:live|test)_[A-Za-z0-9]{16,}"),
  token("api-key", ["sk-"], "sk-[A-Za-z0-9_-]{20,}"),
  token("npm-token", ["npm_"], "npm_[A-Za-z0-9]{36}"),
  token("pypi-token", ["pypi-"], "pypi-[A-Za-z0-9_-]{50,}"),
  token("huggingface-token", ["hf_"], "hf_[A-Za-z0-9]{30,}"),
  token("sendgrid-key", ["SG."], "SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}"),
  token("vault-token", ["hvs."], "hvs\\.[A-Za-z0-9_-]{20,}"),
  token("digitalocean-token", ["_v1_"], "do[opr]_v1_[a-f0-9]{64}"),
  token("shopify-token", ["shpat_"], "shpat_[a-fA-F0-9]{32}"),
  token("jwt", ["eyJ"], "eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}"),
  {
    what: "private-key",
    keywords: ["PRIVATE KEY"],
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
];

const secretNames =
  "(?:pass(?:word|wd|phrase)|secret|token(?!s)|credential|(?:auth|api|access|private|signing|encryption|account)[_-]?key)";
// Parts of those names, without the first letter because its case varies.
const nameKeywords =
  "assw ASSW assphrase ASSPHRASE ecret ECRET oken OKEN redential REDENTIAL _key _KEY -key -Key -KEY Key pikey PIKEY sskey SSKEY tekey TEKEY".split(
    " ",
  );

// A value that is a reference ($VAR, $(cmd), <placeholder>), a flag or a small number tells nothing and is left.
const plain = "(?![\"']?(?:true|false|null|none|yes|no|on|off|\\d{1,4})(?![^\\s\"'&;|,)}]))";
const value = `${plain}(?:"(?<quoted>[^"$<[][^"]*)"|'(?<single>[^'$<[][^']*)'|(?<bare>[^\\s"'$<[&;|,)}][^\\s"'&;|,)}]*))`;
const schemes = "(?:bearer|basic|token|digest)\\s+";
const named: readonly Detector[] = [
  {
    what: "secret",
    keywords: nameKeywords,
    pattern: new RegExp(`${secretNames}[A-Za-z0-9_]{0,32}["']?\\s*[=:]\\s*${value}`, "gi"),
  },
  {
    what: "secret",
    keywords: nameKeywords,
    pattern: new RegExp(`--[a-z0-9-]{0,32}${secretNames}\\s+(?!-)${value}`, "gi"),
  },
  {
    what: "authorization",
    keywords: ["uthorization", "UTHORIZATION", "pi-key", "pi-Key", "PI-KEY"],
    pattern: new RegExp(
      `\\b(?:proxy-)?(?:authorization|x-api-key)["']?\\s*[:=]\\s*["']?(?:${schemes})?(?!${schemes})(?<bare>[^\\s"'$<[][^\\s"',;]*)`,
      "gi",
    ),
  },
  { what: "bearer", keywords: ["earer ", "EARER "], pattern: /\bbearer\s+(?<bare>[A-Za-z0-9._~+/-]{16,}=*)/gi },
  {
    what: "url-password",
    keywords: ["://"],
    pattern: /:\/\/[^\s/:@"'?#]*:(?<bare>[^\s/@"'$<[][^\s/@"']*)@/g,
  },
];

// What is redacted already is claimed first and stays.
const marked = /\[redacted:[a-z-]+:[0-9a-z]+\]/g;
const detectors = [...tokens, ...named];
const memberName = new RegExp(secretNames, "i");

/** A text without any of these has nothing to redact. */
export const keywords: readonly string[] = [...new Set(detectors.flatMap(detector => detector.keywords))];

/** Nor has one whose only keyword is as common as these, unless this is there too: in plain text, and in JSON as it is written. */
export const besides: Readonly<Record<string, RegExp>> = { "://": /:\/\/[^\s/@"']*@/ };

interface Span {
  start: number;
  end: number;
  /** Undefined for a mark that stays. */
  what?: string;
}

const among = (detectors: readonly Detector[], text: string): readonly Detector[] =>
  detectors.filter(({ keywords }) => keywords.some(keyword => text.includes(keyword)));

/** Redacts plain text. */
export const redactText = (text: string, tag: Tag): string => redactBy(detectors, text, tag);

function redactBy(possible: readonly Detector[], text: string, tag: Tag): string {
  const spans: Span[] = among(possible, text).flatMap(detector => found(detector, text));
  if (spans.length === 0) return text;
  for (const match of text.matchAll(marked)) spans.push({ start: match.index, end: match.index + match[0].length });
  let clean = "";
  let at = 0;
  for (const { start, end, what } of disjoint(spans)) {
    const secret = text.slice(start, end);
    clean += text.slice(at, start) + (what === undefined ? secret : mark(what, secret, tag));
    at = end;
  }
  return clean + text.slice(at);
}

function found({ what, pattern }: Detector, text: string): Span[] {
  return Array.from(text.matchAll(pattern), match => {
    const { secret, quoted, single, bare } = match.groups ?? {};
    const part = secret ?? quoted ?? single ?? bare ?? match[0];
    const start = match.index + match[0].lastIndexOf(part);
    return { start, end: start + part.length, what };
  });
}

/** In order; of spans that overlap one remains over all of them, named by the first kind found, unless a mark is there. */
function disjoint(spans: Span[]): Span[] {
  const out: Span[] = [];
  for (const span of spans.sort((a, b) => a.start - b.start)) {
    const last = out.at(-1);
    if (!last || span.start >= last.end) out.push(span);
    else if (last.what === undefined) continue;
    else if (span.what === undefined) out[out.length - 1] = span;
    else last.end = Math.max(last.end, span.end);
  }
  return out;
}

const mark = (what: string, secret: string, tag: Tag) => `[redacted:${what}:${tag(secret)}]`;

/** Redacts a JSON document: every string in it, and every string that is the value of a secret-like member. */
export function redactJson(body: string, tag: Tag): string {
  try {
    const value: unknown = JSON.parse(body);
    // Few of the detectors are worth trying on each of its many strings; an escape may hide a keyword from a plain search.
    const possible = ESCAPE.test(body) ? detectors : among(detectors, body);
    return JSON.stringify(redactValue(value, possible, tag));
  } catch {
    // Not JSON, or nested beyond what can be walked: as text, which finds all but what stands right behind an escape.
    return redactText(body, tag);
  }
}

/** How JSON may write a letter or a slash otherwise than as it is. */
const ESCAPE = /\\[u/]/;

function redactValue(found: unknown, possible: readonly Detector[], tag: Tag): unknown {
  if (typeof found === "string") return redactBy(possible, found, tag);
  if (Array.isArray(found)) return found.map(item => redactValue(item, possible, tag));
  if (typeof found !== "object" || found === null) return found;
  const clean = (key: string, item: unknown) =>
    isSecret(key, item) ? mark("secret", item, tag) : redactValue(item, possible, tag);
  return Object.fromEntries(
    Object.entries(found).map(([key, item]) => [redactBy(possible, key, tag), clean(key, item)]),
  );
}

const isSecret = (key: string, item: unknown): item is string =>
  typeof item === "string" && item !== "" && memberName.test(key) && !/^[$<[]/.test(item);
