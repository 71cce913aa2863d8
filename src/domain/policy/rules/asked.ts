/** What is asked about one call. */
import type { FileFact, Findings, FlowFact } from "../facts.ts";
import type { Call } from "../verdict.ts";
import type { PathLists } from "./path.ts";
import type { Rulebook } from "./rulebook.ts";

const none: readonly number[] = [];

export class Asked {
  readonly call: Call;
  readonly findings: Findings;
  readonly #book: Rulebook;
  #bySubject: (number[] | undefined)[] | undefined;

  constructor(call: Call, findings: Findings, book: Rulebook) {
    this.call = call;
    this.findings = findings;
    this.#book = book;
  }

  /** Facts of one call, by number. */
  factsOf(subject: number): readonly number[] {
    this.#bySubject ??= this.#sorted();
    return this.#bySubject[subject] ?? none;
  }

  #sorted(): (number[] | undefined)[] {
    const { subjects, facts } = this.findings;
    const bySubject: (number[] | undefined)[] = new Array(subjects.length);
    for (let number = 0; number < facts.length; number++) {
      const { of } = facts[number]!;
      const same = bySubject[of];
      if (same === undefined) bySubject[of] = [number];
      else same.push(number);
    }
    return bySubject;
  }

  /** Path lists a restricting rule sees this fact in. */
  suspectLists(fact: number): PathLists {
    return this.#book.suspectLists(this.#withPath(fact), this.call);
  }

  trusts(fact: number, list: number): boolean {
    return this.#book.trustedLists(this.#withPath(fact), this.call).has(list);
  }

  #withPath(fact: number): FileFact | FlowFact {
    return this.findings.facts[fact] as FileFact | FlowFact;
  }
}
