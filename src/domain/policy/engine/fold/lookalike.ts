/** Names written with letters that only look like ASCII: `\u0440m`, `\uFF52\uFF4D`, and blanks that are none: `rm\u00A0-rf`. */

/** Cyrillic and Greek letters with the shape of an ASCII one; other alphabets (full width, mathematical) fold by NFKC. */
const from =
  "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u0501\u04bb\u03bf\u03c1\u03b1\u03b9\u03bd\u0261\u0131";
const to = "aeopcyxijsdhopaivgi";

const odd = /[^ -~]/;
const invisible = /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u206F\uFEFF]/g;

/** The words a name is most likely taken for; undefined when it is plain ASCII or looks like nothing else. */
export function lookalike(name: string): string[] | undefined {
  if (!odd.test(name) || name.length > 200) return undefined;
  const folded = [...name.replace(invisible, "")]
    .map(c => to[from.indexOf(c)] ?? c)
    .join("")
    .normalize("NFKC");
  if (odd.test(folded.replace(/[\u2028\u2029]/g, " "))) return undefined;
  return folded.split(/[\s\u2028\u2029]+/).filter(word => word !== "");
}
