/** How a technique is written: ways to have a command run without writing it down, all our own. */
export type Techniques = Readonly<Record<string, readonly ((command: string) => string)[]>>;

export const q = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
export const b64 = (text: string): string => btoa(text);
export const hex = (text: string, before = "\\x"): string =>
  [...text].map(c => `${before}${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join("");
export const oct = (text: string): string =>
  [...text].map(c => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`).join("");
export const program = (c: string): string => c.split(" ", 1)[0]!;
export const rest = (c: string): string => c.slice(program(c).length + 1);
