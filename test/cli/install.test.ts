import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run as doctor } from "../../src/cli/doctor.ts";
import { run as heartbeat } from "../../src/cli/heartbeat.ts";
import { run as install } from "../../src/cli/install.ts";
import { run as uninstall } from "../../src/cli/uninstall.ts";
import { ourHandlers } from "../../src/client/install/codex-trust.ts";
import { useLaptop } from "./laptop.ts";

const laptop = useLaptop();
const { call } = laptop;

describe("install and doctor", () => {
  const settings = () => join(laptop.folder, ".claude", "settings.json");

  test("install merges, backs up once, is the same when run again; uninstall restores", async () => {
    mkdirSync(join(laptop.folder, ".claude"));
    writeFileSync(settings(), '{"model": "opus"}\n');
    expect((await call(install, ["claude-code", "--dry-run"])).code).toBe(0);
    expect(readFileSync(settings(), "utf8")).toBe('{"model": "opus"}\n');
    expect((await call(install, ["claude-code"])).out).toContain("merged");
    const once = readFileSync(settings(), "utf8");
    expect((await call(install, ["claude-code"])).out).toContain("already installed");
    expect(readFileSync(settings(), "utf8")).toBe(once);
    expect(readFileSync(`${settings()}.before-gatehouse`, "utf8")).toBe('{"model": "opus"}\n');
    expect((await call(uninstall, ["claude-code", "--dry-run"])).out).toContain("hook taken out");
    expect(readFileSync(settings(), "utf8")).toBe(once);
    await call(uninstall, ["claude-code"]);
    expect(readFileSync(settings(), "utf8")).toBe('{"model": "opus"}\n');
    expect(existsSync(`${settings()}.before-gatehouse`)).toBe(false);
  });

  test("what was written into the file since stays when the hook goes", async () => {
    mkdirSync(join(laptop.folder, ".claude"));
    writeFileSync(settings(), '{"model": "opus"}\n');
    await call(install, ["claude-code"]);
    writeFileSync(settings(), readFileSync(settings(), "utf8").replace("opus", "haiku"));
    await call(uninstall, ["claude-code"]);
    expect(JSON.parse(readFileSync(settings(), "utf8"))).toEqual({ model: "haiku" });
    expect(existsSync(`${settings()}.before-gatehouse`)).toBe(true);
  });

  test("a broken settings file is named with its line and left as it is", async () => {
    mkdirSync(join(laptop.folder, ".claude"));
    writeFileSync(settings(), '{\n  "model": opus\n}\n');
    for (const verb of [install, uninstall])
      expect(await call(verb, ["claude-code"])).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${settings()}: not valid JSON (line 2`),
      });
    expect(readFileSync(settings(), "utf8")).toBe('{\n  "model": opus\n}\n');
  });

  interface Told {
    about: string;
    state: string;
    says: string;
  }
  const examine = async (env = {}) => {
    let examined: Awaited<ReturnType<typeof call>>;
    // Where the machine was too busy for a hook to answer in its time, look again.
    do examined = await call(doctor, ["--json"], "", env);
    while (examined.out.includes("no verdict within"));
    const { code, out } = examined;
    const told = JSON.parse(out) as { findings: Told[]; holes: Record<string, string[]> };
    const of = (about: string, says: string) =>
      told.findings.find(each => each.about === about && each.says.includes(says))?.state;
    return { code, of, ...told };
  };

  test("doctor puts a dangerous and a harmless call to the hook, and sees a hook that was changed", async () => {
    await call(install, ["claude-code"]);
    const first = await examine();
    expect([
      first.of("claude-code", "refuses a dangerous call"),
      first.of("claude-code", "lets a harmless one go"),
      first.of("claude-code", "not called the hook yet"),
    ]).toEqual(["ok", "ok", "warn"]);
    expect(first.holes["claude-code"]!.length).toBeGreaterThan(0);
    writeFileSync(settings(), readFileSync(settings(), "utf8").replace('"matcher": "*"', '"matcher": "Write"'));
    const changed = await examine();
    expect([changed.code, changed.of("claude-code", "was changed")]).toEqual([3, "bad"]);
  }, 120_000);

  test("doctor sees that an agent is set to run no hooks", async () => {
    await call(install, ["claude-code"]);
    writeFileSync(settings(), readFileSync(settings(), "utf8").replace("{", '{ "disableAllHooks": true,'));
    const { code, of } = await examine();
    expect([code, of("claude-code", "runs no hooks: disableAllHooks is set in ~/.claude/settings.json")]).toEqual([
      3,
      "bad",
    ]);
  }, 120_000);

  test("doctor reads in Codex's own settings whether it trusts the hook", async () => {
    await call(install, ["codex"]);
    expect((await examine()).of("codex", "not trusted yet")).toBe("bad");
    const hooks = join(laptop.folder, ".codex", "hooks.json");
    const states = ourHandlers(readFileSync(hooks, "utf8")).map(
      ({ place, hash }) => `[hooks.state."${hooks}:${place}"]\ntrusted_hash = "${hash}"\n`,
    );
    const config = join(laptop.folder, ".codex", "config.toml");
    writeFileSync(config, states.join(""));
    expect((await examine()).of("codex", "trusts the hook")).toBe("ok");
    writeFileSync(config, states.join("").replaceAll(/sha256:./g, "sha256:_"));
    expect((await examine()).of("codex", "has changed since")).toBe("bad");
  }, 120_000);

  test("an agent whose folder a variable has moved is set, examined and restored there", async () => {
    const moved = join(laptop.folder, "elsewhere");
    const env = { CODEX_HOME: moved };
    await call(install, ["codex"], "", env);
    expect(existsSync(join(moved, "hooks.json"))).toBe(true);
    expect(existsSync(join(laptop.folder, ".codex"))).toBe(false);
    expect((await examine(env)).of("codex", "not trusted yet")).toBe("bad");
    await call(uninstall, ["codex"], "", env);
    expect(existsSync(join(moved, "hooks.json"))).toBe(false);
  }, 120_000);

  test("what is not understood is 2, what cannot be done 1", async () => {
    expect((await call(install, ["emacs"])).code).toBe(2);
    expect((await call(install, ["claude-code", "--scope", "galaxy"])).code).toBe(2);
    expect((await call(install, ["opencode", "--scope", "managed"])).code).toBe(1);
    expect((await call(install, ["windsurf", "--scope", "managed"])).code).toBe(1);
    expect((await call(heartbeat, [])).code).toBe(1);
  });
});
