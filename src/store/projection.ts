/** A change of the organisation as its projections see it: live and while rebuilding exactly the same. */
export interface Change {
  seq: number;
  ts: number;
  kind: string;
  agent?: string;
  /** The stored JSON. */
  body: string;
}

/**
 * Tables that answer questions and can be dropped and rebuilt from the log. `apply` runs at once for every entry of
 * the `state` stream, inside the transaction (and savepoint) of its `append`, so the next command of the same
 * commit sees it. It must depend on nothing but its tables and the change.
 */
export interface Projection {
  reset(): void;
  apply(change: Change): void;
  /** A change was undone: what is remembered of the tables may not be so any more. */
  forget?(): void;
}
