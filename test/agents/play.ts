import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { binary, root } from "../target.ts";
import { type Agent, agents, type Place } from "./agents.ts";
import { type Step, startModel } from "./model-server.ts";

/**
 * One run of a real coding agent against a model of our own. They are large, and nothing but npm is reached:
 * `GATEHOUSE_AGENTS` picks some, `GATEHOUSE_AGENTS_DIR` keeps the installations for the next time.
 */
const kept = process.env["GATEHOUSE_AGENTS_DIR"];
const base = mkdtempSync(join(tmpdir(), "agents-"));
const killed_after_ms = 90_000;

export const wanted: readonly string[] = (process.env["GATEHOUSE_AGENTS"] ?? Object.keys(agents).join(",")).split(",");

export function build(): void {
  const built = spawnSync("node", [join(root, "scripts", "build.mjs")], { encoding: "utf8" });
  if (built.status !== 0) throw new Error(built.stderr);
}

export const clear = (): void => rmSync(base, { recursive: true, force: true });

/** A home and a folder to work in, with what the agent needs to know of the model and the MCP server. */
export interface Desk extends Place {
  env: Record<string, string>;
  /** Runs the program under test as a person would. */
  gatehouse(...args: string[]): Promise<string>;
}

export interface Played {
  /** What the agent printed, for whoever has to find out why. */
  output: string;
  took_ms: number;
  /** Files the shell commands of the plan made. */
  made: (name: string) => boolean;
  /** Paths the MCP server was asked to read. */
  read: string[];
}

/** Runs the agent once through `plan`. `prepare` installs hooks, enrols, or breaks something. */
export async function play(
  name: string,
  plan: readonly Step[],
  prepare: (desk: Desk) => void | Promise<void> = () => undefined,
  agent: Agent = agents[name]!,
): Promise<Played & { desk: Desk }> {
  const path = program(name, agent);
  const model = await startModel(plan);
  try {
    const desk = deskFor(name, agent, model.url);
    await prepare(desk);
    const started = Date.now();
    const { said } = await finished(path, agent.args(desk), desk.work, desk.env);
    return {
      desk,
      output: said,
      took_ms: Date.now() - started,
      made: file => existsSync(join(desk.work, file)),
      read: existsSync(desk.noted) ? readFileSync(desk.noted, "utf8").trim().split("\n") : [],
    };
  } finally {
    model.close();
  }
}

function deskFor(name: string, agent: Agent, url: string): Desk {
  const folder = mkdtempSync(join(base, `${name}-`));
  const place: Place = { home: join(folder, "home"), work: join(folder, "work"), noted: join(folder, "noted"), url };
  for (const path of [place.home, place.work]) mkdirSync(path);
  for (const [path, text] of Object.entries(agent.files?.(place) ?? {})) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  const env = { PATH: process.env["PATH"]!, HOME: place.home, TERM: "dumb", CI: "1", ...(agent.env?.(place) ?? {}) };
  const gatehouse = async (...args: string[]) => {
    const { code, said } = await finished(binary, args, place.work, env);
    if (code !== 0) throw new Error(`gatehouse ${args.join(" ")}: ${said}`);
    return said;
  };
  return { ...place, env, gatehouse };
}

function program(name: string, agent: Agent): string {
  const folder = join(kept ?? base, name);
  const path = join(folder, "node_modules", ".bin", agent.bin);
  if (existsSync(path)) return path;
  mkdirSync(folder, { recursive: true });
  const args = ["i", "--no-audit", "--no-fund", "--prefix", folder, agent.package];
  const run = spawnSync("npm", args, { encoding: "utf8" });
  if (run.status !== 0) throw new Error(run.stderr);
  return path;
}

interface Finished {
  code: number | null;
  said: string;
}

function finished(path: string, args: string[], cwd: string, env: Record<string, string>): Promise<Finished> {
  return new Promise(done => {
    const run = spawn(path, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
    let said = "";
    for (const stream of [run.stdout, run.stderr]) stream.on("data", chunk => void (said += chunk));
    // Its own process group, so that nothing of it stays behind.
    const timer = setTimeout(() => process.kill(-run.pid!, "SIGKILL"), killed_after_ms);
    run.once("close", code => (clearTimeout(timer), done({ code, said })));
  });
}
