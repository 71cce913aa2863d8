import type { Dispatch } from "../dispatch/dispatch.ts";
import type { DeclaredServer } from "../hooks/dialect.ts";

/** The MCP servers an installation has declared in its heartbeats: joined tool names are taken apart by them. */
export async function declaredBy(dispatch: Dispatch, org: string, agent: string): Promise<DeclaredServer[]> {
  const { mcp_servers } = await dispatch.ask(org, "agents.get", { id: agent });
  return (mcp_servers ?? []).map(({ name, command, url }) => ({
    name,
    ...(command ? { command } : {}),
    ...(url ? { url } : {}),
  }));
}
