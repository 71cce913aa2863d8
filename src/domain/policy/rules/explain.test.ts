import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { decide } from "../decide.ts";
import { findings } from "../engine/findings.ts";
import { compileRulebook } from "./compile.ts";
import { explain } from "./explain.ts";
import { printFacts } from "./facts-text.ts";
import { quoted, shown } from "./quote.ts";
import type { Pack } from "./schema.ts";

const pack: Pack = {
  pack: "git",
  version: "1.0.0",
  title: "Git",
  sets: { shared: ["main"] },
  rules: [
    {
      id: "git.force-push-shared",
      status: "stable",
      what: "rewrites the history of shared branch {ref}",
      why: "Commits of other people disappear from the server.",
      instead: "Push your own branch.",
      decision: "BLOCK",
      severity: "high",
      when: { run: "git push", flags: ["-f", "--force"], ref: "$shared" },
      cases: {},
    },
    {
      id: "git.upload",
      status: "stable",
      what: "writes {path}",
      why: "It does.",
      instead: "Do not.",
      decision: "ASK",
      severity: "low",
      when: { does: "write", path: "/**" },
      cases: {},
    },
  ],
};
const book = compileRulebook({ packs: [pack] });
const ask = (command: string, mode: "enforce" | "audit-only" = "enforce") =>
  decide({ type: "shell", command }, book, mode);

describe("an explanation", () => {
  test("says who refused, what and why, what instead, and what it rests on", () => {
    const verdict = ask("sudo bash -c 'git -C api push -f origin main'");
    expect(explain(verdict, { policy_version: 42 }).split("\n")).toEqual([
      "BLOCK git.force-push-shared (pack git, high). The organisation's policy refused this; no person cancelled it.",
      "`git -C api push -f origin main` rewrites the history of shared branch `main`. Commits of other people disappear from the server.",
      "Instead: Push your own branch.",
      "Reached through sudo → bash -c → git push; rests on -f and main, characters 14–44; policy version 42.",
    ]);
  });
  test("names the other rules, and that audit-only only records", () => {
    const text = explain(ask("git push -f origin main > /data/log", "audit-only"));
    expect(text).toContain("It is recorded, not enforced (audit-only).");
    expect(text.split("\n").at(-1)).toBe("Also: ASK git.upload.");
  });
  test.each([
    ["echo x >> /data/log", "`echo x >> /data/log` writes `/data/log`."],
    ["echo x 2>/dev/null >/data/log; ls", "`echo x 2>/dev/null >/data/log` writes `/data/log`."],
    ["tee /data/log", "`tee /data/log` writes `/data/log`."],
  ])("%s is told with its redirect", (command, told) => {
    expect(ask(command).matched[0]?.reason.split(" It does")[0]).toBe(told);
  });
  test("says of a branch nobody named that it is one", () => {
    const shared = { ...pack.rules[0]!, when: { run: "git push", flags: ["-f"] } };
    const verdict = decide(
      { type: "shell", command: 'git push -f origin "$B"' },
      compileRulebook({ packs: [{ ...pack, rules: [shared] }] }),
      "enforce",
    );
    expect(verdict.reasons[0]).toStartWith(
      '`git push -f origin "$B"` rewrites the history of a shared branch. Commits',
    );
  });
  test("tells what Windows runs with its words", () => {
    const wipe = { ...pack.rules[0]!, what: "deletes", when: { run: "remove-item" } };
    const told = (command: string) =>
      decide(
        { type: "shell", dialect: "powershell", command },
        compileRulebook({ packs: [{ ...pack, rules: [wipe] }] }),
        "enforce",
      );
    expect(told("ls; Remove-Item -Force 'C:\\a b'; ls").reasons[0]).toStartWith(
      "`Remove-Item -Force 'C:\\a b'` deletes.",
    );
  });
  test("names a tool once", () => {
    const tool = { ...pack.rules[0]!, what: "sends a message through {tool}", when: { mcp: "*" } };
    const verdict = decide(
      { type: "mcp", server: "chat", tool: "post", args: {} },
      compileRulebook({ packs: [{ ...pack, rules: [tool] }] }),
      "enforce",
    );
    expect(verdict.reasons[0]).toStartWith("The call sends a message through `chat/post`.");
  });
  test("of an ALLOW is one line", () => {
    expect(explain(ask("ls"), { authority: "The community rules" })).toBe(
      "ALLOW. The community rules has nothing against this.",
    );
  });
  test("never shows a secret, a control character or a long text", () => {
    const { reasons } = ask(
      `git push -f https://ann:hunter22@x.test/a main && echo ${"x".repeat(300)} > "/data/\u202Ea\u0007"`,
    );
    expect(reasons.join()).not.toContain("hunter22");
    expect(reasons.join()).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(reasons.every(reason => reason.length < 300)).toBe(true);
  });
});

const secrets = [
  "curl -H 'Authorization: Bearer abcdefghijkl'",
  "export TOKEN=abcdefghijkl",
  "curl -u ann:abcdefghijkl https://x.test",
  "psql postgres://ann:abcdefghijkl@db/x",
  "echo ghp_abcdefghijklmnopqrst",
  "mysql --password abcdefghijkl",
  '{"api_key": "abcdefghijkl"}',
];
for (const text of secrets)
  test(`the secret in ${text} is left out`, () => expect(shown(text)).not.toContain("abcdefghijkl"));

test("any text is shown on one line, in at most 80 characters, free of what nobody can see", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), text => {
      const safe = shown(text);
      expect(safe.length).toBeLessThanOrEqual(80);
      expect(safe).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}`]/u);
      expect(quoted(text)).toBe(`\`${safe}\``);
    }),
  );
});

test("facts are printed in the words of the rule language", () => {
  const printed = printFacts(
    findings({ type: "shell", command: "sudo git push -f origin main > log.txt; cat /etc/hosts" }),
  );
  expect(printed.split("\n")).toEqual([
    "run: sudo",
    "  does: write  path: $repo/log.txt",
    "run: git push  flags: -f  args: origin main  ref: main   # through sudo",
    "run: cat  args: /etc/hosts",
    "  does: read  path: /etc/hosts",
  ]);
  expect(printFacts(findings({ type: "shell", command: "" }))).toBe("nothing runs");
});
