/** Regular expressions and globs of rules, each offered what makes a careless matcher slow: almost what it asks for, again and again. */
import type { Pack } from "../../src/domain/policy/rules/schema.ts";
import { many } from "../../src/domain/policy/rules/keys.ts";

/** A text of `size` characters that a pattern nearly fits all along. */
function bait(pattern: string, size: number): string {
  const pieces = pattern
    .replace(/^re:/, "")
    .split(/[^\w.:@/=-]+/)
    .filter(piece => piece !== "");
  const piece = `${pieces.join("a")}a`;
  return piece.repeat(Math.ceil(size / piece.length)).slice(0, size);
}

/** One command for each pattern about words, hosts, paths or variables: the pattern's bait where the pattern is asked. */
export function baits(packs: readonly Pack[], size: number): [rule: string, command: string][] {
  const all: [string, string][] = [];
  for (const rule of packs.flatMap(pack => pack.rules)) {
    for (const { run, flags, args, path, host, env } of many(rule.when)) {
      const program = many(run)[0]?.replace(/[*$]/g, "") || "cat";
      for (const text of many(args)) all.push([rule.id, `${program} '${bait(text, size)}'`]);
      for (const text of many(flags)) all.push([rule.id, `${program} '${text.split("=")[0]}=${bait(text, size)}'`]);
      for (const text of many(path)) all.push([rule.id, `cat '/${bait(text, size)}'`]);
      for (const text of many(host)) all.push([rule.id, `curl 'https://${bait(text, size)}'`]);
      for (const text of many(env))
        all.push([rule.id, `${text.split("=")[0]!.replace(/\W/g, "")}='${bait(text, size)}' ls`]);
    }
  }
  return all;
}
