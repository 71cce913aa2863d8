import { describe, expect, test } from "bun:test";
import { codexTrust, isTrustedProject, ourHandlers } from "./codex-trust.ts";

const path = "/home/dev/.codex/hooks.json";
const ours = { hooks: [{ type: "command", command: "/opt/gatehouse hook codex", timeout: 5 }] };
const other = { matcher: "^Bash$", hooks: [{ type: "command", command: "lint" }] };
const hooks = JSON.stringify({ hooks: { PreToolUse: [other, ours], PostToolUse: [ours], SessionStart: [ours] } });

/** As `codex app-server` (0.169.0) answers `hooks/list` for this file. */
const listed = {
  "pre_tool_use:1:0": "sha256:f56dea0a70da56d5bf1f4dbe419045607d2ccf6c5b9f0565f0a8e98003599fa7",
  "post_tool_use:0:0": "sha256:8088acc668afeb0e946eaf03d9d67b5c96f76d60ee119fbfec57fc91d04989b6",
  "session_start:0:0": "sha256:dfd8aad387ba67800de66544a0853df372f1a3c3ce0142b84bf8b5f3a2a3773e",
};
const states = (more: Record<string, string> = {}, enabled = ""): string =>
  Object.entries({ ...listed, ...more })
    .map(([place, hash]) => `[hooks.state."${path}:${place}"]\ntrusted_hash = "${hash}"\n${enabled}`)
    .join("\n");

describe("what Codex makes of our hooks", () => {
  test("they bear the names and hashes Codex gives them", () => {
    expect(Object.fromEntries(ourHandlers(hooks).map(({ place, hash }) => [place, hash]))).toEqual(listed);
  });

  test("they run once each of them is trusted as it stands", () => {
    expect(codexTrust(path, hooks, states())).toBe("trusted");
    expect(codexTrust(path, hooks, "")).toBe("untrusted");
    expect(codexTrust(path, hooks, states().replace("pre_tool_use:1:0", "pre_tool_use:0:0"))).toBe("untrusted");
    expect(codexTrust("/elsewhere/hooks.json", hooks, states())).toBe("untrusted");
    expect(codexTrust(path, hooks, states({ "pre_tool_use:1:0": "sha256:00" }))).toBe("changed");
    expect(codexTrust(path, hooks.replaceAll("/opt/gate", "/usr/gate"), states())).toBe("changed");
  });

  test("what is switched off does not run, however trusted", () => {
    expect(codexTrust(path, hooks, states({}, "enabled = false\n"))).toBe("off");
    expect(codexTrust(path, hooks, `[features]\nhooks = false\n${states()}`)).toBe("off");
    expect(codexTrust(path, hooks, `[features]\ncodex_hooks = false\n${states()}`)).toBe("off");
  });

  test("a project's hooks are read in trusted projects only", () => {
    const config = '[projects."/src/shop"]\ntrust_level = "trusted"\n[projects."/src/x"]\ntrust_level = "untrusted"\n';
    expect(["/src/shop", "/src/x", "/src"].map(folder => isTrustedProject(config, folder))).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("no hooks, or settings of another shape, are never trusted", () => {
    for (const text of ["", "{", "[]", '{"hooks":[]}', '{"hooks":{"PreToolUse":{}}}'])
      expect([text, codexTrust(path, text, states())]).toEqual([text, "untrusted"]);
  });
});
