import { expect, test } from "bun:test";
import { someone, testDirectory } from "../../test/directory.ts";

test("reserve, issue, look up; removal kills the token at once", () => {
  const { directory } = testDirectory();
  const { org } = someone(directory);
  const { agent } = directory.agents.reserve(org);
  const token = directory.agents.issue(org, agent)!;
  expect(token).toMatch(/^gha_[A-Za-z0-9_-]{43}$/);
  expect(directory.agents.lookup(token)).toEqual({ kind: "agent", agent, org });
  expect(directory.agents.remove("org_other", agent)).toBe(false);
  expect(directory.agents.lookup(token)).toBeDefined();
  expect(directory.agents.remove(org, agent)).toBe(true);
  expect(directory.agents.lookup(token)).toBeUndefined();
  expect(directory.agents.issue(org, agent)).toBeUndefined();
});

test("the same installation is the same agent, and its old token is dead", () => {
  const { directory } = testDirectory();
  const { org } = someone(directory);
  const first = directory.agents.reserve(org, "laptop-1");
  const old = directory.agents.issue(org, first.agent)!;
  directory.agents.lookup(old);
  expect(directory.agents.reserve(org, "laptop-1")).toEqual({ agent: first.agent, known: true });
  expect(directory.agents.lookup(old)).toBeDefined();
  const fresh = directory.agents.issue(org, first.agent)!;
  expect(directory.agents.lookup(old)).toBeUndefined();
  expect(directory.agents.lookup(fresh)?.agent).toBe(first.agent);
  const { org: other } = someone(directory, "admin", "eve");
  expect(directory.agents.reserve(other, "laptop-1").known).toBe(false);
  expect(directory.agents.issue(other, first.agent)).toBeUndefined();
  expect(directory.agents.lookup(fresh)).toBeDefined();
  expect([directory.agents.count(org), directory.agents.count(other)]).toEqual([1, 1]);
});

test("what is no agent token is never looked up", () => {
  const { directory } = testDirectory();
  for (const token of ["", "gha_", `ghp_${"a".repeat(43)}`, `gha_${"a".repeat(44)}`, `gha_${"a".repeat(42)}'`])
    expect(directory.agents.lookup(token)).toBeUndefined();
});
