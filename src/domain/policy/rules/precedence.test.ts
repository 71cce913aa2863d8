import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { hole, type Fact, type Findings, type Invocation, type ToolCall, type Word } from "../facts.ts";
import type { Call } from "../verdict.ts";
import { compileRulebook } from "./compile.ts";
import { judge } from "./judge.ts";
import type { Pack, Policy, Rule } from "./schema.ts";

const word = (text: string): Word => ({ text, known: !text.includes(hole) });
const run = (line: string, more: Partial<Invocation> = {}): Invocation => {
  const [program = "", ...rest] = line.split(" ");
  return {
    kind: "run",
    dialect: "posix",
    program,
    subcommands: rest.filter(text => !text.startsWith("-")).slice(0, 1),
    flags: rest.filter(text => text.startsWith("-")).map(name => ({ name })),
    args: rest
      .filter(text => !text.startsWith("-"))
      .slice(1)
      .map(word),
    refs: [],
    interactive: false,
    via: [],
    ...more,
  };
};
const tool = (name: string, more: Partial<ToolCall> = {}): ToolCall => {
  const [server = "", called = ""] = name.split("/");
  return {
    kind: "mcp",
    server,
    tool: called,
    input: {},
    hints: { destructive: false, open_world: false },
    via: [],
    ...more,
  };
};
const found = (subjects: Findings["subjects"], facts: Fact[] = [], gaps: Findings["gaps"] = []): Findings => ({
  subjects,
  facts,
  gaps,
});
const push = (flags: string, refs: string[]) => found([run(`git push ${flags}`.trim(), { refs: refs.map(word) })]);

const rule = (id: string, more: Partial<Rule>): Rule => ({
  id,
  status: "stable",
  what: "does it",
  why: "Because.",
  instead: "Do not.",
  decision: "BLOCK",
  severity: "high",
  when: { run: "nothing" },
  cases: {},
  ...more,
});
const pack = (rules: Rule[], more: Partial<Pack> = {}): Pack => ({
  pack: "t",
  version: "1.0.0",
  title: "T",
  rules,
  ...more,
});

const force = rule("t.force", {
  what: "rewrites {ref}",
  when: { run: "git push", flags: ["-f", "--force"], ref: "$shared" },
});
const publish = rule("t.publish", { decision: "ASK", when: { run: "npm publish" }, unless: { flags: "--dry-run" } });
const remove = rule("t.remove", {
  severity: "critical",
  when: { does: "delete", recursive: true, path: ["/", "$home"] },
});
const leak = rule("t.leak", { when: { flow: "secret -> network" }, unless: { host: "*.corp.example" } });
const noise = rule("t.noise", { decision: "WARN", severity: "low", when: { run: "npm" } });
const lock = rule("t.lock", { locked: true, when: { does: "write", path: "$home/.guard/**" } });
const packs = [pack([force, publish, remove, leak, noise, lock], { sets: { shared: ["main", "release/*"] } })];
const today = "2026-06-01";

function verdict(findings: Findings, policy?: Omit<Policy, "policy">, call: Partial<Call> = {}) {
  const sources = policy === undefined ? { packs, today } : { packs, today, policy: { policy: 1 as const, ...policy } };
  const asked = { type: "shell", command: "", ...call } as Call;
  return judge(asked, findings, compileRulebook(sources), "enforce");
}
const decisionOf = (...args: Parameters<typeof verdict>) => verdict(...args).decision;
const file = (does: "delete" | "write", path: string, recursive = false): Fact => ({
  kind: "file",
  of: 0,
  does,
  path: word(path),
  recursive,
});
const flow = (host: string): Fact => ({ kind: "flow", of: 0, from: "secret", to: "network", host: word(host) });

describe("matching", () => {
  test("program, options in any order, a set of branches", () => {
    expect(decisionOf(push("-f", ["main"]))).toBe("BLOCK");
    expect(decisionOf(push("--force", ["refs/heads/main"]))).toBe("BLOCK");
    expect(decisionOf(push("--forc", ["release/1"]))).toBe("BLOCK");
    expect(decisionOf(push("--force-with-lease", ["main"]))).toBe("ALLOW");
    expect(decisionOf(push("-f", ["mine"]))).toBe("ALLOW");
    expect(decisionOf(push("", ["main"]))).toBe("ALLOW");
  });
  test("a program elsewhere is still that program", () => {
    const there = found([run("git push -f", { refs: [word("main")], path: "/tmp/git" })]);
    expect(decisionOf(there)).toBe("BLOCK");
  });
  test("unless exempts this call, not the next", () => {
    expect(decisionOf(found([run("npm publish --dry-run")]))).toBe("WARN");
    expect(decisionOf(found([run("npm publish --dry-run"), run("npm publish")]))).toBe("ASK");
  });
  test("unless on a host needs to know it", () => {
    expect(decisionOf(found([run("curl x")], [flow("a.corp.example")]))).toBe("ALLOW");
    expect(decisionOf(found([run("curl x")], [flow(hole)]))).toBe("BLOCK");
  });
  test("what the table does not know as a subcommand is found among the operands", () => {
    const own = rule("own.apply", { when: { run: "deployctl apply" } });
    const call = (args: string[], flags: string[] = []) =>
      found([run("deployctl", { args: args.map(word), flags: flags.map(name => ({ name })) })]);
    expect(decisionOf(call(["apply"]), { rules: [own] })).toBe("BLOCK");
    expect(decisionOf(call(["prod", "apply"], ["--context"]), { rules: [own] })).toBe("BLOCK");
    expect(decisionOf(call(["status", "apply"]), { rules: [own] })).toBe("ALLOW");
  });
  test("MCP calls by name, argument and declared hint", () => {
    const own = [
      rule("own.name", { decision: "ASK", when: { mcp: "slack/*", input: { channel: "#general" } } }),
      rule("own.hint", { decision: "WARN", when: { mcp: "*", hints: "destructive" } }),
    ];
    expect(decisionOf(found([tool("slack/post", { input: { to: { channel: ["#general"] } } })]), { rules: own })).toBe(
      "ASK",
    );
    expect(decisionOf(found([tool("slack/post", { input: { channel: "#dev" } })]), { rules: own })).toBe("ALLOW");
    expect(decisionOf(found([tool("x/y", { hints: { destructive: true, open_world: false } })]), { rules: own })).toBe(
      "WARN",
    );
  });
  test("a file fact of an MCP call meets the rule written for files", () => {
    expect(decisionOf(found([tool("fs/delete_directory")], [file("delete", "~", true)]))).toBe("BLOCK");
  });
});

describe("missing knowledge", () => {
  test("a path that may be it is one step weaker for grave rules", () => {
    expect(decisionOf(found([run("rm -r x")], [file("delete", `~/${hole}`, true)]))).toBe("ASK");
    expect(decisionOf(found([run("rm -r x")], [file("delete", hole, true)]))).toBe("ALLOW");
  });
  test("`unsure` says what an unknown word means", () => {
    const own = (unsure: "IGNORE" | "WARN" | "ASK") => [
      rule("own.r", { unsure, when: { run: "git push", ref: "main" } }),
    ];
    expect(decisionOf(push("", [hole]), { rules: own("ASK") })).toBe("ASK");
    expect(decisionOf(push("", [hole]), { rules: own("WARN") })).toBe("WARN");
    expect(decisionOf(push("", [hole]), { rules: own("IGNORE") })).toBe("ALLOW");
  });
  test("an agent not sent is in scope for a rule and out of scope for trust", () => {
    const scoped = [{ ...force, id: "own.force", scope: { agent: "ci-*" }, when: { run: "git fetch" } }];
    const fetch = found([run("git fetch")]);
    expect(decisionOf(fetch, { rules: scoped })).toBe("BLOCK");
    expect(decisionOf(fetch, { rules: scoped }, { agent: "ann" })).toBe("ALLOW");
    const exceptions = [
      {
        rules: ["t.force"],
        when: { run: "git push" },
        scope: { agent: "bot" },
        reason: "r",
        owner: "o",
        until: "2026-12-31",
      },
    ];
    expect(decisionOf(push("-f", ["main"]), { exceptions })).toBe("BLOCK");
    expect(decisionOf(push("-f", ["main"]), { exceptions }, { agent: "bot" })).toBe("ALLOW");
  });
});

describe("what wins", () => {
  const gap = { why: "parse_error" as const, detail: "", via: [] };
  test("what was not understood sets a floor that nothing lowers", () => {
    const allow = [{ when: { run: "git" }, reason: "r" }];
    expect(decisionOf(found([], [], [gap]), { allow })).toBe("ASK");
    expect(decisionOf(found([], [], [gap]), { not_understood: "BLOCK" })).toBe("BLOCK");
  });
  test("a young rule warns", () => {
    const { status: _, ...young } = rule("t.young", { when: { run: "x" } });
    const book = compileRulebook({ packs: [pack([young])] });
    expect(judge({ type: "shell", command: "x" }, found([run("x")]), book, "enforce").decision).toBe("WARN");
  });
  test("raising is free, lowering needs reason and day", () => {
    const npm = found([run("npm publish")]);
    const dated = { reason: "r", until: "2026-06-01" };
    expect(decisionOf(npm, { overrides: [{ rules: ["t.publish"], decision: "BLOCK" }] })).toBe("BLOCK");
    expect(decisionOf(npm, { overrides: [{ rules: ["t.*"], decision: "WARN" }] })).toBe("ASK");
    expect(decisionOf(npm, { overrides: [{ rules: ["t.publish"], decision: "WARN", ...dated }] })).toBe("WARN");
    expect(
      decisionOf(npm, { overrides: [{ rules: ["t.publish"], decision: "WARN", reason: "r", until: "2026-05-31" }] }),
    ).toBe("ASK");
    const off = verdict(npm, { overrides: [{ rules: ["t.*"], decision: "OFF", ...dated }] });
    expect(off.decision).toBe("ALLOW");
    expect(off.excused?.map(match => match.by)).toEqual(["/overrides/0", "/overrides/0"]);
  });
  test("of two overrides the stricter counts, in either order", () => {
    const lower = { rules: ["t.publish"], decision: "WARN" as const, reason: "r", until: "2026-12-31" };
    const raise = { rules: ["t.publish"], decision: "BLOCK" as const };
    const npm = found([run("npm publish")]);
    expect(decisionOf(npm, { overrides: [lower, raise] })).toBe("BLOCK");
    expect(decisionOf(npm, { overrides: [raise, lower] })).toBe("BLOCK");
  });
  test("an exception covers all of a call or nothing", () => {
    const exceptions = [
      { rules: ["t.force"], when: { run: "git push", ref: "main" }, reason: "r", owner: "o", until: "2026-12-31" },
    ];
    expect(decisionOf(push("-f", ["main"]), { exceptions })).toBe("ALLOW");
    expect(decisionOf(push("-f", ["main", "release/1"]), { exceptions })).toBe("BLOCK");
    expect(verdict(push("-f", ["main"]), { exceptions }).excused?.[0]?.by).toBe("/exceptions/0");
  });
  test("an exception ends with its day, and without a date nothing dated holds", () => {
    const exceptions = [
      { rules: ["t.force"], when: { run: "git push" }, reason: "r", owner: "o", until: "2026-05-31" },
    ];
    expect(decisionOf(push("-f", ["main"]), { exceptions })).toBe("BLOCK");
    const policy: Policy = { policy: 1, exceptions: [{ ...exceptions[0]!, until: "2999-01-01" }] };
    const book = compileRulebook({ packs, policy });
    expect(judge({ type: "shell", command: "" }, push("-f", ["main"]), book, "enforce").decision).toBe("BLOCK");
    expect(book.expires_on).toBeUndefined();
    expect(compileRulebook({ packs, policy, today }).expires_on).toBe("2999-01-01");
  });
  test("`allow` answers WARN and ASK of packs, never a BLOCK, a flow or an own rule", () => {
    const allow = [{ when: { run: ["npm publish", "git push", "curl"] }, reason: "r" }];
    expect(decisionOf(found([run("npm publish")]), { allow })).toBe("ALLOW");
    expect(decisionOf(push("-f", ["main"]), { allow })).toBe("BLOCK");
    expect(decisionOf(found([run("curl x")], [flow("x")]), { allow })).toBe("BLOCK");
    const rules = [rule("own.npm", { decision: "ASK", when: { run: "npm publish" } })];
    expect(decisionOf(found([run("npm publish")]), { allow, rules })).toBe("ASK");
    expect(decisionOf(found([run("npm publish", { path: "/tmp/npm" })]), { allow })).toBe("ASK");
  });
  test("an allowed call lends nothing to its neighbour", () => {
    const allow = [{ when: { run: "git push" }, reason: "r" }];
    expect(decisionOf(found([run("git push"), run("npm publish")]), { allow })).toBe("ASK");
  });
  test("no_match asks about what nothing speaks of", () => {
    const policy = { no_match: "ASK" as const, allow: [{ when: { run: "make test" }, reason: "r" }] };
    expect(verdict(found([run("ls")]), policy).rules).toEqual(["policy.no-match"]);
    expect(decisionOf(found([run("make test")]), policy)).toBe("ALLOW");
    expect(decisionOf(found([run("make test"), run("ls")]), policy)).toBe("ASK");
    const rules = [rule("own.ok", { decision: "ALLOW", when: { run: "ls" } })];
    expect(decisionOf(found([run("ls")]), { ...policy, rules })).toBe("ALLOW");
    expect(decisionOf(found([run("ls", { path: "/tmp/ls" })]), { ...policy, rules })).toBe("ASK");
  });
  test("a locked rule is beyond overrides, exceptions and its pack being off", () => {
    const guard = found([run("tee x")], [file("write", "~/.guard/x")]);
    const policy = {
      packs: { off: ["t"] },
      overrides: [{ rules: ["t.*"], decision: "OFF" as const, reason: "r", until: "2026-12-31" }],
      exceptions: [{ rules: ["t.*"], when: { run: "tee" }, reason: "r", owner: "o", until: "2026-12-31" }],
    };
    expect(decisionOf(guard, policy)).toBe("BLOCK");
    expect(decisionOf(push("-f", ["main"]), policy)).toBe("ALLOW");
  });
  test("audit-only keeps the decision and does not enforce it", () => {
    const seen = judge({ type: "shell", command: "" }, push("-f", ["main"]), compileRulebook({ packs }), "audit-only");
    expect([seen.decision, seen.enforced, seen.mode]).toEqual(["BLOCK", false, "audit-only"]);
  });
  test("entitled packs need the plan, packs off by default need the policy", () => {
    const more = [
      ...packs,
      pack([{ ...force, id: "e.force", when: { run: "git" } }], { pack: "e", plan: "entitled", default: "off" }),
    ];
    const rules = (policy: Policy | undefined, entitled: boolean) =>
      compileRulebook({ packs: more, entitled, ...(policy ? { policy } : {}) }).rules.length;
    expect(rules({ policy: 1, packs: { on: ["e"] } }, true)).toBe(7);
    expect(rules({ policy: 1, packs: { on: ["e"] } }, false)).toBe(6);
    expect(rules(undefined, true)).toBe(6);
  });
});

describe("for any rules and calls", () => {
  const anyRule = fc.constantFrom(force, publish, remove, leak, noise, lock);
  const anyFindings = fc.constantFrom(
    push("-f", ["main"]),
    found([run("npm publish")]),
    found([run("rm -r x"), run("npm publish")], [file("delete", "/", true)]),
    found([run("curl x")], [flow("x")]),
    found([run("tee x")], [file("write", "~/.guard/x")]),
  );
  const judged = (rules: Rule[], findings: Findings, policy?: Policy) =>
    judge(
      { type: "shell", command: "" },
      findings,
      compileRulebook({ packs: [pack(rules, packs[0]!)], today, ...(policy ? { policy } : {}) }),
      "enforce",
    );

  test("the order of rules is of no account", () => {
    fc.assert(
      fc.property(fc.uniqueArray(anyRule, { minLength: 2 }), anyFindings, (rules, findings) => {
        expect(judged([...rules].reverse(), findings)).toEqual(judged(rules, findings));
      }),
    );
  });
  test("more rules never make a verdict milder, and an ALLOW never lifts a BLOCK", () => {
    const order = ["ALLOW", "WARN", "ASK", "BLOCK"];
    const allowing = rule("t.allow", { decision: "ALLOW", when: { run: ["git", "npm", "rm", "curl", "tee"] } });
    const policy: Policy = { policy: 1, allow: [{ when: { run: ["git", "npm", "rm", "curl", "tee"] }, reason: "r" }] };
    fc.assert(
      fc.property(fc.uniqueArray(anyRule, { minLength: 1 }), anyRule, anyFindings, (rules, extra, findings) => {
        const before = judged(rules, findings).decision;
        const more = judged([...new Set([...rules, extra])], findings).decision;
        expect(order.indexOf(more)).toBeGreaterThanOrEqual(order.indexOf(before));
        expect(judged([...rules, allowing], findings).decision).toBe(before);
        if (before === "BLOCK") expect(judged(rules, findings, policy).decision).toBe("BLOCK");
      }),
    );
  });
});

test("the first call a rulebook is asked about meets rules that are made ready while it is judged", () => {
  const book = compileRulebook({
    packs: [
      pack([
        rule("t.device", { when: { run: "dd", does: "read", path: "/dev/**" } }),
        rule("t.memory", { when: { does: "read", path: "/proc/*/mem" } }),
      ]),
    ],
  });
  const path = word("/proc/1/mem");
  const read = found([run("dd")], [{ kind: "file", of: 0, does: "read", path, recursive: false }]);
  expect(judge({ type: "shell", command: "dd if=/proc/1/mem" }, read, book, "enforce").rules).toEqual(["t.memory"]);
});
