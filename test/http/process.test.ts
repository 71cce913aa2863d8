import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runProgram, startProgram } from "../target.ts";

const data = mkdtempSync(join(tmpdir(), "gatehouse-process-"));
afterAll(() => rmSync(data, { recursive: true, force: true }));
const env = { GATEHOUSE_DATA: data, GATEHOUSE_PORT: "0", GATEHOUSE_LOG_LEVEL: "error" };

test("--help lists every setting and exits 0; an unknown command, flag or value is one clear sentence", async () => {
  const [help, command, flag, value] = await Promise.all([
    runProgram(["serve", "--help"], { env }),
    runProgram(["sevre"], { env }),
    runProgram(["serve", "--prot", "1"], { env }),
    runProgram(["serve"], { env: { ...env, GATEHOUSE_PORT: "eight" } }),
  ]);
  expect([help.code, help.out]).toEqual([0, expect.stringContaining("GATEHOUSE_TRUSTED_PROXIES")]);
  expect([command.code, command.err]).toEqual([2, expect.stringContaining('no command "sevre"')]);
  expect([flag.code, flag.err]).toEqual([2, expect.stringContaining("--prot")]);
  expect([value.code, value.err]).toEqual([1, expect.stringContaining("GATEHOUSE_PORT")]);
  for (const { err } of [command, flag, value]) expect(err.trim().split("\n").length).toBe(1);
});

test("first run: the address and the set-up code are printed; one writer a directory; SIGTERM ends it cleanly", async () => {
  const server = startProgram([], { env });
  const [, url, code] = await server.said(/^Gatehouse is ready at (http:\/\/127\.0\.0\.1:\d+)\n.*enter the code (\S+)/);
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
  const { organisation } = (await made.json()) as { organisation: object };
  expect([made.status, organisation]).toMatchObject([201, { name: "Acme", role: "admin" }]);
  expect((await found({ ...entry, code })).status).toBe(409);

  const second = await runProgram(["serve"], { env });
  expect([second.code, second.err]).toEqual([1, expect.stringContaining("Another Gatehouse is running")]);
  const rebuilding = await runProgram(["rebuild"], { env });
  expect([rebuilding.code, rebuilding.err]).toEqual([1, expect.stringContaining("Another Gatehouse is running")]);

  const elsewhere = { ...env, GATEHOUSE_DATA: join(data, "elsewhere"), GATEHOUSE_PORT: new URL(url!).port };
  const third = await runProgram(["serve"], { env: elsewhere });
  expect([third.code, third.out, third.err]).toEqual([1, "", expect.stringMatching(/^gatehouse: .*\n$/)]);

  server.kill("SIGTERM");
  expect(await server.exited).toBe(0);
  const rebuilt = await runProgram(["rebuild"], { env });
  expect([rebuilt.code, rebuilt.out]).toEqual([0, expect.stringMatching(/^Acme \(org_\S+\): \d+ entries\n$/)]);
});
