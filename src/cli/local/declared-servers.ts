import type { DeclaredMcpServer } from "../../client/api.ts";
import type { Home } from "../../client/home.ts";
import { writeJson } from "../../client/home.ts";
import { shippedKinds } from "../../comply/catalogue.ts";
import { openSource, type Scope, valuesAt } from "../../comply/source.ts";
import { walk } from "../../comply/walk.ts";

const serversMax = 200;
const toolsMax = 500;

/** The MCP servers agents are configured with, in the home and the present project; kept for taking tool names apart. */
export function declaredServers(home: Home, project: string): DeclaredMcpServer[] {
  const all = shippedKinds();
  // Only kinds with a fixed place: this runs often and must not walk through a project.
  const placed = (globs: string[] = []) => !globs.some(glob => glob.startsWith("*"));
  const kinds = Object.fromEntries(Object.entries(all).filter(([, kind]) => kind.servers && placed(kind.project)));
  const files = [
    ...walk(home.user, "home", kinds, home.moved).files,
    ...(project === home.user ? [] : walk(project, "project", kinds).files),
  ];
  const source = openSource(files, kinds, new Set<Scope>(["home", "project"]));
  const found = source
    .of(Object.keys(kinds))
    .flatMap(opened => valuesAt(opened, [], "server").flatMap(({ found }) => found));
  const byName = Map.groupBy(
    found.map(({ key, value }) => declared(key, value)),
    ({ name }) => name,
  );
  const servers = [...byName.values()].map(together).slice(0, serversMax);
  writeJson(home.servers, servers);
  return servers;
}

/** Name, transport, tools where they are named, and what is started; never environment or headers, where secrets stand. */
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
    ...namedTools(fields),
  };
}

/** One server in the settings of several agents: its tools are known only if each of them names them. */
function together(same: DeclaredMcpServer[]): DeclaredMcpServer {
  const { tools: _, ...last } = same.at(-1)!;
  if (same.some(({ tools }) => tools === undefined)) return last;
  const names = new Set(same.flatMap(({ tools }) => tools!.map(({ name }) => name)));
  return { ...last, tools: [...names].slice(0, toolsMax).map(name => ({ name })) };
}

/** `includeTools` of Gemini CLI and Qwen Code, `enabled_tools` of Codex, `tools` of Copilot CLI; `*` is no list. */
function namedTools(fields: Record<string, unknown>): { tools?: { name: string }[] } {
  const list = ["includeTools", "enabled_tools", "tools"].map(key => fields[key]).find(Array.isArray);
  const names = list?.filter((each): each is string => typeof each === "string" && each !== "") ?? [];
  if (names.length === 0 || names.includes("*")) return {};
  // Gemini CLI may give a tool's arguments behind its name.
  return { tools: names.map(name => ({ name: name.replace(/\(.*$/s, "").slice(0, 200) })) };
}

/** Query and user information of an address may hold keys. */
function withoutSecrets(url: string): string {
  return URL.canParse(url) ? `${new URL(url).origin}${new URL(url).pathname}` : "";
}
