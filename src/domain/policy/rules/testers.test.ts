import { expect, test } from "bun:test";
import { PathTree } from "./path.ts";
import { Testers } from "./testers.ts";

test("no pattern at all and one empty pattern are different tests, in whichever order they are asked for", () => {
  for (const first of [[], [""]]) {
    const testers = new Testers(new Map(), new PathTree(false));
    testers.words(first);
    expect([testers.words([]).fits(""), testers.words([""]).fits("")]).toEqual([false, true]);
  }
});
