import { listAssets, readAsset } from "./assets.ts";
import type { Pack } from "./domain/policy/rules/schema.ts";

/**
 * What is shipped as data, read at start. The tests hold every file to its schema, so here it is only read: by the
 * runtime's own YAML parser where it has one, forty times as fast as the one that knows lines and columns.
 */
export const readYaml: (text: string) => unknown = "Bun" in globalThis ? Bun.YAML.parse : (await import("yaml")).parse;

export interface Seed<T> {
  name: string;
  text: string;
  value: T;
}

/** Every file of a folder under seeds/, by name. */
export function readSeeds<T>(folder: string): Seed<T>[] {
  const files = listAssets(`seeds/${folder}`).filter(file => file.endsWith(".yaml"));
  return files.map(file => {
    const text = readAsset(`seeds/${folder}/${file}`);
    return { name: file.slice(0, -".yaml".length), text, value: readYaml(text) as T };
  });
}

export const readPacks = (): Seed<Pack>[] => readSeeds<Pack>("packs");
