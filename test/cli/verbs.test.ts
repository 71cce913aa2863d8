import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { run as completions } from "../../src/cli/completions.ts";
import { run as version } from "../../src/cli/version.ts";
import { useLaptop } from "./laptop.ts";

const laptop = useLaptop();
const { call } = laptop;

test("completions name every command", async () => {
  const main = readFileSync(join(import.meta.dirname, "../../src/main.ts"), "utf8");
  const verbs = [...main.matchAll(/^ {2}(\w+): \(\) => import/gm)].map(([, verb]) => verb!);
  for (const shell of ["bash", "zsh", "fish"]) {
    const { out } = await call(completions, [shell]);
    expect([shell, verbs.filter(verb => !out.includes(verb))]).toEqual([shell, []]);
  }
  expect((await call(version, ["--json"])).out).toContain('"version"');
});
