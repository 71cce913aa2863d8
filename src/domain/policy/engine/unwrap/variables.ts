/** What the variables of code hold while it is read, and the places in its texts that name them. */
import { homeInText } from "./calls.ts";
import type { Token } from "./tokens.ts";

interface Held {
  text: string | undefined;
  taint: number;
}

const named = /\$\{?(\w+)\}?|#\{(\w+)\}/g;
/** `${'etc'}`, `#{"etc"}` */
const quotedInside = /[$#]\{\s*(?:"([^"]*)"|'([^']*)')\s*\}/g;

export class Variables {
  private readonly map = new Map<string, Held>();
  private readonly spend: (chars: number) => void;

  /** `spend` is told what a text is filled in with, before it is built: texts that double end the evaluation. */
  constructor(spend: (chars: number) => void) {
    this.spend = spend;
  }

  get(name: string): Held | undefined {
    return this.map.get(name);
  }

  set(name: string, text: string | undefined, taint = 0): void {
    this.map.set(name, { text, taint });
  }

  /** perl and php write `$c` for what a text names `c`. */
  private held(name: string): string | undefined {
    const text = (this.map.get(`$${name}`) ?? this.map.get(name))?.text;
    this.spend(text?.length ?? 0);
    return text;
  }

  /** The text of the variable a method is called on: `c.replace(…)`. */
  receiver(name: string): string | undefined {
    const dot = name.lastIndexOf(".");
    const text = dot > 0 ? this.map.get(name.slice(0, dot).trimStart())?.text : undefined;
    this.spend(8 * (text?.length ?? 0));
    return text;
  }

  /** A text with the variables in it filled in, as its language writes them: `"$c"`, `#{c}`, `f"{c}"`. */
  interpolated(text: string, prefix: string | undefined): string {
    let out = text;
    if (/[$#]/.test(text))
      out = text
        .replace(homeInText, "~")
        .replace(quotedInside, "$1$2")
        .replace(named, (whole, a, b) => this.held(a ?? b) ?? whole);
    if (prefix === undefined || !/^[rR]?[fF]$/.test(prefix)) return out;
    return out
      .replace(/\{\s*(?:"([^"]*)"|'([^']*)')\s*\}/g, "$1$2")
      .replace(/\{(\w+)\}/g, (whole, name: string) => this.held(name) ?? whole);
  }

  /** `c += text`, `$c .= text`: the string at `i` goes to what the variable held. */
  appended(list: readonly Token[], i: number, text: string): boolean {
    // ruby: `c << text`.
    const shift = list[i - 1]?.text === "<" && list[i - 2]?.text === "<";
    if (!shift && (list[i - 1]?.text !== "=" || !/^[+.]$/.test(list[i - 2]?.text ?? ""))) return false;
    const name = list[i - 3]?.text ?? "";
    this.set(name, (this.map.get(name)?.text ?? "") + text);
    return true;
  }
}
