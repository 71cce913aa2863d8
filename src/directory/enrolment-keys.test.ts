import { expect, test } from "bun:test";
import { SECOND, someone, testDirectory } from "../../test/directory.ts";

function begin(uses: number) {
  const world = testDirectory();
  const { org, account } = someone(world.directory);
  const keys = world.directory.enrolmentKeys;
  const made = keys.create({ org, name: "ci", uses, expires_in_s: 60, created_by: account });
  return { ...world, org, keys, made };
}

test("a key works as often as it says", () => {
  const { keys, made, org } = begin(2);
  expect(keys.use(made.key)).toEqual({ id: made.id, org });
  expect(keys.use(made.key)).toBeDefined();
  expect(keys.use(made.key)).toBeUndefined();
  keys.giveBack(made.id);
  expect(keys.use(made.key)).toBeDefined();
  expect(keys.list(org)).toMatchObject([{ id: made.id, uses_left: 0 }]);
  expect(JSON.stringify(keys.list(org))).not.toContain(made.key);
});

test("it ends with its time or its deletion, by its own organisation", () => {
  const { keys, made, org, wait, directory } = begin(5);
  const { org: other } = someone(directory, "admin", "eve");
  expect(() => keys.revoke(other, made.id)).toThrow("nothing here");
  expect(keys.use(made.key)).toBeDefined();
  wait(60 * SECOND);
  expect(keys.use(made.key)).toBeUndefined();
  keys.revoke(org, made.id);
  expect(keys.list(org)).toEqual([]);
});
