/** The name a person probably meant: one it begins, else the one fewest letters away, if that is near at all. */
export function closest(word: string, names: readonly string[]): string | undefined {
  if (word.length > 40) return undefined;
  const begun = word.length > 1 ? names.filter(name => name.startsWith(word)) : [];
  if (begun.length === 1) return begun[0];
  const near = names.map(name => ({ name, away: lettersAway(word, name) })).sort((a, b) => a.away - b.away)[0];
  return near && near.away <= Math.max(2, Math.floor(near.name.length / 3)) ? near.name : undefined;
}

export const didYouMean = (word: string, names: readonly string[]): string => {
  const name = closest(word, names);
  return name === undefined ? "" : ` Did you mean ${name}?`;
};

/** Levenshtein distance, two rows at a time. */
function lettersAway(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (const [n, letter] of [...a].entries()) {
    const next = [n + 1];
    for (let m = 0; m < b.length; m++)
      next.push(Math.min(next[m]! + 1, row[m + 1]! + 1, row[m]! + (b[m] === letter ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}
