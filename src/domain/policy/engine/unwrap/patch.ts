/** Patches as texts: the envelope of Codex' `apply_patch`, and unified diffs. They are data, whatever their lines say. */
import type { FileAct } from "../../facts.ts";

/** What a patch does to one file, and the lines it adds there. */
export interface Change {
  does: FileAct;
  path: string;
  added: string;
}

const header = /^[ \t]{0,9}\*\*\* (Add File|Update File|Delete File|Move to):(.*)$/;
const headers = new RegExp(header.source, "gm");
const unified = /^(\+\+\+|---|rename to|copy to) (?:[ab]\/)?([^\t\r\n]+)/;
const marks =
  /^\*\*\* (?!Begin Patch|End Patch|End of File|Environment ID:|Add File:|Update File:|Delete File:|Move to:)/m;

export const isPatch = (text: string): boolean =>
  text.includes("*** Begin Patch") || /^(diff --git |--- a\/|--- \/|\*\*\* (Add|Update|Delete) File:)/m.test(text);

/** Whether a text of `apply_patch` is one that can be read to its end: begun, ended, each header known and with a path. */
export function isSound(text: string): boolean {
  if (!text.includes("*** Begin Patch")) return /^(diff --git |--- )/m.test(text);
  const paths = [...text.matchAll(headers)].map(([, , path]) => path!.trim());
  return text.includes("*** End Patch") && !marks.test(text) && paths.length > 0 && !paths.includes("");
}

/** The files a patch of either kind changes. */
export function patched(text: string): Change[] {
  const out = read(text, enveloped);
  return out.length > 0 ? out : diffed(text);
}

/** The files a unified diff changes. */
export const diffed = (text: string): Change[] => read(text, named);

/** Reads on from the change before to the one that a line begins; undefined: it begins none. */
type Begins = (line: string, before: Change | undefined) => Change | undefined;

function read(text: string, begins: Begins): Change[] {
  const out: Change[] = [];
  let at: Change | undefined;
  for (const line of text.split("\n")) {
    const next = begins(line, at);
    if (next === undefined) {
      if (at !== undefined && line.startsWith("+")) at.added += `${line.slice(1)}\n`;
    } else if (next !== at) out.push((at = next));
  }
  return out;
}

const enveloped: Begins = line => {
  const [, what, path = ""] = header.exec(line) ?? [];
  if (what === undefined || path.trim() === "") return undefined;
  return { does: what === "Delete File" ? "delete" : "write", path: path.trim(), added: "" };
};

const named: Begins = (line, before) => {
  const [, mark, given = ""] = unified.exec(line) ?? [];
  const path = given.trim();
  if (mark === undefined || path === "") return undefined;
  if (path === "/dev/null") {
    if (mark === "+++" && before !== undefined) before.does = "delete";
    return before;
  }
  return mark === "+++" && before?.path === path ? before : { does: "write", path, added: "" };
};
