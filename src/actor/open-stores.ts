import { LRUCache } from "lru-cache";

/**
 * The organisations this thread holds open, least recently asked closed first. An organisation with work under way is kept:
 * closing waits until it has none.
 */
export interface Closable {
  /** True while writes wait or long answers run. */
  readonly busy: boolean;
  close(): void;
}

export class OpenStores<S extends Closable> {
  readonly #open: (org: string) => S;
  readonly #stores: LRUCache<string, S>;
  readonly #late = new Map<string, S>();

  constructor(max: number, open: (org: string) => S) {
    this.#open = open;
    this.#stores = new LRUCache<string, S>({ max, dispose: (store, org, reason) => this.#retire(org, store, reason) });
  }

  get(org: string): S {
    const known = this.#stores.get(org) ?? this.#late.get(org);
    if (known) {
      if (this.#late.delete(org)) this.#stores.set(org, known);
      return known;
    }
    const store = this.#open(org);
    this.#stores.set(org, store);
    return store;
  }

  peek(org: string): S | undefined {
    return this.#stores.peek(org) ?? this.#late.get(org);
  }

  *all(): Generator<[org: string, store: S]> {
    yield* this.#stores.entries() as Iterable<[string, S]>;
    yield* this.#late;
  }

  /** Closes what had to wait because it was busy. */
  sweep(): void {
    for (const [org, store] of this.#late) if (!store.busy && this.#late.delete(org)) store.close();
  }

  /** Closes one at once, busy or not: its file has failed. */
  drop(org: string): void {
    this.#late.get(org)?.close();
    this.#late.delete(org);
    this.#stores.delete(org);
  }

  /** Closes one, when its work under way is done. False when it is not open. */
  release(org: string): boolean {
    const store = this.#stores.peek(org);
    if (store?.busy) this.#late.set(org, store);
    return this.#stores.delete(org);
  }

  close(): void {
    this.#stores.clear();
    for (const store of this.#late.values()) store.close();
    this.#late.clear();
  }

  #retire(org: string, store: S, reason: string): void {
    if (reason === "evict" && store.busy) this.#late.set(org, store);
    else if (this.#late.get(org) !== store) store.close();
  }
}
