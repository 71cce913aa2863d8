import { spawn } from "node:child_process";
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

/** A process of this program that outlives this one. */
export function startDetached(args: readonly string[], env: Record<string, string | undefined>, cwd: string): void {
  const { path, args: own } = thisProgram();
  spawn(path, [...own, ...args], { detached: true, stdio: "ignore", env, cwd })
    .on("error", () => undefined)
    .unref();
}
