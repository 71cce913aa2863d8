import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { run as doctor } from "../../src/cli/doctor.ts";
import { run as heartbeat } from "../../src/cli/heartbeat.ts";
import { run as install } from "../../src/cli/install.ts";
import { run as uninstall } from "../../src/cli/uninstall.ts";
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
    await call(uninstall, ["claude-code"]);
    expect(JSON.parse(readFileSync(settings(), "utf8"))).toEqual({ model: "opus" });
  });

  test("doctor puts a dangerous call to the hook, and sees a hook that was changed", async () => {
    await call(install, ["claude-code"]);
    const first = JSON.parse((await call(doctor, ["--json"])).out);
    expect(first.findings.find((each: { says: string }) => each.says.includes("refuses a dangerous call"))?.state).toBe(
      "ok",
    );
    expect(first.findings.find((each: { says: string }) => each.says.includes("not called the hook yet"))?.state).toBe(
      "warn",
    );
    expect(first.holes["claude-code"].length).toBeGreaterThan(0);
    writeFileSync(settings(), readFileSync(settings(), "utf8").replace('"matcher": "*"', '"matcher": "Write"'));
    const changed = await call(doctor, ["--json"]);
    expect(changed.code).toBe(3);
    expect(
      JSON.parse(changed.out).findings.find((each: { says: string }) => each.says.includes("was changed"))?.state,
    ).toBe("bad");
  }, 20_000);

  test("what is not understood is 2, what cannot be done 1", async () => {
    expect((await call(install, ["emacs"])).code).toBe(2);
    expect((await call(install, ["claude-code", "--scope", "galaxy"])).code).toBe(2);
    expect((await call(install, ["cursor", "--scope", "managed"])).code).toBe(1);
    expect((await call(install, ["windsurf", "--scope", "managed"])).code).toBe(1);
    expect((await call(heartbeat, [])).code).toBe(1);
  });
});
