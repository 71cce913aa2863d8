export const PASSWORD_MIN = 12;
export const PASSWORD_MAX = 256;

/** What must be left of a password without the words everybody would guess here. */
const ownMin = 5;

/**
 * Why this cannot be a password; undefined when it can. Length is what counts, no composition rules; not one of the most used
 * ones (`mostUsed`, in lower case), nor little more than the product's name or the person's own address (NIST SP 800-63B §5.1.1.2).
 * Characters are code points.
 */
export function passwordFault(password: string, email: string, mostUsed: ReadonlySet<string>): string | undefined {
  const length = [...password].length;
  if (length < PASSWORD_MIN) return `A password needs at least ${PASSWORD_MIN} characters.`;
  if (length > PASSWORD_MAX) return `A password has at most ${PASSWORD_MAX} characters.`;
  const plain = password.toLowerCase();
  if (new Set(plain).size < 4) return "A password needs at least four different characters.";
  if (mostUsed.has(plain)) return "This password is one of the most used ones. Choose another.";
  const own = guessable(email).reduce((rest, word) => rest.replaceAll(word, ""), plain);
  if (own !== plain && [...own].length < ownMin)
    return `Beside your email address and "gatehouse" a password needs at least ${ownMin} characters of its own.`;
  return undefined;
}

/** The address itself before its parts; what is too short to be a word is none. */
function guessable(email: string): string[] {
  const address = email.toLowerCase();
  const [local = "", domain = ""] = address.split("@");
  return [address, local, domain.split(".")[0]!, "gatehouse"].filter(word => word.length > 3);
}

/** One form for what different keyboards type (NIST SP 800-63B: NFKC before hashing). */
export const normalisePassword = (password: string) => password.normalize("NFKC");
