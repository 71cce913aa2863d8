/** Words with parts nobody can know beforehand: each such part becomes one `hole`, however it was written. */
import { hole, type Word } from "../facts.ts";

const expansion = /\$\{[^}]*\}?|\$\([^)]*\)?|`[^`]*`?|\$[A-Za-z_]\w*|\$[\d@*#?$!-]/g;
const place = "$repo";

export function holed(word: Word): string {
  if (word.known) return word.text;
  const { text } = word;
  const after = text.startsWith(place) && /^(\/|$)/.test(text.slice(place.length)) ? place.length : 0;
  return text.slice(0, after) + text.slice(after).replace(expansion, hole);
}

export const whollyUnknown = (word: Word): boolean => !word.known && holed(word).replaceAll(hole, "") === "";
