/** Words with parts nobody can know beforehand: each such part becomes one `hole`, however it was written. */
import { hole, type Word } from "../facts.ts";
import { type Certainty, maybe, no, yes } from "./certainty.ts";
import type { WordTest } from "./glob.ts";

const expansion = /\$\{[^}]*\}?|\$\([^)]*\)?|`[^`]*`?|\$[A-Za-z_]\w*|\$[\d@*#?$!-]/g;
const place = "$repo";

export function holed(word: Word): string {
  if (word.known) return word.text;
  const { text } = word;
  const after = text.startsWith(place) && /^(\/|$)/.test(text.slice(place.length)) ? place.length : 0;
  return text.slice(0, after) + text.slice(after).replace(expansion, hole);
}

const whollyUnknown = (word: Word): boolean => !word.known && holed(word).replaceAll(hole, "") === "";

/** `eager`: the rule says what to do when a word is not known at all. */
export function wordsHold(test: WordTest, words: readonly Word[], eager: boolean): Certainty {
  let best: Certainty = no;
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!;
    if (test.fits(word.text)) {
      if (word.known) return yes;
      best = maybe;
    } else if (eager && whollyUnknown(word)) best = maybe;
  }
  return best;
}
