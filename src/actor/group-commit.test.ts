import { expect, test } from "bun:test";
import { urgent, write, type Context, type Outcome } from "./answer.ts";
import { GroupCommit, type Pending } from "./group-commit.ts";

const KiB = 1024;

/** A group commit over a store that only notes which writes went into which commit. */
function grouping() {
  const commits: string[][] = [];
  const store = {
    commit: (work: () => Outcome[]) => {
      commits.push([]);
      return work();
    },
    attempt: <T>(work: () => T) => work(),
    log: { head: () => ({ seq: commits.length, hash: "" }) },
  };
  const group = new GroupCommit({ store } as unknown as Context);
  const settled: string[] = [];
  const note = (_: Context, { name }: { name: string }) => void commits.at(-1)!.push(name);
  const push = (name: string, input: object = {}, answer: unknown = write(note)) =>
    group.push({
      answer: answer as Pending["answer"],
      input: { name, ...input },
      settle: () => void settled.push(name),
    });
  const pushUrgent = (name: string) => push(name, {}, urgent(note));
  const run = () => {
    while (group.waiting > 0) group.flush();
    return commits;
  };
  return { group, push, pushUrgent, run, settled };
}

test("what is urgent is committed before batches that came earlier", () => {
  const { push, pushUrgent, run, settled } = grouping();
  for (const name of ["a", "b", "c"]) push(name, { bytes: new Uint8Array(200 * KiB) });
  for (const name of ["check 1", "check 2"]) pushUrgent(name);
  expect(run()).toEqual([["check 1", "check 2"], ["a"], ["b"], ["c"]]);
  expect(settled).toEqual(["check 1", "check 2", "a", "b", "c"]);
});

test("what becomes urgent while batches wait does not wait for all of them", () => {
  const { group, push, pushUrgent, run } = grouping();
  for (const name of ["a", "b", "c"]) push(name, { bytes: new Uint8Array(300 * KiB) });
  group.flush();
  pushUrgent("check");
  expect(run()).toEqual([["a"], ["check"], ["b"], ["c"]]);
});

test("however much is urgent, every other commit takes batches; small ones go with it", () => {
  const { group, push, pushUrgent, run } = grouping();
  for (const name of ["a", "b"]) push(name, { bytes: new Uint8Array(200 * KiB) });
  push("small");
  for (let n = 1; n <= 5; n++) {
    pushUrgent(`check ${n}`);
    group.flush();
  }
  expect(run()).toEqual([["check 1"], ["check 2", "a"], ["check 3"], ["check 4", "b", "small"], ["check 5"]]);
  push("small again");
  pushUrgent("check 6");
  expect(run().at(-1)).toEqual(["check 6", "small again"]);
});

test("a commit takes 300 KiB of batches, or one larger one", () => {
  const { push, run } = grouping();
  const sizes = { a: 100, b: 150, c: 50, d: 1, e: 900, f: 300 };
  for (const [name, size] of Object.entries(sizes)) push(name, { bytes: new Uint8Array(size * KiB) });
  expect(run()).toEqual([["a", "b", "c"], ["d"], ["e"], ["f"]]);
});

test("what is packed weighs more, what carries no bytes little", () => {
  const { push, run } = grouping();
  for (const name of ["a", "b", "c"]) push(name, { bytes: new Uint8Array(20 * KiB), encoding: "zstd" });
  for (let n = 0; n < 100; n++) push(`small ${n}`);
  expect(run().map(names => names.length)).toEqual([1, 1, 101]);
});
