/** The versions of the organisation's policy; the newest is in force. */
export interface Policies {
  /** 0 before the first. */
  newest(): number;
  version(version: number): PolicyVersion | undefined;
  /** Newest first, without their text. */
  history(before: number | undefined, limit: number): Omit<PolicyVersion, "yaml">[];
}

export interface PolicyVersion {
  /** Only grows; 1 is the one the organisation began with. */
  version: number;
  /** The author's text to the byte. */
  yaml: string;
  /** Hex SHA-256 of the text. */
  hash: string;
  /** Account id; null for the first. */
  changed_by: string | null;
  changed_ms: number;
}
