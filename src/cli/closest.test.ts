import { expect, test } from "bun:test";
import { clients } from "../hooks/dialect.ts";
import { closest, didYouMean } from "./closest.ts";
import { commands } from "./help.ts";

const verbs = Object.keys(commands);

test.each([
  ["instal", verbs, "install"],
  ["uninstal", verbs, "uninstall"],
  ["logn", verbs, "login"],
  ["complete", verbs, undefined],
  ["compl", verbs, "comply"],
  ["completion", verbs, "completions"],
  ["claude", clients, "claude-code"],
  ["copilot", clients, "copilot-cli"],
  ["codx", clients, "codex"],
  ["emacs", clients, undefined],
  ["", clients, undefined],
  ["x".repeat(10_000), clients, undefined],
] as const)("%s", (word, names, meant) => {
  expect(closest(word, names)).toBe(meant);
});

test("nothing near is nothing said", () => {
  expect([didYouMean("deploy", verbs), didYouMean("statsu", verbs)]).toEqual(["", " Did you mean status?"]);
});
