import { homeOf } from "../../client/home.ts";
import type { Answer } from "../../hooks/dialect.ts";
import type { Io } from "../io.ts";
import { answerTo } from "./answer.ts";
import { sendInBackground, startDetached } from "./background.ts";
import type { Question } from "./question.ts";
import { residentSocket } from "./resident.ts";
import { openSpool } from "./spool.ts";

/** How long a resident gets to come up before another hook may start one. */
const comingUp_ms = 5000;

/** The answer to one call, by a process that ends with it. Where there can be one, a resident is started for the calls to come. */
export function answerOnce(question: Question, env: Io["env"]): Promise<Answer> {
  const home = homeOf(env);
  return answerTo(question, {
    env,
    home,
    judge: async now_ms => (await import("./judge.ts")).openJudge(home, now_ms),
    spool(work) {
      const spool = openSpool(home);
      try {
        return work(spool);
      } finally {
        spool.close();
      }
    },
    kept(spool, now_ms) {
      if (env["GATEHOUSE_BACKGROUND"] === "0") return;
      sendInBackground(home, spool, now_ms, process.cwd());
      if (residentSocket(env) && spool.claim("resident", now_ms, comingUp_ms))
        startDetached(["hook", "--resident"], residentEnv(env), home.folder);
    },
  });
}

/** `gatehouse hook --judge`: started by a hook that no resident answered, with its question on standard input. */
export async function runJudge(io: Io): Promise<number> {
  const question = JSON.parse(await io.stdin()) as Question;
  io.out(JSON.stringify(await answerOnce(question, io.env)));
  return 0;
}

const kept =
  /^(HOME|PATH|TMPDIR|LANG|LC_.*|GATEHOUSE_.*|(https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

/** The resident serves every agent: what one agent's session set (LD_PRELOAD, NODE_OPTIONS …) must not reach it. */
const residentEnv = (env: Io["env"]): Io["env"] =>
  Object.fromEntries(Object.entries(env).filter(([name]) => kept.test(name)));
