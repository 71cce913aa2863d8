import { chmodSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { homeOf } from "../../client/home.ts";
import { isClient } from "../../hooks/index.ts";
import { compileAsUsual } from "../program.ts";
import { answerTo, type Means } from "./answer.ts";
import { sendInBackground } from "./background.ts";
import { keptJudge } from "./judge.ts";
import type { Question } from "./question.ts";
import { residentSocket } from "./resident.ts";
import { openSpool } from "./spool.ts";

export interface HostOptions {
  env: Record<string, string | undefined>;
  socket: string;
  /** Ends after so long without a call. */
  idle_ms: number;
  /** Ends after so long in any case; the next hook starts another. */
  life_ms: number;
  /** How often it looks whether its time has come. */
  look_ms: number;
}

const bodyMax = 16 * 1024 * 1024;

/** Answers hooks over a socket until nobody calls any more or another has taken its place. */
export async function hostJudge({ env, socket, idle_ms, life_ms, look_ms }: HostOptions): Promise<void> {
  const home = homeOf(env);
  const spool = openSpool(home);
  const judge = keptJudge(home);
  const started = Date.now();
  let last = started;
  const answer = async (request: Request): Promise<Response> => {
    last = Date.now();
    const question = (await request.json()) as Question;
    if (question.user !== home.user || !isClient(question.client)) return new Response(null, { status: 404 });
    const means: Means = {
      env,
      home,
      judge,
      spool: work => work(spool),
      kept: (_, now_ms) => sendInBackground(home, spool, now_ms, question.cwd),
    };
    return Response.json(await answerTo(question, means));
  };
  // Before anybody asks: the first verdict is the one that makes everything ready.
  judge(started).judge({ type: "shell", command: "true" });
  const listener = takePlace(socket, answer);
  const unchanged = unchangedFiles(socket, process.execPath, home.spool);
  await new Promise<void>(done => {
    const look = setInterval(() => {
      const now = Date.now();
      if (unchanged() && now - last < idle_ms && now - started < life_ms) return;
      clearInterval(look);
      done();
    }, look_ms);
  });
  await listener.stop();
  spool.close();
}

/** False once the place was taken by another, or program or spool were replaced: then the next hook starts a new one. */
function unchangedFiles(...paths: string[]): () => boolean {
  const stamps = () =>
    paths.map(path => {
      const stat = statSync(path, { throwIfNoEntry: false });
      return stat ? `${stat.ino} ${stat.birthtimeMs}` : "";
    });
  const before = stamps().join();
  return () => stamps().join() === before;
}

/** Bound beside and renamed: whoever comes later takes the place in one step, and who was there before sees it. */
function takePlace(socket: string, fetch: (request: Request) => Promise<Response>) {
  const folder = dirname(socket);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const beside = `${socket}.${process.pid}`;
  rmSync(beside, { force: true });
  const listener = Bun.serve({
    unix: beside,
    maxRequestBodySize: bodyMax,
    development: false,
    fetch,
    error: () => new Response(null, { status: 500 }),
  });
  renameSync(beside, socket);
  return listener;
}

const usual = { idle_ms: 10 * 60_000, life_ms: 8 * 3_600_000, look_ms: 2000 };

/** `gatehouse hook --resident`: started by hooks, not by people. */
export async function runResident(env: HostOptions["env"]): Promise<number> {
  const socket = residentSocket(env);
  if (!socket) return 1;
  compileAsUsual();
  await hostJudge({ env, socket, ...usual });
  return 0;
}
