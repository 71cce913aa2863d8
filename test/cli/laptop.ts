import { afterAll, afterEach, beforeAll, beforeEach } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run as hook } from "../../src/cli/hook.ts";
import type { Run } from "../../src/cli/io.ts";
import { run as login } from "../../src/cli/login.ts";
import { createWorld, type World } from "../world.ts";

/** A home of its own for every test of a file, and the commands as its owner runs them, within this process. */
export function useLaptop() {
  let folder: string;
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "cli-"))));
  afterEach(() => rmSync(folder, { recursive: true }));
  const own = (name: string) => join(folder, ".gatehouse", name);
  const readOwn = (name: string) => JSON.parse(readFileSync(own(name), "utf8"));
  const laptop = {
    get folder() {
      return folder;
    },
    /** A file of `~/.gatehouse`. */
    own,
    readOwn,
    writeOwn(name: string, change: (value: never) => unknown) {
      writeFileSync(own(name), JSON.stringify(change(readOwn(name) as never)));
    },
    async call(run: Run, args: string[], stdin: unknown = "", env: Record<string, string> = {}) {
      const [out, err]: [string[], string[]] = [[], []];
      const text = typeof stdin === "string" ? stdin : JSON.stringify(stdin);
      const code = await run(args, {
        env: { HOME: folder, GATEHOUSE_BACKGROUND: "0", NO_COLOR: "1", ...env },
        out: line => void out.push(line),
        err: line => void err.push(line),
        stdin: async () => text,
        patience: { patience_ms: 60_000, dead_ms: 120_000 },
      });
      return { code, out: out.join("\n"), err: err.join("\n") };
    },
    /** What Claude Code sends before it runs `command`. */
    bash: (command: string, tool_use_id = "t1") => ({
      hook_event_name: "PreToolUse",
      session_id: "cli",
      cwd: folder,
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id,
    }),
    /** What its hook answers: `deny`, `ask`, or `none` where nothing is decided. */
    async judge(command: string, tool_use_id?: string): Promise<string> {
      const { out } = await laptop.call(hook, ["claude-code"], laptop.bash(command, tool_use_id));
      return JSON.parse(out).hookSpecificOutput?.permissionDecision ?? "none";
    },
  };
  return laptop;
}
export type Laptop = ReturnType<typeof useLaptop>;

/** A server with one organisation for all tests of a file, and the road from a laptop to it. */
export function useOrganisation({ call }: Laptop) {
  let world: World;
  let admin: string;
  beforeAll(async () => {
    world = await createWorld();
    admin = await world.admin();
  });
  afterAll(() => world.close());
  const ask = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    world.call(method, `/api${path}`, { token: admin, headers, ...(body === undefined ? {} : { body }) });
  return {
    /** As the organisation's admin. */
    ask,
    async enrol() {
      const key = (await ask("POST", "/auth/enrolment-keys", { name: "test", uses: 1 })).json;
      const result = await call(login, [world.url, "--name", "laptop", "--key", key.key ?? key.token, "--json"]);
      if (result.code !== 0) throw new Error(result.err);
      return JSON.parse(result.out) as { agent: { id: string }; policy_version: number };
    },
    async events(agent: string) {
      const { json } = await ask("GET", `/audit?agent_id=${agent}&limit=200`);
      return json.items as { type: string; id: string; decision?: string }[];
    },
  };
}
