/** Values of `awk`: texts and numbers, which are made of each other. */
export type Value = string | number;

/** The number a text begins with. */
export const number = (value: Value): number => (typeof value === "number" ? value : Number.parseFloat(value) || 0);

/** Whether a value compares as a number. */
export const numeric = (value: Value): boolean =>
  typeof value === "number" || (value.trim() !== "" && Number.isFinite(Number(value)));

const directive = /%([-+ 0#]*)(\*|[1-9]\d*)?(?:\.(\*|\d+))?([a-zA-Z%])/g;

/** `sprintf` of texts. */
export function formatted([format = "", ...given]: readonly string[]): string {
  let next = 0;
  return format.replace(directive, (_, flags: string, width, precision, letter: string) => {
    if (letter === "%") return "%";
    const size = Math.min(Number(width === "*" ? given[next++] : (width ?? 0)), 1000);
    const cut = precision === "*" ? given[next++] : precision;
    const said = converted(letter, given[next++] ?? "", cut === undefined ? undefined : Number(cut));
    return flags.includes("-") ? said.padEnd(size) : said.padStart(size, flags.includes("0") ? "0" : " ");
  });
}

function converted(letter: string, said: string, cut: number | undefined): string {
  switch (letter) {
    case "s":
      return said.slice(0, cut);
    case "c":
      return numeric(said) ? String.fromCharCode(number(said)) : said.slice(0, 1);
    case "x":
    case "X":
    case "o": {
      const digits = Math.trunc(number(said)).toString(letter === "o" ? 8 : 16);
      return letter === "X" ? digits.toUpperCase() : digits;
    }
    case "f":
      return number(said).toFixed(Math.min(cut ?? 6, 20));
    default:
      return String(Math.trunc(number(said)));
  }
}
