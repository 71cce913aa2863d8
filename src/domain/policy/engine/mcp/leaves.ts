/** One string of a call's arguments and the member name it stands under (array items: that of the array). */
export interface Leaf {
  key: string;
  text: string;
  /** The list it is part of, when it is an item of one made of strings only. */
  list: readonly string[] | undefined;
}

const nodesMax = 2000;
const depthMax = 12;
const jsonMax = 65_536;

/** Every string in the arguments, at any depth; strings that hold JSON objects or arrays are opened. */
export function leaves(input: unknown): { found: Leaf[]; complete: boolean } {
  const found: Leaf[] = [];
  let nodes = 0;
  const walk = (value: unknown, key: string, depth: number, list: readonly string[] | undefined): boolean => {
    if (++nodes > nodesMax || depth > depthMax) return false;
    if (typeof value === "string") {
      const opened = depth < depthMax ? openJson(value) : undefined;
      if (opened !== undefined) return walk(opened, key, depth + 1, undefined);
      found.push({ key, text: value, list });
      return true;
    }
    if (value === null || typeof value !== "object") return true;
    if (!Array.isArray(value)) return Object.entries(value).every(([k, v]) => walk(v, k, depth + 1, undefined));
    const strings = value.every(v => typeof v === "string") ? value : undefined;
    return value.every(v => walk(v, key, depth + 1, strings));
  };
  const complete = walk(input, "", 0, undefined);
  return { found, complete };
}

/** The object or array a text holds as JSON. */
export function openJson(text: string): object | undefined {
  const c = text.trimStart()[0];
  if ((c !== "{" && c !== "[") || text.length > jsonMax) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? parsed : undefined;
  } catch {
    return undefined;
  }
}
