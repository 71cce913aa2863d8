/** `for %i in (set) do …` of cmd.exe: what its variables hold, once for each round. */
import { hole } from "../../facts.ts";
import type { Machine } from "../run/machine.ts";
import { type Val, literal, unknown } from "../value.ts";
import { expand, type Piece } from "./cmd-text.ts";

const roundsMax = 16;

export interface Loop {
  name: string;
  /** What the variable holds in each round; of `for /f` the parts of a line. */
  rounds: readonly (readonly Val[])[];
  /** `for /l %i in (0,0,1)` never ends. */
  endless: boolean;
}

/** A loop from the words before its set and the set; `undefined` where it is none that can be read. */
export function loopOf(
  m: Machine,
  words: readonly Piece[],
  set: readonly Piece[],
  printedBy: (text: string) => Val,
): Loop | undefined {
  const name = /^%%?([a-z])$/i.exec(words.find(w => /^%%?[a-z]$/i.test(w.text))?.text ?? "")?.[1]?.toLowerCase();
  if (name === undefined || set.length === 0) return undefined;
  const at = words.findIndex(w => /^\/[dflr]$/i.test(w.text));
  const kind = words[at]?.text.toLowerCase();
  const behind = words[at + 1]?.text ?? "";
  if (kind === "/l") {
    const [from = "", step = ""] = set.map(p => p.text);
    return { name, rounds: [[literal(from)]], endless: step === "0" };
  }
  if (kind === "/f") return { name, rounds: lines(m, set, /^%/.test(behind) ? "" : behind, printedBy), endless: false };
  const named = set.filter(p => !p.mark).map(p => expand(m, p.text));
  const rounds = kind === "/r" && !/^%/.test(behind) ? named.map(mask => below(behind, mask)) : named;
  return { name, rounds: rounds.slice(0, roundsMax).map(v => [v]), endless: false };
}

/** `for /r root %i in (mask)`. */
const below = (root: string, mask: Val): Val => {
  const dir = root.replace(/\\$/, "");
  return /^\*(\.\*)?$/.test(mask.text) ? literal(`${dir}\\*`) : { ...unknown(), text: `${dir}\\${hole}\\*` };
};

/** `for /f "tokens=1,2 delims=," %i in ("text" | 'command' | file)`. */
function lines(m: Machine, set: readonly Piece[], options: string, printedBy: (text: string) => Val): Val[][] {
  const text = set.map(p => p.text).join(" ");
  const source = /^['`]/.test(text)
    ? printedBy(text.replace(/^['`]|['`]$/g, ""))
    : set[0]!.quoted
      ? expand(m, text)
      : unknown();
  if (!source.known) return [[source]];
  const delims = /delims=([^ ]*)/i.exec(options)?.[1] ?? " \t";
  const tokens = /tokens=([\d,*]+)/i.exec(options)?.[1] ?? "1";
  return source.text
    .split(/[\r\n]+/)
    .slice(0, roundsMax)
    .map(line => parts(line, delims, tokens).map(text => ({ ...source, text })));
}

/** The parts of a line that `tokens=` names; `*` is all that is left. */
function parts(line: string, delims: string, tokens: string): string[] {
  if (delims === "") return [line];
  const ends: [number, number][] = [];
  for (let i = 0; i < line.length; ) {
    while (i < line.length && delims.includes(line[i]!)) i++;
    const from = i;
    while (i < line.length && !delims.includes(line[i]!)) i++;
    if (i > from) ends.push([from, i]);
  }
  const wanted = tokens.replace("*", ",*").split(",").filter(Boolean);
  return wanted.map((token, k) => {
    if (token === "*") return line.slice(ends[k === 0 ? 0 : Number(wanted[k - 1])]?.[0] ?? line.length);
    const end = ends[Number(token) - 1];
    return end ? line.slice(...end) : "";
  });
}
