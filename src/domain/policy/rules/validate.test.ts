import { describe, expect, test } from "bun:test";
import { caseCall } from "./cases.ts";
import type { Pack, Rule } from "./schema.ts";
import { validatePolicy } from "./validate.ts";

const rule = (id: string, more: Partial<Rule> = {}): Rule => ({
  id,
  status: "stable",
  what: "does it",
  why: "Because.",
  instead: "Do not.",
  decision: "ASK",
  severity: "low",
  when: { run: "npm publish" },
  cases: {},
  ...more,
});
const packs: Pack[] = [
  {
    pack: "p",
    version: "1.0.0",
    title: "P",
    sets: { hosts: ["x.test"] },
    rules: [
      rule("p.publish"),
      rule("p.push", { decision: "BLOCK", when: { run: "git push" } }),
      rule("p.guard", { locked: true }),
    ],
  },
];
const hints = (text: string, programs?: Set<string>) => {
  const { lints, problems } = validatePolicy(text, packs, { today: "2026-06-01", ...(programs ? { programs } : {}) });
  expect(problems).toEqual([]);
  return lints.map(({ line, message }) => `${line} ${message}`);
};
const own = (more: string, cases = "{ask: [deploy now]}") => `policy: 1
rules:
  - id: own.deploy
    what: deploys
    why: Because.
    instead: Ask.
    decision: ASK
    severity: high
    when: {run: deploy now}
    cases: ${cases}
${more}`;

test("a good policy gives no hint", () => expect(hints(own(""))).toEqual([]));

test("a policy with a fault may not be activated", () => {
  const { ok, problems } = validatePolicy("policy: 1\nrulez: []", packs);
  expect([ok, problems[0]?.message]).toEqual([false, "unknown member `rulez`"]);
});

const wrong: [what: string, text: string, hint: string][] = [
  [
    "a set nobody defined",
    own("").replace("run: deploy now", "run: deploy now, args: $envs"),
    "9 there is no set `$envs`",
  ],
  [
    "a placeholder that is none",
    own("").replace("what: deploys", "what: deploys {file}"),
    "4 there is no placeholder {file}: use path, host, ref, env, tool, program",
  ],
  ["a rule without a case", own("", "{allow: [ls]}"), "10 has no case that shows what it matches"],
  ["a case that fails", own("", "{ask: [deploy later]}"), "10 expected ASK, got ALLOW"],
  [
    "an `unless` out of reach",
    own("    unless: {run: ls}"),
    "11 can never apply: it describes other calls than `when`",
  ],
  [
    "advice that is blocked",
    own("").replace("instead: Ask.", "instead: Run `git push` first."),
    "6 recommends `git push`, which p.push blocks",
  ],
  ["a pack that is not there", "policy: 1\npacks: {on: [q]}", "2 there is no pack `q`"],
  [
    "a rule that is not there",
    "policy: 1\noverrides:\n  - {rules: [p.nothing], decision: BLOCK}",
    "3 there is no rule `p.nothing`",
  ],
  [
    "a locked rule",
    "policy: 1\noverrides:\n  - {rules: [p.guard], decision: BLOCK}",
    "3 `p.guard` is locked: nothing weakens it",
  ],
  [
    "lowering without a day",
    "policy: 1\noverrides:\n  - {rules: [p.publish], decision: WARN}",
    "3 lowers a rule, which needs `reason` and `until`: it has no effect",
  ],
  [
    "an allow-list that opens everything",
    "policy: 1\nallow:\n  - {when: {run: '*'}, reason: r}",
    "3 covers every call: what packs would ask about is allowed",
  ],
  ["an exception that is over", exception("2026-05-31"), "3 is over: it has no effect"],
  ["an exception for years", exception("2027-06-02"), "3 is more than a year ahead"],
  [
    "an exception twice",
    `${exception("2026-09-01")}\n${exception("2026-08-01").split("\n")[2]}`,
    "4 says nothing that exception 1 does not say",
  ],
  [
    "a policy case that fails",
    "policy: 1\ncases: {block: [npm publish]}",
    "2 expected BLOCK, got ASK (p.guard, p.publish)",
  ],
];
function exception(until: string) {
  return `policy: 1\nexceptions:\n  - {rules: [p.publish], when: {run: npm publish}, reason: r, owner: o, until: ${until}}`;
}
describe("a hint about", () => {
  for (const [what, text, hint] of wrong) test(what, () => expect(hints(text)).toContain(hint));
  test("a program the engine does not know", () => {
    expect(hints(own(""), new Set(["git"]))).toEqual(["9 `deploy` is not known: its first words count as subcommands"]);
  });
});

test("cases are calls", () => {
  expect(caseCall("ls")).toEqual({ type: "shell", command: "ls" });
  expect(caseCall({ powershell: "iwr x", branch: "main" })).toEqual({
    type: "shell",
    command: "iwr x",
    dialect: "powershell",
    branch: "main",
  });
  expect(caseCall({ mcp: "fs/read", input: { path: "a" }, hints: { destructive: true } })).toEqual({
    type: "mcp",
    server: "fs",
    tool: "read",
    args: { path: "a" },
    hints: { destructive: true },
  });
});
