/** `awk` programs that do nothing but print: words in another order, texts, characters by their numbers. */
const block = /^(BEGIN|END|NR==1|1)?\s*\{(.*)\}$/s;
const statement = /^(printf?)\b(.*)$/s;
/** A text, a field, a number, a comma. */
const piece = /\s*(?:"((?:\\.|[^"\\])*)"|\$(\d+|NF)|(\d+)|(,))/y;

/** The items between commas, each made of pieces that stand side by side; undefined: something else is among them. */
function items(source: string, fields: readonly string[], line: string): string[] | undefined {
  const out = [""];
  piece.lastIndex = 0;
  while (source.slice(piece.lastIndex).trim() !== "") {
    const found = piece.exec(source);
    if (!found) return undefined;
    const [, text, field, number, comma] = found;
    if (comma !== undefined) out.push("");
    else out[out.length - 1] += text === undefined ? (number ?? wordOf(field!, fields, line)) : escapes(text);
  }
  return out;
}

const wordOf = (name: string, fields: readonly string[], line: string): string =>
  name === "NF" ? (fields.at(-1) ?? "") : name === "0" ? line : (fields[Number(name) - 1] ?? "");

const escapes = (text: string): string => text.replaceAll("\\n", "\n").replaceAll("\\t", "\t").replace(/\\(.)/g, "$1");

/** What the program prints for one line; undefined: not to be told. */
function printed(verb: string, source: string, fields: readonly string[], line: string): string | undefined {
  const list = source.trim() === "" ? [line] : items(source, fields, line);
  if (list === undefined) return undefined;
  return verb === "print" ? `${list.join(" ")}\n` : formatted(list[0]!, list.slice(1));
}

/** `%c` of a number is the character it stands for. */
function formatted(format: string, list: string[]): string {
  return format.replace(/%[-\d.]*([sdic%])/g, (_, letter: string) => {
    if (letter === "%") return "%";
    const value = list.shift() ?? "";
    return letter !== "c" ? value : /^\d+$/.test(value) ? String.fromCharCode(Number(value)) : value.slice(0, 1);
  });
}

/** The output of `awk script` for a text; `by` is the value of `-F`. */
export function awkPrints(script: string, text: string, by: string | undefined): string | undefined {
  if (script.length > 512) return undefined;
  const [, when, body] = block.exec(script.trim()) ?? [];
  // Blanks are taken off by `trim`: patterns that share them out try every way.
  const [, verb, rest] = statement.exec((body ?? "").trim().replace(/;$/, "").trimEnd()) ?? [];
  if (verb === undefined) return undefined;
  const source = rest!.trim().replace(/^\(/, "").replace(/\)$/, "");
  const all = when === "BEGIN" ? [""] : text.replace(/\n$/, "").split("\n");
  const lines = when === "NR==1" ? all.slice(0, 1) : when === "END" ? all.slice(-1) : all;
  let out = "";
  for (const line of lines.slice(0, 64)) {
    const fields = by !== undefined && by !== " " ? line.split(by) : line.trim().split(/\s+/);
    const one = printed(verb, source, fields, line);
    if (one === undefined) return undefined;
    out += one;
  }
  return out;
}
