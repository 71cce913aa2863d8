import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { homeOf } from "../../client/home.ts";
import { writePolicy } from "../../../test/hooks/signed-policy.ts";
import { hostJudge } from "./judge-host.ts";
import type { Question } from "./question.ts";
import { askResident } from "./resident.ts";
import { openSpool } from "./spool.ts";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "judge-"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const env = () => ({ HOME: folder, GATEHOUSE_BACKGROUND: "0" });
const socket = () => join(folder, ".gatehouse", "judge", "j.sock");
const host = (times: { idle_ms?: number; life_ms?: number } = {}) =>
  hostJudge({ env: env(), socket: socket(), idle_ms: 60_000, life_ms: 60_000, look_ms: 5, ...times });
const question = (command: string, change: Partial<Question> = {}): Question => ({
  client: "claude-code",
  payload: JSON.stringify({ hook_event_name: "PreToolUse", tool_name: "Bash", tool_input: { command }, cwd: folder }),
  nonce: `n${Math.random()}`,
  user: folder,
  cwd: folder,
  ...change,
});
const ask = (command: string, change?: Partial<Question>) =>
  askResident(socket(), question(command, change), AbortSignal.timeout(10_000));
const depth = () => {
  const spool = openSpool(homeOf(env()));
  try {
    return spool.depth();
  } finally {
    spool.close();
  }
};

test("answers many hooks, keeps their events, and ends when its socket is gone", async () => {
  const ended = host();
  expect((await ask("rm -rf /"))!.stdout).toContain('"permissionDecision":"deny"');
  expect(await ask("git status")).toEqual({ stdout: "{}\n", stderr: "", exit: 0 });
  expect((await ask("", { payload: "{ not JSON" }))!.exit).toBe(2);
  expect(depth()).toBe(2);
  rmSync(socket());
  await ended;
  expect(await ask("git status")).toBeUndefined();
});

test("the same call told twice is one event", async () => {
  const ended = host();
  await ask("ls", { nonce: "same" });
  await ask("ls", { nonce: "same" });
  expect(depth()).toBe(1);
  rmSync(socket());
  await ended;
});

test("ends after idle time and after its life", async () => {
  await host({ idle_ms: 20 });
  const started = performance.now();
  const ended = host({ life_ms: 60 });
  const asking = setInterval(() => void ask("ls"), 10);
  await ended;
  clearInterval(asking);
  expect(performance.now() - started).toBeGreaterThanOrEqual(60);
});

test("whoever comes later takes the place, and the one before goes", async () => {
  const first = host();
  const second = host();
  await first;
  expect(await ask("git status")).toBeDefined();
  expect(readdirSync(join(folder, ".gatehouse", "judge")).filter(name => name.endsWith(".sock"))).toEqual(["j.sock"]);
  rmSync(socket());
  await second;
});

test("is not asked where others could have put it, nor for somebody else's home or an unknown agent", async () => {
  const ended = host();
  chmodSync(join(folder, ".gatehouse", "judge"), 0o770);
  expect(await ask("rm -rf /")).toBeUndefined();
  chmodSync(join(folder, ".gatehouse", "judge"), 0o700);
  expect(await ask("rm -rf /", { user: "/home/other" })).toBeUndefined();
  expect(await ask("rm -rf /", { client: "nobody" as "kiro" })).toBeUndefined();
  expect(await ask("rm -rf /")).toBeDefined();
  rmSync(socket());
  await ended;
});

test("a policy counts from the call after it was written, an unsigned one never", async () => {
  const ended = host();
  expect(await judged("rm -rf /")).toBe("deny");
  writePolicy(folder, { mode: "audit-only" });
  expect(await judged("rm -rf /")).toBe("none");
  writePolicy(folder);
  expect(await judged("rm -rf /")).toBe("deny");
  writePolicy(folder, { mode: "audit-only", signature: () => Buffer.alloc(64) });
  expect(await judged("rm -rf /")).toBe("deny");
  rmSync(socket());
  await ended;
});

const judged = async (command: string): Promise<string> =>
  JSON.parse((await ask(command))!.stdout).hookSpecificOutput?.permissionDecision ?? "none";
