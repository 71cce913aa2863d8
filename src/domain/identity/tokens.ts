/** The opaque tokens: a prefix that says what it opens, then 256 random bits as 43 base64url characters. */
export const tokenPrefixes = {
  agent: "gha_",
  demo: "ghd_",
  access: "ghp_",
  enrolment: "ghe_",
  device: "ghv_",
  challenge: "ghc_",
  invitation: "ghi_",
  trusted: "ght_",
} as const;
export type TokenKind = keyof typeof tokenPrefixes;

const SECRET_BYTES = 32;

export function makeToken(kind: TokenKind, random: (bytes: number) => Uint8Array): string {
  return tokenPrefixes[kind] + base64url(random(SECRET_BYTES));
}

/** Only what looks like a token of that kind is worth hashing and looking up. */
export function isToken(kind: TokenKind, text: string): boolean {
  return text.length === 47 && text.startsWith(tokenPrefixes[kind]) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(4));
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
