import { describe, expect, test } from "bun:test";
import { parse } from "smol-toml";
import { CannotInstall, type Program } from "./recipe.ts";
import { recipes } from "./recipes.ts";

const program: Program = { path: "/opt/gate house/gatehouse", args: [] };
const edit = recipes["codex"]!.edits("managed", { home: "/home/dev", project: "/r", platform: "linux" }, program)[0]!;
const others = `# ours\nallowed_sandbox_modes = ["read-only"]\n\n[[hooks.PreToolUse]]\nmatcher = "^Bash$"\n\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "/opt/other"\n`;

interface Requirements {
  hooks: Record<string, { hooks: { type: string; command: string; timeout: number }[] }[]>;
}
const read = (text: string) => parse(text) as unknown as Requirements;

describe("managed hooks of Codex", () => {
  test("stand in the machine's requirements, which are trusted without a press", () => {
    expect(edit.path).toBe("/etc/codex/requirements.toml");
    const { hooks } = read(edit.install(undefined));
    for (const event of ["PreToolUse", "PostToolUse", "SessionStart"])
      expect(hooks[event]).toEqual([
        { hooks: [{ type: "command", command: '"/opt/gate house/gatehouse" hook codex', timeout: 5 }] },
      ]);
  });

  test("are added to what is there, once, and taken out again to the byte", () => {
    const once = edit.install(others);
    expect(once).toStartWith(others);
    expect(read(once).hooks["PreToolUse"]).toHaveLength(2);
    expect(edit.install(once)).toBe(once);
    expect(edit.installed(once)).toBe(edit.installed(edit.install(undefined)));
    expect(edit.uninstall(once)).toBe(others);
    expect(edit.uninstall(edit.install(undefined))).toBeUndefined();
  });

  test("a changed entry shows, and installing puts it right", () => {
    const changed = edit.install(others).replaceAll("timeout = 5", "timeout = 9");
    expect(edit.installed(changed)).not.toBe(edit.installed(edit.install(others)));
    expect(edit.install(changed)).toBe(edit.install(others));
  });

  test.each(["not = = toml", "hooks = { PreToolUse = [] }\n", "[hooks]\nPreToolUse = []\n"])(
    "not added to %j",
    text => {
      expect(() => edit.install(text)).toThrow(CannotInstall);
    },
  );

  test("elsewhere there is no such file", () => {
    const windows = { home: "C:\\dev", project: "C:\\r", platform: "win32" };
    expect(() => recipes["codex"]!.edits("managed", windows, program)).toThrow(CannotInstall);
  });
});
