import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileRulebook, type Rulebook } from "../../src/domain/policy/rules/compile.ts";
import { parsePack } from "../../src/domain/policy/rules/parse.ts";

/** The packs in `folder` (`seeds/packs`) as a rulebook without a policy of its own. */
export function shippedRulebook(folder = "seeds/packs"): Rulebook {
  const packs = readdirSync(folder)
    .filter(file => file.endsWith(".yaml"))
    .map(file => {
      const parsed = parsePack(readFileSync(join(folder, file), "utf8"), file);
      if (!parsed.ok) throw new Error(`${file}: ${JSON.stringify(parsed.problems[0])}`);
      return parsed.value;
    });
  return compileRulebook({ packs, today: "2026-01-01" });
}
