/** For whom an entry holds. What the caller did not say is in scope for a rule that restricts, out of scope for trust. */
import type { WordTest } from "./glob.ts";
import type { World } from "../verdict.ts";
import type { Testers } from "./testers.ts";
import type { Scope } from "./schema.ts";

export type ScopeTest = (world: World, trusted: boolean) => boolean;

const members = ["agent", "client", "repo", "branch"] as const;
const everywhere: ScopeTest = () => true;

export function scopeTest(scope: Scope | undefined, testers: Testers): ScopeTest {
  if (scope === undefined) return everywhere;
  const tests: [member: (typeof members)[number], test: WordTest][] = [];
  for (const member of members) {
    const globs = scope[member];
    if (globs !== undefined) tests.push([member, testers.words(globs)]);
  }
  return (world, trusted) =>
    tests.every(([member, test]) => {
      const value = world[member];
      if (value === undefined || value === "") return !trusted;
      return test.fits(value) || (member === "agent" && world.agent_name !== undefined && test.fits(world.agent_name));
    });
}
