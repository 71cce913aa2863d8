import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { binary } from "../target.ts";
import type { Desk } from "./play.ts";

/** Ways a hook can fail that the program itself never chooses. */
export const faults = {
  crash: "exit 1",
  hang: "exec sleep 60",
  refuse: "echo refused >&2; exit 2",
} as const;
export type Fault = keyof typeof faults | "missing";

/** Installs the hooks of `client`, then puts something that fails before every tool call in the place of the program. */
export async function installBroken(desk: Desk, client: string, fault: Fault): Promise<void> {
  const { files } = JSON.parse(await desk.gatehouse("install", client, "--json")) as { files: { path: string }[] };
  const standIn = join(desk.home, fault);
  if (fault !== "missing") writeFileSync(standIn, script(faults[fault]));
  if (fault !== "missing") chmodSync(standIn, 0o755);
  for (const { path } of files) writeFileSync(path, readFileSync(path, "utf8").replaceAll(binary, standIn));
}

/** Other hooks are answered, so that only the one before a tool is seen to fail. */
const script = (fault: string): string => `#!/bin/sh
payload=$(cat)
case "$* $payload" in
  *PreToolUse*|*preToolUse*|*BeforeTool*|*'"ev":"before"'*) ${fault} ;;
esac
echo '{}'
`;
