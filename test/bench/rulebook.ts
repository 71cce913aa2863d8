import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { compileRulebook, type Rulebook } from "../../src/domain/policy/rules/compile.ts";
import { parsePack } from "../../src/domain/policy/rules/parse.ts";
import type { Pack } from "../../src/domain/policy/rules/schema.ts";

export function shippedPacks(folder = "seeds/packs"): Pack[] {
  return readdirSync(folder)
    .filter(file => file.endsWith(".yaml"))
    .map(file => {
      const parsed = parsePack(readFileSync(join(folder, file), "utf8"), file);
      if (!parsed.ok) throw new Error(`${file}: ${JSON.stringify(parsed.problems[0])}`);
      return parsed.value;
    });
}

/** The packs in `folder` (`seeds/packs`) as a rulebook without a policy of its own. */
export const shippedRulebook = (folder?: string): Rulebook =>
  compileRulebook({ packs: shippedPacks(folder), today: "2026-01-01" });
