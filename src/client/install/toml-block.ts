import { parse } from "smol-toml";
import { CannotInstall, type Edit } from "./recipe.ts";

const begin = "# >>> Written by `gatehouse install`; taken out by `gatehouse uninstall`.";
const end = "# <<< gatehouse";

/** Tables of ours at the end of a TOML file, between two comments. Everything before them stays to the byte. */
export function tomlBlock(path: string, tables: string): Edit {
  const block = `${begin}\n${tables.trim()}\n${end}\n`;
  return {
    path,
    install(text = "") {
      readable(text);
      const others = without(text);
      const gap = others === "" || others.endsWith("\n\n") ? "" : others.endsWith("\n") ? "\n" : "\n\n";
      const placed = others + gap + block;
      readable(placed);
      return placed;
    },
    uninstall(text) {
      return without(text) || undefined;
    },
    installed: text => ours(text),
  };
}

function ours(text: string): string | undefined {
  const [from, to] = [text.indexOf(begin), text.indexOf(end)];
  return from < 0 || to < from ? undefined : text.slice(from, to + end.length);
}

function without(text: string): string {
  const found = ours(text);
  if (found === undefined) return text;
  const others = text
    .replace(found, "")
    .replace(/\n{3,}/g, "\n\n")
    .trimEnd();
  return others === "" ? "" : `${others}\n`;
}

function readable(text: string): void {
  try {
    parse(text);
  } catch (error) {
    const why = (error as Error).message.split("\n")[0];
    throw new CannotInstall(`no TOML that our tables can be added to (${why}). Nothing was changed.`);
  }
}
