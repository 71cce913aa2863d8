/** What the name of a tool says it does to what it is given. */
import type { FileAct } from "../../facts.ts";

/** What the name of a tool says it does to the paths it is given. */
export interface Verb {
  does: FileAct;
  /** What happens to the place named by `to`, `destination` … */
  target: FileAct;
  sends: boolean;
  /** Its strings are code or commands. */
  runs: boolean;
}

const deletes = /^(delete|remove|rm|rmdir|unlink|trash|erase|purge|wipe|destroy|drop|clear)$/;
const words: readonly (readonly [RegExp, Partial<Verb>])[] = [
  [deletes, { does: "delete" }],
  [/^(move|mv|rename)$/, { does: "delete", target: "write" }],
  [/^(copy|cp|duplicate|clone)$/, { does: "read", target: "write" }],
  [/^(chmod|chown|permission|permissions|acl)$/, { does: "permissions" }],
  [/^(symlink|link|ln)$/, { does: "link", target: "link" }],
  [
    /^(write|create|save|edit|append|put|update|insert|replace|patch|apply|modify|set|add|mkdir|touch|store|overwrite|multiedit|download|extract|unzip)$/,
    { does: "write" },
  ],
  [/^(upload|send|post|publish|share|email|submit|push|notify|tweet|webhook|reply)$/, { does: "read", sends: true }],
  [
    /^(execute|exec|run|eval|evaluate|shell|bash|sh|zsh|pwsh|terminal|command|cmd|spawn|powershell|repl|python|script)$/,
    { does: "execute", runs: true },
  ],
];

/** Splits `writeFile`, `write_file`, `fs.write-file` into words. */
export const split = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/);

export function verbOf(tool: string): Verb {
  const verb: Verb = { does: "read", target: "write", sends: false, runs: false };
  const names = split(tool);
  const reads =
    /^(read|get|list|search|find|view|show|describe|fetch|query|stat|tree|head|tail|grep|browse|open|load)$/;
  const nouns = /^(tree|view|query|head|stat|load)$/;
  for (const name of names) {
    if (reads.test(name) && !(nouns.test(name) && deletes.test(names.at(-1)!))) return verb;
    for (const [pattern, means] of words) if (pattern.test(name)) return { ...verb, ...means };
  }
  return verb;
}
