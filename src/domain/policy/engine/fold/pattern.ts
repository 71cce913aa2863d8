/**
 * Shell patterns (`*`, `?`, `[…]`) matched without regular expressions: linear for one `*`, bounded backtracking for
 * more, so that hostile patterns cost nothing.
 */
export function matches(pattern: string, text: string): boolean {
  return extended.test(pattern) ? matcher(pattern)(text) : plainly(pattern, text);
}

/** The same of a pattern that many texts are held against. */
export function matcher(pattern: string): (text: string) => boolean {
  const all = extended.test(pattern) ? alternatives(pattern) : [pattern];
  return text => all.some(one => plainly(one, text));
}

/** One character's test for each element of a pattern; undefined stands for `*`. */
export type Element = ((c: string) => boolean) | undefined;

export function elements(pattern: string): Element[] {
  const out: Element[] = [];
  for (let p = 0; p < pattern.length; p++) {
    const e = pattern[p]!;
    const close = e === "[" ? closing(pattern, p + (/[!^]/.test(pattern[p + 1] ?? "") ? 2 : 1)) : -1;
    if (e === "*") out.push(undefined);
    else if (e === "?") out.push(() => true);
    else if (close > 0) {
      const set = pattern.slice(p + 1, close);
      out.push(c => inSet(set, c));
      p = close;
    } else {
      const char = e === "\\" && p + 1 < pattern.length ? pattern[++p]! : e;
      out.push(c => c === char);
    }
  }
  return out;
}

/** The patterns that one with `@(a|b)` or `?(a)` stands for; undefined where it repeats or excludes, or means too many. */
export function exactly(pattern: string): string[] | undefined {
  if (!extended.test(pattern)) return [pattern];
  if (/[*+!]\(/.test(pattern)) return undefined;
  const all = alternatives(pattern);
  return all.length < MAX_ALTERNATIVES ? all : undefined;
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
