import { childProcess } from "../../builtin.ts";
import { type Home, readCredentials, readJson } from "../../client/home.ts";
import { thisProgram } from "../program.ts";
import type { Spool } from "./spool.ts";

/** How long events may be gathered before they are sent, as the organisation wants it. */
export const flushMs = (home: Home): number =>
  readJson<{ config?: { events?: { flush_ms?: number } } }>(home.policy)?.config?.events?.flush_ms ?? 2000;

/** Sends what waits, renews the policy and reports in, in a process nobody waits for; at most one at a time. */
export function sendInBackground(home: Home, spool: Spool, now_ms: number, cwd: string): void {
  if (readCredentials(home) && spool.claim("background", now_ms, flushMs(home)))
    startDetached(["heartbeat", "--background"], process.env, cwd);
}

/** A process of this program that outlives this one. One that cannot start is not missed: the next call tries again. */
export function startDetached(args: readonly string[], env: Record<string, string | undefined>, cwd: string): void {
  const { path, args: own } = thisProgram();
  const all = [...own, ...args];
  const options = { detached: true, env, cwd };
  try {
    if ("Bun" in globalThis) Bun.spawn([path, ...all], { ...options, stdio: ["ignore", "ignore", "ignore"] }).unref();
    else
      childProcess()
        .spawn(path, all, { ...options, stdio: "ignore" })
        .on("error", () => undefined)
        .unref();
  } catch {}
}
