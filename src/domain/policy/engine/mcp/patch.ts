import type { FileAct } from "../../facts.ts";

const header = /^[ \t]{0,9}\*\*\* (Add File|Update File|Delete File|Move to):(.*)$/gm;
const acts: Record<string, FileAct> = {
  "Add File": "write",
  "Update File": "write",
  "Move to": "write",
  "Delete File": "delete",
};
const unified = /^(?:\+\+\+|---) (?:[ab]\/)?(\S+)/gm;
const marks =
  /^\*\*\* (?!Begin Patch|End Patch|End of File|Environment ID:|Add File:|Update File:|Delete File:|Move to:)/m;

export const isPatch = (text: string): boolean =>
  text.includes("*** Begin Patch") || /^(diff --git |--- a\/|--- \/|\*\*\* (Add|Update|Delete) File:)/m.test(text);

/** Whether a text of `apply_patch` is one that can be read to its end: begun, ended, each header known and with a path. */
export function isSound(text: string): boolean {
  if (!text.includes("*** Begin Patch")) return /^(diff --git |--- )/m.test(text);
  const paths = [...text.matchAll(header)].map(([, , path]) => path!.trim());
  return text.includes("*** End Patch") && !marks.test(text) && paths.length > 0 && !paths.includes("");
}

/** The files a patch (Codex `apply_patch`, unified diff) changes; it is data, whatever its lines say. */
export function patched(text: string): { does: FileAct; path: string }[] {
  const out: { does: FileAct; path: string }[] = [];
  for (const [, what, path] of text.matchAll(header))
    if (path!.trim() !== "") out.push({ does: acts[what!]!, path: path!.trim() });
  if (out.length > 0) return out;
  for (const [, path] of text.matchAll(unified)) if (path !== "/dev/null") out.push({ does: "write", path: path! });
  return out;
}
