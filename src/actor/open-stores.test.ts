import { expect, test } from "bun:test";
import { OpenStores } from "./open-stores.ts";

function stores(max: number) {
  const closed: string[] = [];
  const busy = new Set<string>();
  const opened: string[] = [];
  const open = new OpenStores(max, org => {
    opened.push(org);
    return {
      get busy() {
        return busy.has(org);
      },
      close: () => void closed.push(org),
    };
  });
  return { open, closed, busy, opened };
}

test("the least recently asked is closed first", () => {
  const { open, closed } = stores(2);
  for (const org of ["a", "b", "a", "c"]) open.get(org);
  expect(closed).toEqual(["b"]);
});

test("one with work under way is kept until it has none, and found again meanwhile", () => {
  const { open, closed, busy, opened } = stores(1);
  open.get("a");
  busy.add("a");
  open.get("b");
  open.sweep();
  expect(closed).toEqual([]);
  expect([...open.all()].map(([org]) => org).sort()).toEqual(["a", "b"]);
  open.get("a");
  expect(opened).toEqual(["a", "b"]);
  busy.clear();
  open.sweep();
  open.close();
  expect(closed.sort()).toEqual(["a", "b"]);
});

test("a failed file is dropped at once, busy or not", () => {
  const { open, closed, busy } = stores(3);
  open.get("a");
  busy.add("a");
  open.drop("a");
  expect(closed).toEqual(["a"]);
  expect(open.peek("a")).toBeUndefined();
});
