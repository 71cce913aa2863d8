import { expect, test } from "bun:test";
import { readPacks } from "../../../seeds.ts";
import { findings } from "../engine/findings.ts";
import type { Call } from "../verdict.ts";
import { compileRulebook } from "./compile.ts";
import { judge } from "./judge.ts";
import { relevant, ruleNames } from "./relevant.ts";

const packs = readPacks().map(({ value }) => value);
const whole = compileRulebook({ packs, entitled: true });
const calls: Call[] = packs
  .flatMap(pack => pack.rules.flatMap(rule => Object.values(rule.cases).flat()))
  .flatMap((example): Call[] => {
    if (typeof example === "string") return [{ type: "shell", command: example }];
    const one = example as {
      sh?: string;
      powershell?: string;
      cmd?: string;
      mcp?: string;
      input?: Record<string, unknown>;
    };
    if (one.sh !== undefined) return [{ type: "shell", command: one.sh }];
    if (one.powershell !== undefined) return [{ type: "shell", command: one.powershell, dialect: "powershell" }];
    if (one.cmd !== undefined) return [{ type: "shell", command: one.cmd, dialect: "cmd" }];
    const [server = "", tool = ""] = (one.mcp ?? "/").split("/");
    return [{ type: "mcp", server, tool, args: one.input ?? {} }];
  });

const names = ruleNames(packs);
const known = new Map(packs.flatMap((pack, n) => pack.rules.map((rule, m) => [rule, names[n]![m]!] as const)));

test("names worked out beforehand leave out the same; where a policy adds to a set they are not used", () => {
  const programs = Object.keys(packs.find(pack => pack.sets)?.sets ?? {});
  const policy = { policy: 1 as const, sets: { [programs[0]!]: ["brandnew"] } };
  for (const call of calls.filter((_, n) => n % 25 === 0)) {
    const found = findings(call);
    expect(relevant({ packs }, found, known)).toEqual(relevant({ packs }, found));
    expect(relevant({ packs, policy }, found, known)).toEqual(relevant({ packs, policy }, found));
  }
});

test("what is left out changes no verdict, and most is left out", () => {
  let left = 0;
  // Every fifth is enough to meet all kinds of keys, and keeps this under two seconds.
  const some = calls.filter((_, n) => n % 5 === 0);
  for (const call of some) {
    const found = findings(call);
    const sources = relevant({ packs, entitled: true }, found);
    left += sources.packs.reduce((sum, pack) => sum + pack.rules.length, 0);
    expect(judge(call, found, compileRulebook(sources), "enforce")).toEqual(judge(call, found, whole, "enforce"));
  }
  expect(calls.length).toBeGreaterThan(300);
  expect(left / some.length).toBeLessThan(whole.rules.length / 2);
});
