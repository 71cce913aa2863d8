import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The program as people start it. */
const main = join(import.meta.dirname, "../../src/main.ts");

function start(args: string[], env: Record<string, string> = {}) {
  const data = mkdtempSync(join(tmpdir(), "gatehouse-process-"));
  const child = Bun.spawn([process.execPath, main, ...args], {
    env: {
      PATH: process.env["PATH"] ?? "",
      GATEHOUSE_DATA: data,
      GATEHOUSE_PORT: "0",
      GATEHOUSE_LOG_LEVEL: "error",
      ...env,
    },
    stdout: "pipe",
    stderr: "pipe",
  });
  const done = async (out = new Response(child.stdout).text()) => {
    const [said, err, code] = await Promise.all([out, new Response(child.stderr).text(), child.exited]);
    rmSync(data, { recursive: true, force: true });
    return { out: said, err, code };
  };
  return { child, data, done };
}

test("--help lists every setting and exits 0; an unknown command, flag or value is one clear sentence", async () => {
  const [help, command, flag, value] = await Promise.all([
    start(["serve", "--help"]).done(),
    start(["sevre"]).done(),
    start(["serve", "--prot", "1"]).done(),
    start([], { GATEHOUSE_PORT: "eight" }).done(),
  ]);
  expect([help.code, help.out]).toEqual([0, expect.stringContaining("GATEHOUSE_TRUSTED_PROXIES")]);
  expect([command.code, command.err]).toEqual([2, expect.stringContaining('no command "sevre"')]);
  expect([flag.code, flag.err]).toEqual([1, expect.stringContaining("--prot")]);
  expect([value.code, value.err]).toEqual([1, expect.stringContaining("GATEHOUSE_PORT")]);
  for (const { err } of [command, flag, value]) expect(err.trim().split("\n").length).toBe(1);
});

test("first run: one line with the address, one with the set-up code; SIGTERM ends it cleanly", async () => {
  const { child, done } = start([]);
  const reader = child.stdout.getReader();
  let text = "";
  while (!text.includes("code")) text += new TextDecoder().decode((await reader.read()).value);
  const [, url] = /^Gatehouse is ready at (http:\/\/127\.0\.0\.1:\d+)\n/.exec(text)!;
  const [, code] = /enter the code (\S+)/.exec(text)!;
  reader.releaseLock();
  expect(await (await fetch(`${url}/api/health`)).json()).toMatchObject({ status: "pass" });
  const found = (body: object) =>
    fetch(`${url}/api/auth/setup`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const entry = { email: "ada@example.com", password: "correct horse battery", organisation: "Acme" };
  expect((await found({ ...entry, code: "WRONG-CODE" })).status).toBe(401);
  const made = await found({ ...entry, code });
  expect([made.status, ((await made.json()) as { organisation: object }).organisation]).toMatchObject([
    201,
    { name: "Acme", role: "admin" },
  ]);
  expect((await found({ ...entry, code })).status).toBe(409);
  child.kill("SIGTERM");
  expect((await done(Promise.resolve(text))).code).toBe(0);
});
