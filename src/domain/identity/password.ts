export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 256;

/**
 * Why this cannot be a password; undefined when it can. Length is what counts, no composition rules, not the person's own
 * address (NIST SP 800-63B §5.1.1.2). Characters are code points.
 */
export function passwordFault(password: string, email: string): string | undefined {
  const length = [...password].length;
  if (length < PASSWORD_MIN) return `A password needs at least ${PASSWORD_MIN} characters.`;
  if (length > PASSWORD_MAX) return `A password has at most ${PASSWORD_MAX} characters.`;
  const plain = password.toLowerCase();
  if (plain === email.toLowerCase() || plain === email.split("@")[0]!.toLowerCase())
    return "The email address cannot be the password.";
  if (new Set(plain).size < 4) return "A password needs at least four different characters.";
  return undefined;
}

/** One form for what different keyboards type (NIST SP 800-63B: NFKC before hashing). */
export const normalisePassword = (password: string) => password.normalize("NFKC");
