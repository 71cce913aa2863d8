import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import type { Heartbeat } from "./api.ts";
import { type Credentials, type Home, readCredentials, readJson } from "./home.ts";
import { type Places, type Program, recipes } from "./install/recipes.ts";
import { type InstallScope, inHome, type Trust } from "./install/recipe.ts";

export interface HookState {
  client: string;
  /** The agent's own files are on this machine. */
  found: boolean;
  installed: boolean;
  scope?: InstallScope;
  path?: string;
  /** SHA-256 of our entries as they stand: a change shows on the fleet page. */
  fingerprint?: string;
  /** Our entries are not the ones this version would write. */
  changed?: boolean;
  /** Where the agent runs only what it was told to trust. */
  trust?: Trust;
}

const readText = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Which agents are here and whether they run our hook: the widest scope counts. */
export function hookStates(places: Places, program: Program): HookState[] {
  return Object.entries(recipes).map(([client, recipe]) => {
    const found = recipe.signs.some(sign => existsSync(inHome(places, sign)));
    for (const scope of ["managed", "user", "project"] as const) {
      if (!recipe.scopes.includes(scope)) continue;
      const state = stateAt(client, scope, places, program);
      if (state) return { client, found: true, installed: true, scope, ...state };
    }
    return { client, found, installed: false };
  });
}

function stateAt(client: string, scope: InstallScope, places: Places, program: Program) {
  const edits = attempt(() => recipes[client]!.edits(scope, places, program));
  if (!edits) return undefined;
  const present = edits.map(edit => {
    const text = readText(edit.path);
    return text === undefined ? undefined : attempt(() => edit.installed(text));
  });
  if (present.some(entries => entries === undefined)) return undefined;
  const wanted = edits.map(edit => edit.installed(edit.install(undefined)));
  const trust = attempt(() => recipes[client]!.trust?.(scope, places, readText));
  return {
    path: edits[0]!.path,
    fingerprint: sha256(present.join("\n")),
    changed: present.join("\n") !== wanted.join("\n"),
    ...(trust ? { trust } : {}),
  };
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Kept over logins, so that one machine stays one agent. */
export const installationId = (home: Home): string =>
  readJson<Partial<Credentials>>(home.credentials)?.installation_id || randomUUID();

export function heartbeatOf(
  home: Home,
  places: Places,
  program: Program,
  version: string,
  more: Pick<Heartbeat, "queue_depth" | "head" | "policy_version">,
): Heartbeat {
  const hooks = hookStates(places, program)
    .filter(({ found, installed }) => found || installed)
    .map(({ client, installed, fingerprint, trust }) => ({
      client,
      installed,
      ...(fingerprint ? { fingerprint } : {}),
      ...(trust ? { trusted: trust === "trusted" } : {}),
    }));
  const mcp_servers = readJson<Heartbeat["mcp_servers"]>(home.servers) ?? [];
  return {
    version,
    hostname: hostname(),
    platform: `${process.platform}-${process.arch}`,
    hooks,
    mcp_servers,
    ...more,
  };
}

export const enrolled = readCredentials;
