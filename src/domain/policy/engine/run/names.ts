/** What names stand for in one shell. A subshell's copy is the same map until either of both is written to. */
export class Names<V> {
  private map: Map<string, V>;
  private shared: boolean;

  constructor(map = new Map<string, V>(), shared = false) {
    this.map = map;
    this.shared = shared;
  }

  copy(): Names<V> {
    this.shared = true;
    return new Names(this.map, true);
  }

  get(name: string): V | undefined {
    return this.map.get(name);
  }

  set(name: string, value: V): void {
    this.own().set(name, value);
  }

  delete(name: string): void {
    if (this.map.has(name)) this.own().delete(name);
  }

  keys(): Iterable<string> {
    return this.map.keys();
  }

  entries(): Iterable<[string, V]> {
    return this.map.entries();
  }

  /** Both are one map still. */
  same(other: Names<V>): boolean {
    return this.map === other.map;
  }

  private own(): Map<string, V> {
    if (this.shared) {
      this.map = new Map(this.map);
      this.shared = false;
    }
    return this.map;
  }
}
