/**
 * The one spelling of an address under which an account is found: trimmed, NFC, lower case. Undefined when it is no
 * address (RFC 5321 lengths; only what every mail system takes, so no quoted local parts).
 */
export function emailKey(text: string): string | undefined {
  const email = text.trim().normalize("NFC").toLowerCase();
  return email.length <= 254 && SHAPE.test(email) ? email : undefined;
}

const SHAPE = /^[^\s@"(),:;<>[\\\]\p{C}]{1,64}@[^\s@"(),:;<>[\\\]\p{C}.]+(\.[^\s@"(),:;<>[\\\]\p{C}.]+)*$/u;
