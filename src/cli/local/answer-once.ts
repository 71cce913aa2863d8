import { homeOf } from "../../client/home.ts";
import type { Answer, Client } from "../../hooks/dialect.ts";
import { answerTo, failure } from "./answer.ts";
import { sendInBackground, startDetached } from "./background.ts";
import { openSpool } from "./spool.ts";

export interface Question {
  client: Client;
  hook?: string | undefined;
  /** What the agent sent, or why it could not be read. */
  payload: string | Error;
  nonce: string;
}

type Env = Record<string, string | undefined>;

/** How long a resident gets to come up before another hook may start one. */
const comingUp_ms = 5000;

/** The answer to one call, by a process that ends with it. With a socket, a resident is started for the calls to come. */
export async function answerOnce(
  { client, hook, payload, nonce }: Question,
  env: Env,
  socket: string | undefined,
): Promise<Answer> {
  const home = homeOf(env);
  if (payload instanceof Error) return failure(home, payload);
  return answerTo(
    { client, hook, payload, nonce },
    {
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
        if (socket && spool.claim("resident", now_ms, comingUp_ms))
          startDetached(["hook", "--resident"], residentEnv(env), home.folder);
      },
    },
  );
}

const kept =
  /^(HOME|PATH|TMPDIR|LANG|LC_.*|GATEHOUSE_.*|(https?|all|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_(FILE|DIR))$/i;

/** The resident serves every agent: what one agent's session set (LD_PRELOAD, NODE_OPTIONS …) must not reach it. */
const residentEnv = (env: Env): Env => Object.fromEntries(Object.entries(env).filter(([name]) => kept.test(name)));
