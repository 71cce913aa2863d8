/** Bounds of one evaluation. Past any of them the answer is a gap, never ALLOW. */
export const limits = {
  /** Characters of a command or of all strings of an MCP call. */
  chars: 32_768,
  /** Nested texts: `bash -c` in `eval` in `$()` … */
  depth: 12,
  /** Commands run, words folded, loop turns. */
  steps: 4_000,
  /** Characters that filters, patterns and parsers look through in all. */
  work: 1_000_000,
  /** `$(`, `` ` ``, `${`, `<(`, `<<` together: the parser is superlinear in them. */
  openers: 600,
  /** Characters a folded value may hold. */
  text: 65_536,
  /** Options of one invocation: rules compare them with each other and with the operands. */
  options: 512,
  /** Values of one variable that are followed, one for each branch it was set on. */
  branches: 64,
  /** Words one word may expand to (braces, arrays, globs). */
  fields: 512,
} as const;
