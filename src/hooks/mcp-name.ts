import type { DeclaredServer } from "./dialect.ts";

export interface McpName {
  server?: string;
  tool: string;
}

/** Agents write server names with every other character replaced by `_`. */
const normalised = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, "_");

/**
 * Takes a joined name apart: the longest declared server that fits wins. Without one, the first separator splits it
 * when `guess` says the form is unambiguous enough, else the server stays unknown.
 */
export function splitMcpName(
  joined: string,
  separator: string,
  servers: readonly DeclaredServer[] = [],
  guess = false,
): McpName {
  const fits = (server: DeclaredServer) => {
    const prefix = `${normalised(server.name)}${separator}`;
    return joined.startsWith(prefix) && joined.length > prefix.length;
  };
  const declared = servers.filter(fits).sort((a, b) => b.name.length - a.name.length)[0];
  if (declared) return { server: declared.name, tool: joined.slice(declared.name.length + separator.length) };
  const at = joined.indexOf(separator);
  if (!guess || at <= 0 || at + separator.length >= joined.length) return { tool: joined };
  return { server: joined.slice(0, at), tool: joined.slice(at + separator.length) };
}
