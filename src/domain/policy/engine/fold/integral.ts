/**
 * The node with its position as an integer. The parser's compiled code hands some positions over as floating-point
 * numbers; read on from there, every later position of every command is one as well, and code compiled for integers is
 * thrown away again and again. Words pass here before anything else reads them.
 */
export function integral<T extends { readonly pos: number }>(node: T): T {
  (node as { pos: number }).pos |= 0;
  return node;
}
