/** Text made to be slow or to slip through, judged by every shipped rule: no fault of ours, and never past what was not understood. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { decide } from "../src/domain/policy/decide.ts";
import { findings } from "../src/domain/policy/engine/findings.ts";
import type { Call } from "../src/domain/policy/verdict.ts";
import { shippedPacks, shippedRulebook } from "./bench/rulebook.ts";
import { baits } from "./corpus/baits.ts";
import { hardCommands } from "./corpus/hard-commands.ts";
import { hostileCalls } from "./corpus/hostile-programs.ts";
import { hostileShapes } from "./corpus/hostile-shapes.ts";

const book = shippedRulebook();
/** Matches told of one call besides gaps (telling.ts). */
const toldMax = 8;

const shell = (command: string): Call => ({ type: "shell", command });

function judged(call: Call): { rules: string[]; safe: boolean } {
  // A line that every shell refuses before it runs any of it (`<name>`) is understood well enough.
  const gaps = findings(call).gaps.filter(gap => gap.why !== "refused_line");
  const { decision, rules } = decide(call, book, "enforce");
  const told = rules.filter(rule => !rule.startsWith("gate."));
  const safe = gaps.length === 0 || decision === "ASK" || decision === "BLOCK";
  return { rules, safe: safe && told.length <= toldMax && !rules.includes("gate.internal-error") };
}

for (const [name, text] of hostileShapes(32_768)) {
  test(`32 KB of ${name}`, () => expect(judged(shell(text))).toMatchObject({ safe: true }));
}

for (const [name, call] of hostileCalls(8_192)) {
  test(`8 KB of ${name}`, () => expect(judged(call)).toMatchObject({ safe: true }));
}

const pieces = fc.oneof(
  fc.constantFrom(...hardCommands),
  fc.constantFrom(
    "\\",
    "'",
    '"',
    "`",
    "$(",
    "${",
    "$((",
    "((",
    "<(",
    "<<A",
    "<<<",
    "{",
    "}",
    "(",
    ")",
    "[[",
    "]]",
    ";;",
    "&&",
    "|",
  ),
  fc.constantFrom(
    "=(",
    "~",
    "!!",
    "=ls(:h)",
    "foreach x (a) b",
    "if ($a) b",
    "set -x a b",
    "end",
    "*(om[1])",
    "print -z",
    "\n",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);

test("cut off, glued together or of no shell at all: nothing is thrown, and nothing allowed that was not understood", () => {
  fc.assert(
    fc.property(
      fc.array(pieces, { minLength: 1, maxLength: 6 }),
      fc.nat(200),
      fc.constantFrom(undefined, "powershell" as const, "cmd" as const),
      (parts, cut, dialect) => {
        const command = parts.join(cut % 3 === 0 ? " " : "").slice(cut % 2 === 0 ? 0 : cut % 7);
        const call: Call = dialect ? { type: "shell", command, dialect } : { type: "shell", command };
        expect(judged(call)).toMatchObject({ safe: true });
        expect(judged({ type: "mcp", server: "s", tool: "run", args: { command } })).toMatchObject({ safe: true });
      },
    ),
    { numRuns: 1_500, seed: 6 },
  );
}, 300_000);

test("every pattern of every rule is offered what would make a matcher slow", () => {
  const all = baits(shippedPacks(), 600);
  expect(all.length).toBeGreaterThan(1_000);
  for (const [rule, command] of all) expect([rule, judged(shell(command)).safe]).toEqual([rule, true]);
});
