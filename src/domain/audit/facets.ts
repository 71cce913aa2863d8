/** What statistics and filters ask of an entry without unpacking its body. */
export interface Facets {
  client?: string;
  rules?: readonly string[];
  /** MCP server and tool called. */
  server?: string;
  tool?: string;
  /** True for an event that repeats a decision logged already: its decision is not counted again. */
  echo?: boolean;
}
