/**
 * Shell patterns (`*`, `?`, `[…]`) matched without regular expressions: linear for one `*`, bounded backtracking for
 * more, so that hostile patterns cost nothing.
 */
export function matches(pattern: string, text: string): boolean {
  if (extended.test(pattern)) return alternatives(pattern).some(one => plainly(one, text));
  return plainly(pattern, text);
}

const extended = /[@?*+!]\(/;
const group = /([@?*+!])\(([^()]*)\)/;
const MAX_ALTERNATIVES = 24;

/** `r@(m|n)` as plain patterns. A repetition counts once, what is excluded as anything. */
function alternatives(pattern: string): string[] {
  const found = group.exec(pattern);
  if (!found) return [pattern];
  const [whole, operator, list] = found;
  const each = operator === "!" ? ["*"] : list!.split("|");
  if (operator === "?" || operator === "*") each.push("");
  const before = pattern.slice(0, found.index);
  const rest = alternatives(pattern.slice(found.index + whole.length));
  return each.flatMap(one => rest.map(after => before + one + after)).slice(0, MAX_ALTERNATIVES);
}

function plainly(pattern: string, text: string): boolean {
  let p = 0;
  let t = 0;
  let star = -1;
  let mark = 0;
  while (t < text.length) {
    const next = p < pattern.length ? oneChar(pattern, p, text[t]!) : 0;
    if (pattern[p] === "*") {
      star = p++;
      mark = t;
    } else if (next > 0) {
      p = next;
      t++;
    } else if (star >= 0) {
      p = star + 1;
      t = ++mark;
    } else return false;
  }
  while (pattern[p] === "*") p++;
  return p >= pattern.length;
}

/** The position after the pattern element at `p` when it accepts `c`; 0 otherwise. */
function oneChar(pattern: string, p: number, c: string): number {
  const e = pattern[p];
  if (e === "?") return p + 1;
  if (e === "\\" && p + 1 < pattern.length) return pattern[p + 1] === c ? p + 2 : 0;
  if (e === "[") {
    const close = closing(pattern, p + (pattern[p + 1] === "!" || pattern[p + 1] === "^" ? 2 : 1));
    if (close > 0) return inSet(pattern.slice(p + 1, close), c) ? close + 1 : 0;
  }
  return e === c ? p + 1 : 0;
}

/** Where a set that begins at `from` ends: not at the `]` of `[:alpha:]` in it, nor at one that stands first. */
function closing(pattern: string, from: number): number {
  let at = from + 1;
  if (pattern.startsWith("[:", from)) at = pattern.indexOf(":]", from) + 2;
  for (;;) {
    const close = pattern.indexOf("]", at);
    const inner = pattern.indexOf("[:", at);
    if (inner < 0 || inner > close) return close;
    at = pattern.indexOf(":]", inner) + 2;
    if (at < 2) return close;
  }
}

const classes: Record<string, RegExp> = {
  alpha: /[A-Za-z]/,
  lower: /[a-z]/,
  upper: /[A-Z]/,
  digit: /\d/,
  alnum: /[A-Za-z0-9]/,
  word: /\w/,
  xdigit: /[0-9A-Fa-f]/,
  space: /\s/,
  blank: /[ \t]/,
  graph: /[!-~]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
};

function inSet(set: string, c: string): boolean {
  const not = set[0] === "!" || set[0] === "^";
  let found = false;
  const body = (not ? set.slice(1) : set).replace(/\[:(\w+):\]/g, (_, name: string) => {
    found ||= classes[name]?.test(c) === true;
    return "";
  });
  for (let i = 0; i < body.length; i++) {
    if (body[i + 1] === "-" && i + 2 < body.length) {
      if (c >= body[i]! && c <= body[i + 2]!) found = true;
      i += 2;
    } else if (body[i] === c) found = true;
  }
  return found !== not;
}

/** `${x#p}` `${x##p}` `${x%p}` `${x%%p}` */
export function remove(text: string, pattern: string, operator: string): string {
  const longest = operator.length === 2;
  const prefix = operator[0] === "#";
  const n = text.length;
  if (n > 4096) return text;
  for (let k = 0; k <= n; k++) {
    const size = longest ? n - k : k;
    const piece = prefix ? text.slice(0, size) : text.slice(n - size);
    if (matches(pattern, piece)) return prefix ? text.slice(size) : text.slice(0, n - size);
  }
  return text;
}

/** `${x/p/r}` and its forms `//`, `/#`, `/%`. */
export function replace(text: string, pattern: string, by: string, operator: string): string {
  if (pattern === "") return operator === "/#" ? by + text : operator === "/%" ? text + by : text;
  if (!/[*?[\\]/.test(pattern)) return replaceLiteral(text, pattern, by, operator);
  if (text.length > 1024) return text;
  let out = "";
  let i = 0;
  while (i < text.length) {
    const end = operator === "/%" ? suffixAt(text, pattern, i) : longestAt(text, pattern, i);
    if (end < 0) {
      if (operator === "/#") return text;
      out += text[i++];
      continue;
    }
    out += by;
    i = end;
    if (operator !== "//") return out + text.slice(i);
  }
  return out;
}

function replaceLiteral(text: string, pattern: string, by: string, operator: string): string {
  if (operator === "//") return text.replaceAll(pattern, () => by);
  if (operator === "/#") return text.startsWith(pattern) ? by + text.slice(pattern.length) : text;
  if (operator === "/%") return text.endsWith(pattern) ? text.slice(0, -pattern.length) + by : text;
  return text.replace(pattern, () => by);
}

function longestAt(text: string, pattern: string, from: number): number {
  for (let end = text.length; end > from; end--) if (matches(pattern, text.slice(from, end))) return end;
  return -1;
}

const suffixAt = (text: string, pattern: string, from: number): number =>
  matches(pattern, text.slice(from)) ? text.length : -1;
