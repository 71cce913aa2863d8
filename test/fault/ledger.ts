/** What a client was promised, kept outside the server: the measure of what may not be lost or doubled. */
export class Ledger {
  readonly #acknowledged = new Set<string>();
  /** Sent without an answer: stored or not, but never twice. */
  readonly #open = new Set<string>();
  #head = { seq: -1, hash: "" };

  sending(ids: readonly string[]): void {
    for (const id of ids) this.#open.add(id);
  }

  acknowledged(ids: readonly string[], head: { seq: number; hash: string }): void {
    for (const id of ids) {
      this.#open.delete(id);
      this.#acknowledged.add(id);
    }
    if (head.seq > this.#head.seq) this.#head = head;
  }

  get size(): number {
    return this.#acknowledged.size;
  }

  /** What is wrong with the entries found after the fault, in sentences; none is what is hoped for. */
  audit(entries: readonly { seq: number; id: string; hash: string }[]): string[] {
    const seen = new Map<string, number>();
    for (const { id } of entries) seen.set(id, (seen.get(id) ?? 0) + 1);
    const lost = [...this.#acknowledged].filter(id => !seen.has(id));
    const doubled = [...seen].filter(([, count]) => count > 1).map(([id]) => id);
    const witness =
      this.#head.seq < 0 || entries.some(({ seq, hash }) => seq === this.#head.seq && hash === this.#head.hash);
    return [
      ...(lost.length > 0 ? [`${lost.length} acknowledged events are lost, the first is ${lost[0]}`] : []),
      ...(doubled.length > 0 ? [`${doubled.length} events are there more than once, the first is ${doubled[0]}`] : []),
      ...(witness ? [] : [`the head acknowledged at ${this.#head.seq} is not in the log`]),
    ];
  }
}
