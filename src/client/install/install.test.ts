import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { clients } from "../../hooks/dialect.ts";
import { jsonHooks } from "./json-hooks.ts";
import { CannotInstall, commandLine, type InstallScope, type Places, type Program } from "./recipe.ts";
import { recipes } from "./recipes.ts";

const places: Places = { home: "/home/dev", project: "/r", platform: "linux" };
const program: Program = { path: "/opt/gate house/gatehouse", args: [] };
const all = clients.flatMap(client => recipes[client]!.scopes.map(scope => [client, scope] as const));
const edits = (client: string, scope: InstallScope) => recipes[client]!.edits(scope, places, program);

describe("every recipe", () => {
  test("there is one for each agent, and each tells its holes", () => {
    expect(Object.keys(recipes)).toEqual([...clients]);
    expect(clients.filter(client => recipes[client]!.holes.length === 0)).toEqual([]);
  });

  test.each(all)("%s at %s scope: installed twice is installed once, and goes without a trace", (client, scope) => {
    for (const edit of edits(client, scope)) {
      const once = edit.install(undefined);
      expect(edit.install(once)).toBe(once);
      expect(edit.installed(once)).toBeString();
      expect(edit.uninstall(once)).toBeUndefined();
    }
  });

  test.each(all)("%s at %s scope runs the program by its absolute path", (client, scope) => {
    for (const edit of edits(client, scope)) {
      expect(edit.install(undefined)).toContain("/opt/gate house/gatehouse");
      expect(edit.path).toMatch(/^\//);
    }
  });

  test("explicit timeouts in each agent's unit", () => {
    const text = (client: string) => edits(client, "user")[0]!.install(undefined);
    expect(text("claude-code")).toContain('"timeout": 5,');
    expect(text("claude-code")).toContain('"onFailure": "block"');
    expect(text("gemini-cli")).toContain('"timeout": 5000');
    expect(text("qwen-code")).toContain('"timeout": 5000');
    expect(text("copilot-cli")).toContain('"timeoutSec": 5');
    expect(text("codex")).toContain('"timeout": 5');
    expect(text("kiro")).toContain('"timeout": 5,');
    expect(text("cursor")).toContain('"failClosed": true');
  });

  test("every place an agent looks into is written", () => {
    const paths = (client: string, scope: InstallScope) => edits(client, scope).map(({ path }) => path);
    expect(paths("cline", "user").filter(path => path.endsWith("/PreToolUse"))).toEqual([
      "/home/dev/.cline/hooks/PreToolUse",
      "/home/dev/Documents/Cline/Hooks/PreToolUse",
    ]);
    expect(paths("windsurf", "project")).toEqual(["/r/.windsurf/hooks.json", "/r/.devin/hooks.json"]);
    expect(paths("cursor", "managed")).toEqual(["/etc/cursor/hooks.json"]);
    expect(paths("qwen-code", "managed")).toEqual(["/etc/qwen-code/settings.json"]);
    expect(edits("cursor", "user")[0]!.install(undefined)).toMatch(/"preToolUse"[^\]]*"matcher": "Write\|/);
  });

  test("an agent that could not run what is written says so instead", () => {
    const windows = { ...places, platform: "win32" };
    expect(() => recipes["cline"]!.edits("user", windows, program)).toThrow(/PowerShell/);
    expect(() => recipes["codex"]!.edits("managed", windows, program)).toThrow(/no managed hooks of codex on win32/);
  });

  test("what is somebody else's file is left alone", () => {
    expect(() => edits("opencode", "user")[0]!.install("export const x = 1")).toThrow(CannotInstall);
    expect(() => edits("cline", "user")[0]!.install("#!/bin/sh\ntrue")).toThrow(CannotInstall);
    expect(edits("cline", "user")[0]!.uninstall("#!/bin/sh\ntrue")).toBe("#!/bin/sh\ntrue");
    expect(() => edits("kiro", "user")[0]!.install('{"version":"v1","hooks":[]}')).toThrow(CannotInstall);
  });
});

describe("merging into what is there", () => {
  const edit = () => edits("claude-code", "user")[0]!;
  const mine = `{
  // the team's settings
  "model": "opus", // keep
  "hooks": {
    "PreToolUse": [{"matcher": "Write", "hooks": [{"type": "command", "command": "lint.sh"}]}],
    "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
  },
}
`;

  test("comments, order and other hooks stay, also when ours goes again", () => {
    const text = edit().install(mine);
    expect(text).toContain("// the team's settings");
    expect(text).toContain('"matcher": "Write"');
    expect(text.indexOf("gatehouse")).toBeLessThan(text.indexOf("lint.sh"));
    const back = edit().uninstall(text)!;
    expect(back).toContain("// keep");
    expect(back).toContain("lint.sh");
    expect(back).toContain("say done");
    expect(back).not.toContain("gatehouse");
  });

  test("an older entry of ours is replaced, wherever its program lay", () => {
    const old = JSON.stringify({
      hooks: {
        PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "/old/gatehouse hook claude-code" }] }],
      },
    });
    const text = edit().install(old);
    expect(text).not.toContain("/old/gatehouse");
    expect(text.match(/onFailure/g)).toHaveLength(1);
  });

  test("a file that is no JSON object is not touched", () => {
    for (const text of ["{", "[]", "hello", '{"hooks":{"PreToolUse":{}}}'])
      expect(() => edit().install(text)).toThrow(CannotInstall);
  });

  test("a changed entry shows", () => {
    const text = edit().install(undefined);
    const weaker = text.replace('"onFailure": "block"', '"onFailure": "allow"');
    expect(edit().installed(weaker)).not.toBe(edit().installed(text));
    expect(edit().installed("{}")).toBeUndefined();
  });

  test("any settings: install and uninstall leave every other member as it was", () => {
    const entry = { hooks: [{ type: "command", command: "/opt/gatehouse hook codex" }] };
    const made = jsonHooks({ client: "codex", path: "/x", hooks: { PreToolUse: entry } });
    const other = fc.array(fc.record({ matcher: fc.string(), hooks: fc.constant([]) }), { minLength: 1, maxLength: 3 });
    const settings = fc.record({ model: fc.jsonValue(), hooks: fc.record({ PreToolUse: other, Stop: other }) });
    fc.assert(
      fc.property(settings, value => {
        const text = JSON.stringify(value, null, 2);
        const installed = made.install(text);
        expect(JSON.parse(installed)).toMatchObject({ model: JSON.parse(text).model });
        expect(JSON.parse(installed).hooks.PreToolUse[0]).toEqual(entry);
        expect(JSON.parse(made.uninstall(installed)!)).toEqual(JSON.parse(text));
      }),
      { numRuns: 100 },
    );
  });
});

test("paths with blanks and odd characters stay one word", () => {
  expect(commandLine({ path: "/a b/g$x", args: [] }, "hook", "codex")).toBe('"/a b/g\\$x" hook codex');
});
