/** One pattern of a rule: a word, a glob, or `re:` with one RE2 (never the runtime's own RegExp: it can hang). */
import { RE2JS } from "re2js";
import { anyOf, globTest, isGlob, unescaped, type WordTest } from "./glob.ts";

const marker = "re:";

export function patternFault(pattern: string): string | undefined {
  if (!pattern.startsWith(marker)) return undefined;
  try {
    RE2JS.compile(pattern.slice(marker.length));
    return undefined;
  } catch {
    return `\`${pattern}\` is not a valid RE2 pattern`;
  }
}

/** `fold` compares without regard to case: Windows programs and their options do. */
export function wordTest(patterns: readonly string[], fold = false): WordTest {
  const exact: string[] = [];
  const tests: WordTest[] = [];
  for (const pattern of patterns) {
    if (pattern.startsWith(marker)) tests.push(regexTest(pattern.slice(marker.length), fold));
    else if (isGlob(pattern)) tests.push(globTest(fold ? pattern.toLowerCase() : pattern));
    else exact.push(unescaped(fold ? pattern.toLowerCase() : pattern));
  }
  const test = anyOf(tests, exact);
  return fold ? text => test(text.toLowerCase()) : test;
}

/** Compiled at its first use, and asked only about text that holds the literal every match must hold. */
function regexTest(source: string, fold: boolean): WordTest {
  const literal = fold ? "" : requiredLiteral(source);
  let compiled: RE2JS | undefined;
  return text => {
    if (literal !== "" && !text.includes(literal)) return false;
    compiled ??= RE2JS.compile(source, fold ? RE2JS.CASE_INSENSITIVE : 0);
    return compiled.matcher(text).find();
  };
}

/** Longest text that every match contains; empty where that is not plain to see. */
export function requiredLiteral(source: string): string {
  if (/\(\?|\||\\[QEpPxuc]/.test(source)) return "";
  let best = "";
  let run = "";
  const end = () => {
    if (run.length > best.length) best = run;
    run = "";
  };
  let depth = 0;
  for (let at = 0; at < source.length; at++) {
    const char = source[at]!;
    const next = source[at + 1] ?? "";
    const optional = next === "?" || next === "*" || next === "{";
    if (char === "[") {
      end();
      const from = source[at + 1] === "]" ? at + 2 : at + 1;
      at = classEnd(source, from);
      continue;
    }
    if (char === "(") depth++;
    if (char === ")") depth--;
    if (depth > 0 || "()^$.+*?{}".includes(char)) {
      end();
      if (char === "{") at = Math.max(at, source.indexOf("}", at));
      continue;
    }
    const escaped = char === "\\" && /\W/.test(next) ? next : undefined;
    if (char === "\\" && escaped === undefined) {
      end();
      at++;
      continue;
    }
    if (escaped !== undefined) {
      at++;
      const after = source[at + 1] ?? "";
      if ("?*{".includes(after) && after !== "") end();
      else run += escaped;
      continue;
    }
    if (optional) end();
    else run += char;
  }
  end();
  return best;
}

function classEnd(source: string, from: number): number {
  for (let at = from; at < source.length; at++) {
    if (source[at] === "\\") at++;
    else if (source[at] === "]") return at;
  }
  return source.length;
}
