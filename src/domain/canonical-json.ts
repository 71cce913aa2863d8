/**
 * Canonical JSON (RFC 8785): members sorted by UTF-16 code units, no white space; members that are undefined are left
 * out. ECMAScript's own number and string forms are the ones the RFC asks for. Throws TypeError on infinities, NaN,
 * functions, symbols and big integers.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(item => canonicalJson(item ?? null)).join(",")}]`;
  if (typeof value === "number" && !Number.isFinite(value)) throw new TypeError("JSON has no such number");
  if (value === null || typeof value !== "object") return primitive(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(",")}}`;
}

function primitive(value: unknown): string {
  const text: string | undefined = JSON.stringify(value);
  if (text === undefined) throw new TypeError("JSON cannot say this");
  return text;
}
