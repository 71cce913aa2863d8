/** Words as `plain.ts` makes them, in the shape of the parser's. */
import { forEachChild, parse, type SyntaxNode, type Word, type WordPart } from "unbash";

/** A word without quotes and expansions. */
export class PlainWord implements Word {
  readonly type = "Word";
  readonly text: string;
  readonly pos: number;
  readonly end: number;
  readonly value: string;
  readonly parts = undefined;
  /** Every character stands for itself: nothing is expanded. */
  readonly plain: boolean;

  constructor(text: string, value: string, pos: number, end: number, plain: boolean) {
    this.text = text;
    this.value = value;
    this.pos = pos;
    this.end = end;
    this.plain = plain;
  }
}

/** A word of quotes, `$name`, `*` and `?`. Its text says all about it; whoever wants its parts has the parser make them. */
export class QuotedWord implements Word {
  readonly type = "Word";
  readonly text: string;
  readonly pos: number;
  readonly end: number;
  readonly plain = false;
  private readonly source: string;
  private parsed: Word | undefined;

  constructor(source: string, text: string, pos: number, end: number) {
    this.source = source;
    this.text = text;
    this.pos = pos;
    this.end = end;
  }

  get value(): string {
    return this.whole.value;
  }
  get parts(): readonly WordPart[] | undefined {
    return this.whole.parts;
  }

  private get whole(): Word {
    this.parsed ??= wordAt(parse(this.source), this.pos)!;
    return this.parsed;
  }
}

export type ReadWord = PlainWord | QuotedWord;

/** Known to need no expansion, from when it was read. */
export const isPlain = (word: Word): boolean => (word as Partial<ReadWord>).plain === true;

function wordAt(node: SyntaxNode, pos: number): Word | undefined {
  if (node.type === "Word") return node.pos === pos ? node : undefined;
  let found: Word | undefined;
  forEachChild(node, child => {
    found ??= wordAt(child, pos);
  });
  return found;
}
