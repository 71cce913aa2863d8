import { expect, test } from "bun:test";
import fc from "fast-check";
import { ambiguity } from "./ambiguity.ts";

const kind = (pattern: RegExp): string => ambiguity(pattern.source, pattern.flags)?.kind ?? "linear";

test.each([
  [/^(a+)+$/, "exponential"],
  [/^(a|a)*$/, "exponential"],
  [/^(a|ab|b)*c/, "exponential"],
  [/^(?:\s*|x)*y/, "exponential"],
  [/^(?:\\.|[^"])*"/, "exponential"],
  [/^\s*:?\s*x/, "polynomial"],
  [/^[\w-]*run[\w-]*=/, "polynomial"],
  [/^a*b?a*$/, "polynomial"],
  [/^.*,.*,x/, "polynomial"],
  [/^(?:a+){3}$/, "polynomial"],
  [/^\s+(.*)$/, "polynomial"],
  [/\s+$/, "search"],
  [/a*b/, "search"],
  [/^(?:(?:a|a)*b|c)*/, "exponential"],
  [/"(?:[^"\\]|\\.)*"/, "search"],
  [/\/\*[\s\S]*?\*\//, "search"],
  [/\bupdate\b.*\bset\b/i, "search"],
  [/(['"])(.*?)\1/, "search"],
  [/a(?:.*b)?/g, "search"],
  [/(?=.*x)y/, "search"],
])("%p is %s", (pattern, expected) => expect(kind(pattern)).toBe(expected));

test.each([
  /^\s+/,
  /^a+b/,
  /^(?:a?)*b/,
  /(?<=x)a+(?=b)/,
  /(?<!a)a+$/,
  /\b\w+$/,
  /"[^"]*"/,
  /"(?:[^"\\]|\\.)*"?/,
  /^\s+(.*)$/s,
  /\/\*[\s\S]*?(?:\*\/|$)/,
  /^(?:a|b)*c/,
  /^\s*(?:x\s*)?y/,
  /a+/g,
  /a*b/y,
  /^(?:[^\\']|\\.)*'/,
  /(?:^|[\n;])[^\S\n]*e/,
  /\balter\s+table\b/i,
  /x{2,60}y/,
])("%p is linear", pattern => expect(kind(pattern)).toBe("linear"));

/** Whether a matcher that tries one way after another needs more steps for twice the text than twice as many. */
function steps(source: string, text: string): number {
  let count = 0;
  const atoms = [...source.matchAll(/([ab.])([*+?]?)/g)].map(([, c, many]) => ({ c, many }));
  const at = (atom: number, i: number): boolean => {
    count++;
    const one = atoms[atom];
    if (!one) return i === text.length;
    const fits = i < text.length && (one.c === "." || one.c === text[i]);
    if (one.many === "*" || one.many === "+") {
      let end = i;
      while (end < text.length && (one.c === "." || one.c === text[end])) end++;
      for (let stop = end; stop >= i + (one.many === "+" ? 1 : 0); stop--) if (at(atom + 1, stop)) return true;
      return false;
    }
    return (fits && at(atom + 1, i + 1)) || (one.many === "?" && at(atom + 1, i));
  };
  at(0, 0);
  return count;
}

test("what is called linear is, and a pump makes slow what is not", () => {
  const atom = fc.tuple(fc.constantFrom("a", "b", "."), fc.constantFrom("", "*", "+", "?")).map(all => all.join(""));
  fc.assert(
    fc.property(
      fc.array(atom, { minLength: 1, maxLength: 5 }),
      fc.string({ unit: fc.constantFrom("a", "b") }),
      (list, text) => {
        const source = list.join("");
        const slow = ambiguity(`^${source}$`, "s");
        if (!slow) expect(steps(source, text.repeat(40).slice(0, 200))).toBeLessThan(200 * 8);
      },
    ),
    { numRuns: 300, seed: 4 },
  );
});
