/** Text written with characters that only look like ASCII: `\u0440m`, `\uFF52\uFF4D`, `rm\u00A0-rf`, `rm -rf \u2215`. */

/** Cyrillic, Greek and other letters, dashes, slashes and tildes with the shape of an ASCII character. */
const from =
  "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u03bf\u03c1\u03b1\u03b9\u03bd\u0261\u0131\u0433\u0442\u043c\u043a\u0432\u051b\u051d\u0475\u0578\u0585\u0581" +
  "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u2043\u2215\u2044\u29f8\u2571\u27cb\u02dc\u223c\u2217\u204e\u066a";
const to = "aeopcyxijsdhopaivgirtmkbqwvnog" + "--------/////~~**%";

const odd = /[^\t\n -~]/;
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;
const blank = /[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;
/** Letters and signs of full width, of mathematics, in circles: they fold by their compatibility form. */
const compatible = /[\u2024\u2460-\u24FF\uFF01-\uFF5E]|[\uD835][\uDC00-\uDFFF]/g;

const ascii = (c: string): string => {
  const at = from.indexOf(c);
  return at < 0 ? c : to[at]!;
};

/** The text as a reader takes it who sees ASCII in all that looks like it. The same text when nothing does. */
export function asRead(text: string): string {
  if (!odd.test(text)) return text;
  const plain = text.replace(blank, " ").replace(compatible, c => c.normalize("NFKC"));
  let out = "";
  for (const c of plain) out += c < "\x80" ? c : ascii(c);
  return out;
}

/** The words a name is most likely taken for; undefined when it is plain ASCII or looks like nothing else. */
export function lookalike(name: string): string[] | undefined {
  if (!odd.test(name) || name.length > 200) return undefined;
  const folded = asRead(name.replace(invisible, ""));
  if (odd.test(folded.replace(/[\u2028\u2029]/g, " "))) return undefined;
  return folded.split(/[\s\u2028\u2029]+/).filter(word => word !== "");
}
