import type { FileAct } from "../../facts.ts";

const header = /^\*\*\* (Add File|Update File|Delete File|Move to): (.+)$/gm;
const acts: Record<string, FileAct> = {
  "Add File": "write",
  "Update File": "write",
  "Move to": "write",
  "Delete File": "delete",
};
const unified = /^(?:\+\+\+|---) (?:[ab]\/)?(\S+)/gm;

export const isPatch = (text: string): boolean =>
  text.includes("*** Begin Patch") || /^(diff --git |--- a\/|--- \/)/m.test(text);

/** The files a patch (Codex `apply_patch`, unified diff) changes; it is data, whatever its lines say. */
export function patched(text: string): { does: FileAct; path: string }[] {
  const out: { does: FileAct; path: string }[] = [];
  for (const [, what, path] of text.matchAll(header)) out.push({ does: acts[what!]!, path: path!.trim() });
  if (out.length > 0) return out;
  for (const [, path] of text.matchAll(unified)) if (path !== "/dev/null") out.push({ does: "write", path: path! });
  return out;
}
