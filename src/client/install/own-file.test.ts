import { afterAll, describe, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { opencodePlugin } from "./own-file.ts";

const folder = mkdtempSync(join(tmpdir(), "plugin-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Hooks {
  "tool.execute.before"(input: object, output: { args: object }): Promise<void>;
  "tool.execute.after"(input: object): Promise<void>;
}

/** The plugin as opencode loads it, around a program that does `script`; without a script there is no program. */
async function plugin(name: string, script?: string): Promise<Hooks> {
  const program = join(folder, name);
  if (script !== undefined) writeFileSync(program, `#!/bin/sh\ncat > ${program}.seen\n${script}\n`);
  if (script !== undefined) chmodSync(program, 0o755);
  writeFileSync(`${program}.mjs`, opencodePlugin([program]));
  const { Gatehouse } = (await import(`${program}.mjs`)) as { Gatehouse(given: object): Promise<Hooks> };
  return Gatehouse({ directory: "/r" });
}
const before = async (hooks: Hooks) => hooks["tool.execute.before"]({ tool: "bash" }, { args: { command: "ls" } });

describe("the plugin of opencode", () => {
  test("lets go what is not refused, and hands over what is asked", async () => {
    await before(await plugin("quiet", "echo '{}'"));
    expect(await Bun.file(join(folder, "quiet.seen")).json()).toEqual({
      ev: "before",
      input: { tool: "bash" },
      args: { command: "ls" },
      cwd: "/r",
    });
  });

  test("throws the reason of a refusal", async () => {
    const hooks = await plugin("deny", `echo '{"decision":"deny","reason":"because"}'`);
    expect(before(hooks)).rejects.toThrow("because");
  });

  const broken: [string, string | undefined][] = [
    ["missing", undefined],
    ["crash", "exit 1"],
    ["refuse", "exit 2"],
    ["mute", "exit 0"],
  ];
  test.each(broken)("is loaded all the same when the program fails (%s), and refuses", async (name, script) => {
    const hooks = await plugin(name, script);
    expect(before(hooks)).rejects.toThrow();
    await hooks["tool.execute.after"]({ tool: "bash" });
  });
});
