/** `hash` is the hex RFC 6962 leaf hash of the last entry, 64 zeros (and `seq` -1) for an empty log. */
export interface LogHead {
  seq: number;
  hash: string;
}
