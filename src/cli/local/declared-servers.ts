import type { DeclaredMcpServer } from "../../client/api.ts";
import type { Home } from "../../client/home.ts";
import { writeJson } from "../../client/home.ts";
import { shippedKinds } from "../../comply/catalogue.ts";
import { openSource, type Scope, valuesAt } from "../../comply/source.ts";
import { walk } from "../../comply/walk.ts";

const serversMax = 200;

/** The MCP servers agents are configured with, in the home and the present project; kept for taking tool names apart. */
export function declaredServers(home: Home, project: string): DeclaredMcpServer[] {
  const all = shippedKinds();
  // Only kinds with a fixed place: this runs often and must not walk through a project.
  const placed = (globs: string[] = []) => !globs.some(glob => glob.startsWith("*"));
  const kinds = Object.fromEntries(Object.entries(all).filter(([, kind]) => kind.servers && placed(kind.project)));
  const files = [
    ...walk(home.user, "home", kinds).files,
    ...(project === home.user ? [] : walk(project, "project", kinds).files),
  ];
  const source = openSource(files, kinds, new Set<Scope>(["home", "project"]));
  const found = source
    .of(Object.keys(kinds))
    .flatMap(opened => valuesAt(opened, [], "server").flatMap(({ found }) => found));
  const byName = new Map(found.map(({ key, value }) => [key, declared(key, value)]));
  const servers = [...byName.values()].slice(0, serversMax);
  writeJson(home.servers, servers);
  return servers;
}

/** Name, transport and what is started; never environment or headers, where secrets stand. */
function declared(name: string, value: unknown): DeclaredMcpServer {
  const fields = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const url = [fields["url"], fields["httpUrl"], fields["serverUrl"]].find(each => typeof each === "string") as
    | string
    | undefined;
  const command = [fields["command"]].flat(2).find(each => typeof each === "string") as string | undefined;
  const transport = typeof fields["type"] === "string" ? fields["type"] : url ? "http" : "stdio";
  return {
    name: name.slice(0, 200),
    transport,
    ...(command ? { command: command.slice(0, 1000) } : {}),
    ...(url ? { url: withoutSecrets(url).slice(0, 1000) } : {}),
  };
}

/** Query and user information of an address may hold keys. */
function withoutSecrets(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}${new URL(url).pathname}` : "";
}
