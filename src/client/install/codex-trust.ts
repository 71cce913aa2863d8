import { createHash } from "node:crypto";
import { parse as parseJson } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { isOurs, type Trust } from "./recipe.ts";

interface Table {
  [key: string]: unknown;
}
const tableOf = (value: unknown): Table => (typeof value === "object" && value !== null ? (value as Table) : {});

/** The worst counts: a call that no hook sees is worth as much as none of them seen. */
const worst: Trust[] = ["off", "untrusted", "changed", "trusted"];

/**
 * Whether Codex runs our hooks of a `hooks.json`: it skips, without a word, those nobody has trusted and those that are not the ones
 * that were. It keeps that in `config.toml` as `[hooks.state."<file>:<event>:<group>:<handler>"]` (openai/codex,
 * codex-rs/hooks/src/engine/discovery.rs; the hashes are those of 0.169.0).
 */
export function codexTrust(path: string, hooks: string, config: string): Trust {
  const settings = tableOf(parseToml(config));
  const { hooks: on, codex_hooks: formerly } = tableOf(settings["features"]);
  if (on === false || formerly === false) return "off";
  const states = tableOf(tableOf(settings["hooks"])["state"]);
  const found = ourHandlers(hooks).map(({ place, hash }) => trustOf(tableOf(states[`${path}:${place}`]), hash));
  return worst.find(trust => found.includes(trust)) ?? "untrusted";
}

function trustOf({ enabled, trusted_hash }: Table, hash: string): Trust {
  if (enabled === false) return "off";
  if (typeof trusted_hash !== "string") return "untrusted";
  return trusted_hash === hash ? "trusted" : "changed";
}

/** Whether Codex reads hooks of a project at all: only of one that is trusted as a whole. */
export function isTrustedProject(config: string, project: string): boolean {
  return tableOf(tableOf(tableOf(parseToml(config))["projects"])[project])["trust_level"] === "trusted";
}

interface Handler {
  /** `pre_tool_use:0:0`: event, group and handler by number. */
  place: string;
  hash: string;
}

/** Our hooks as Codex names and hashes them. */
export function ourHandlers(hooks: string): Handler[] {
  return Object.entries(tableOf(tableOf(parseJson(hooks))["hooks"])).flatMap(([event, groups]) => {
    const name = event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, "_").toLowerCase();
    return (Array.isArray(groups) ? groups : []).flatMap((group, n) => {
      const { matcher, hooks: handlers } = tableOf(group);
      return (Array.isArray(handlers) ? handlers : []).flatMap((handler, m) => {
        if (!isOurs(handler, "codex")) return [];
        const meant = { async: false, timeout: 600, ...tableOf(handler) };
        return [{ place: `${name}:${n}:${m}`, hash: hashOf({ event_name: name, matcher, hooks: [meant] }) }];
      });
    });
  });
}

const hashOf = (value: unknown): string => `sha256:${createHash("sha256").update(canonical(value)).digest("hex")}`;

/** JSON with the members of every object in order and none that is absent. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === "object" && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
