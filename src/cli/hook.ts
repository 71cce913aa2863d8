import { type Answer, type Client, clients } from "../hooks/dialect.ts";
import type { Env } from "../client/folder.ts";
import { compiled } from "../compiled.ts";
import type { Io, Run } from "./io.ts";
import type { Question } from "./local/question.ts";
import { askResident, residentSocket } from "./local/resident.ts";
import { answerInTime, type Watch } from "./local/watchdog.ts";

const USAGE = `Usage: gatehouse hook <agent> [event]

What agents run at each tool call: reads the agent's JSON on standard input, answers in the agent's own form, and keeps the
event for the server. The verdict needs no network. Exit code 2 refuses where an answer could not be given.
Hooks keep one process of this program ready to judge, for ten minutes after the last call.
GATEHOUSE_BACKGROUND=0 starts no process that stays, neither for that nor to send events and renew the policy: run
\`gatehouse heartbeat\` yourself then.`;

/** All agents' timeouts are longer; almost all of them let the call through when their hook takes too long. */
const agents = { patience_ms: 800, dead_ms: 2000 };
/** A resident that takes longer is not waited for alone. */
const residentPatience_ms = 350;
const payloadMax = 4 * 1024 * 1024;

/**
 * What every call runs is not `async`: the executable holds no bytecode of what is inside such a function, and compiling it takes
 * longer (0.3 ms each) than running it.
 */
export const run: Run = ([client = "", hook], io) => {
  if (!isClient(client)) return noCall(client, io);
  const watch: Watch = {
    ...(io.patience ?? agents),
    unanswered: async why => (await import("./local/failure.ts")).failure(io.env, why),
    die: () => dead(io),
  };
  const answer = (late: AbortSignal) => io.stdin().then(payload => answerFor({ client, hook, payload }, io.env, late));
  return answerInTime(watch, answer).then(said => say(said, io));
};

const isClient = (name: string): name is Client => (clients as readonly string[]).includes(name);

async function noCall(word: string, io: Io): Promise<number> {
  if (word === "--help" || word === "-h") return (io.out(USAGE), 0);
  if (word === "--resident") return (await import("./local/judge-host.ts")).runResident(io.env);
  if (word === "--judge") return (await import("./local/answer-once.ts")).runJudge(io);
  return (
    io.err(
      `gatehouse: ${word ? `${word.slice(0, 40)} is not an agent Gatehouse knows` : "the name of the agent is missing"}.\n${USAGE}`,
    ),
    2
  );
}

function say({ stdout, stderr, exit }: Answer, io: Io): number {
  if (stdout) io.out(stdout.trimEnd());
  if (stderr) io.err(stderr.trimEnd());
  return exit;
}

/** The resident's answer, else one made where everything has to be loaded first. One call is one event, whoever keeps it. */
function answerFor(call: Pick<Question, "client" | "hook" | "payload">, env: Env, late: AbortSignal): Promise<Answer> {
  if (call.payload.length > payloadMax) throw new Error("the payload is larger than 4 MiB");
  const question = { ...call, nonce: crypto.randomUUID(), user: env["HOME"] ?? "", cwd: process.cwd() };
  const socket = residentSocket(env);
  if (!socket) return askOwn(question, env, late);
  const resident = askResident(socket, question, late);
  // Whoever is first: on a busy machine that may still be the resident.
  const whoever = (own: Promise<Answer>) => Promise.race([own, resident.then(answer => answer ?? own)]);
  const inTime = Promise.race([resident, sleep(residentPatience_ms)]);
  return inTime.then(answer => answer ?? whoever(askOwn(question, env, late)));
}

const askOwn = async (question: Question, env: Env, late: AbortSignal): Promise<Answer> =>
  compiled ? askJudge(question, late) : (await import("./local/answer-once.ts")).answerOnce(question, env);

const sleep = (ms: number): Promise<undefined> => new Promise(resolve => setTimeout(resolve, ms, undefined));

/** A process of its own can be given up whatever it does; one's own thread, while it works or waits, cannot. */
async function askJudge(question: Question, late: AbortSignal): Promise<Answer> {
  const judge = Bun.spawn([process.execPath, "hook", "--judge"], {
    stdin: Buffer.from(JSON.stringify(question)),
    stdout: "pipe",
    stderr: "inherit",
    windowsHide: true,
    signal: late,
    killSignal: "SIGKILL",
  });
  const text = await new Response(judge.stdout).text();
  if (!text) throw new Error("the judging process gave no answer");
  return JSON.parse(text) as Answer;
}

function dead(io: Io): void {
  io.err("Gatehouse could not judge this call in time. What cannot be judged is refused; no person cancelled it.");
  process.exit(2);
}
