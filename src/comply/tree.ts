import { parse as parseToml } from "smol-toml";
import { isMap, isPair, isScalar, isSeq, LineCounter, type Node as YamlNode, parseDocument } from "yaml";

export type Format = "json" | "yaml" | "toml" | "gitconfig" | "env" | "text";

/** A value of a configuration file and where it stands. `key` is the last segment of its path. */
export interface Found {
  value: unknown;
  key: string;
  line: number;
}

/** A file that is not what its name says: the check reports an error instead of guessing. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

export interface Tree {
  /** Values at a path: `*` is any key or index, `**` any depth. */
  select(path: readonly string[]): Found[];
}

/** Parses a configuration file. Throws UnreadableFile. Text has no tree. */
export function parseTree(text: string, format: Exclude<Format, "text">): Tree {
  try {
    const root = readers[format](text);
    return { select: path => select(root, path) };
  } catch (error) {
    throw new UnreadableFile(`not valid ${format}: ${(error as Error).message.split("\n")[0]}`);
  }
}

/** One shape for all formats, with lines where the format's parser gives them. */
interface Leaf {
  line: number;
  value: unknown;
  children?: Map<string, Leaf>;
}

const readers: Record<Exclude<Format, "text">, (text: string) => Leaf> = {
  json: text => fromYaml(strictJson(text)),
  yaml: fromYaml,
  toml: text => fromPlain(parseToml(text.replace(/^\uFEFF/, "")), text),
  gitconfig: fromGitConfig,
  env: fromEnv,
};

function fromYaml(text: string): Leaf {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: false, maxAliasCount: 0 } as object);
  if (document.errors[0]) throw document.errors[0];
  return yamlLeaf(document.contents, lines, 1, 0);
}

function yamlLeaf(node: YamlNode | null, lines: LineCounter, line: number, depth: number): Leaf {
  const at = node?.range ? lines.linePos(node.range[0]).line : line;
  if (depth > 64) throw new Error("nested deeper than 64");
  const below = (child: unknown) => yamlLeaf(child as YamlNode | null, lines, at, depth + 1);
  if (isMap(node)) {
    const pairs = node.items.filter(isPair).map(pair => {
      const key = isScalar(pair.key) ? String(pair.key.value) : "";
      const keyLine = lines.linePos((pair.key as YamlNode).range?.[0] ?? 0).line;
      return [key, { ...below(pair.value), line: keyLine }] as const;
    });
    const value = Object.fromEntries(pairs.map(([key, leaf]) => [key, leaf.value]));
    return { line: at, value, children: new Map(pairs) };
  }
  if (isSeq(node)) {
    const items = node.items.map(below);
    return {
      line: at,
      value: items.map(item => item.value),
      children: new Map(items.map((item, n) => [String(n), item])),
    };
  }
  // An alias has no value of its own here: files that agents read have none, and following them invites loops.
  return { line: at, value: isScalar(node) ? node.value : null };
}

/** JSON with comments and trailing commas (as agents and editors take it), made plain without moving a character. */
function strictJson(text: string): string {
  const blank = (token: string) => (token[0] === '"' ? token : token.replaceAll(/[^\n]/g, " "));
  const plain = text
    .replace(/^\uFEFF/, " ")
    .replaceAll(/"(?:[^"\\\n]|\\.)*"?|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|\t/g, blank)
    .replaceAll(/"(?:[^"\\\n]|\\.)*"?|,(?=\s*[}\]])/g, blank);
  if (!/^\s*[[{]/.test(plain)) throw new Error("neither an object nor an array");
  JSON.parse(plain);
  return plain;
}

/** Without positions from the parser, the first line that names the key is good enough to find the place. */
function fromPlain(value: unknown, text: string): Leaf {
  const lines = text.split("\n");
  const lineOf = (key: string, from: number) => {
    const at = lines.findIndex((line, n) => n >= from - 1 && line.includes(key));
    return at < 0 ? from : at + 1;
  };
  const leaf = (item: unknown, line: number, depth: number): Leaf => {
    if (typeof item !== "object" || item === null || item instanceof Date || depth > 64) return { line, value: item };
    const entries = Object.entries(item).map(([key, child]) => {
      const at = Array.isArray(item) ? line : lineOf(key, line);
      return [key, leaf(child, at, depth + 1)] as const;
    });
    return { line, value: item, children: new Map(entries) };
  };
  return leaf(value, 1, 0);
}

/** git-config(1): `[section "sub"]` and `key = value`, keys without case; as section.sub.key. */
function fromGitConfig(text: string): Leaf {
  const root: Leaf = { line: 1, value: {}, children: new Map() };
  let section = root;
  for (const [n, raw] of text.split("\n").entries()) {
    const header = /^\s*\[\s*([\w.-]+)(?:\s+"((?:[^"\\]|\\.)*)")?\s*\]/.exec(raw);
    const entry = /^([A-Za-z][\w-]*)\s*(?:=(.*))?$/s.exec(raw.trim());
    if (header)
      section = child(
        header[2] === undefined ? root : child(root, header[1]!.toLowerCase(), n + 1),
        (header[2] ?? header[1]!).toLowerCase(),
        n + 1,
      );
    else if (entry) section.children!.set(entry[1]!.toLowerCase(), { line: n + 1, value: entry[2]?.trim() ?? "true" });
  }
  return root;
}

function child(parent: Leaf, key: string, line: number): Leaf {
  const known = parent.children!.get(key);
  if (known?.children) return known;
  const made: Leaf = { line, value: {}, children: new Map() };
  parent.children!.set(key, made);
  return made;
}

/** `NAME=value` lines, with or without `export` and quotes. */
function fromEnv(text: string): Leaf {
  const children = new Map<string, Leaf>();
  for (const [n, raw] of text.split("\n").entries()) {
    const entry = /^(?:export\s+)?([A-Za-z_]\w*)\s*=(.*)$/s.exec(raw.trim());
    if (entry) children.set(entry[1]!, { line: n + 1, value: entry[2]!.trim().replace(/^(["'])(.*)\1$/, "$2") });
  }
  return { line: 1, value: {}, children };
}

function select(root: Leaf, path: readonly string[]): Found[] {
  const found: Found[] = [];
  const walk = (leaf: Leaf, at: number, key: string): void => {
    const segment = path[at];
    if (segment === undefined) return void found.push({ value: leaf.value, key, line: leaf.line });
    if (segment === "**") walk(leaf, at + 1, key);
    for (const [name, below] of leaf.children ?? [])
      if (segment === "**") walk(below, at, name);
      else if (segment === "*" || segment === name) walk(below, at + 1, name);
  };
  walk(root, 0, "");
  return found;
}
