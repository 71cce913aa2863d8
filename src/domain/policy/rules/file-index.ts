/** Descriptions of one kind of file access by one kind of call, by the path list they ask for. */
import { type FileAct, fileActs, type Subject } from "../facts.ts";
import type { Description } from "./description.ts";
import type { PathLists } from "./path.ts";

/** Descriptions one path brings up, strictest rule first. */
interface FilesAbout {
  /** The path itself is meant. */
  own: readonly Description[];
  /** Something below the path is meant. */
  below: readonly Description[];
}

export class FileIndex {
  /** Those that ask for no path. */
  readonly anywhere: readonly Description[];
  /** Those whose rule says what an unknown path means. */
  readonly eager: readonly Description[];
  readonly #byList = new Map<number, Description[]>();
  readonly #known = new WeakMap<PathLists, FilesAbout>();
  readonly #strictness: (made: Description) => number;

  constructor(descriptions: readonly Description[], strictness: (made: Description) => number) {
    this.anywhere = descriptions.filter(made => made.path === undefined);
    this.eager = descriptions.filter(made => made.path !== undefined && made.eager);
    this.#strictness = strictness;
    for (const made of descriptions) {
      if (made.path === undefined) continue;
      const same = this.#byList.get(made.path);
      if (same === undefined) this.#byList.set(made.path, [made]);
      else same.push(made);
    }
  }

  /** Those whose path list is among `lists`. */
  about(lists: PathLists): FilesAbout {
    let known = this.#known.get(lists);
    if (known === undefined) {
      const own = this.#gather(lists.own);
      known = { own, below: this.#gather(lists.below).filter(made => !own.includes(made)) };
      this.#known.set(lists, known);
    }
    return known;
  }

  #gather(lists: readonly number[]): Description[] {
    const about = lists.flatMap(list => this.#byList.get(list) ?? []);
    return about.sort((a, b) => this.#strictness(b) - this.#strictness(a));
  }
}

export type FileIndexes = Readonly<Record<Subject["kind"], Readonly<Record<FileAct, FileIndex>>>>;

export function indexFiles(
  descriptions: Readonly<Record<Subject["kind"], readonly Description[]>>,
  strictness: (made: Description) => number,
): FileIndexes {
  const byAct = (all: readonly Description[]) =>
    Object.fromEntries(
      fileActs.map(act => [
        act,
        new FileIndex(
          all.filter(made => speaksOf(made, act)),
          strictness,
        ),
      ]),
    ) as Record<FileAct, FileIndex>;
  return { run: byAct(descriptions.run), mcp: byAct(descriptions.mcp) };
}

const speaksOf = ({ acts, grants }: Description, act: FileAct): boolean =>
  acts === undefined ? grants === undefined || act === "permissions" : acts.includes(act);
