import { type Answer, type Client, clients } from "../hooks/dialect.ts";
import type { Io, Run } from "./io.ts";
import { askResident, residentSocket } from "./local/resident.ts";

const USAGE = `Usage: gatehouse hook <agent> [event]

What agents run at each tool call: reads the agent's JSON on standard input, answers in the agent's own form, and keeps the
event for the server. The verdict needs no network. Exit code 2 refuses where an answer could not be given.
Hooks keep one process of this program ready to judge, for ten minutes after the last call.
GATEHOUSE_BACKGROUND=0 starts no process, neither for that nor to send events and renew the policy: run
\`gatehouse heartbeat\` yourself then.`;

/** All agents' timeouts are longer; almost all of them let the call through when their hook takes too long. */
const patience_ms = 800;
const dead_ms = 2000;
const payloadMax = 4 * 1024 * 1024;

export const run: Run = async ([client = "", hook], io) => {
  if (client === "--help" || client === "-h") return (io.out(USAGE), 0);
  if (client === "--resident") return (await import("./local/judge-host.ts")).runResident(io.env);
  if (!isClient(client))
    return (io.err(`gatehouse: ${client.slice(0, 40)} is not an agent Gatehouse knows.\n${USAGE}`), 2);
  const watchdog = setTimeout(dead, dead_ms, io);
  const answer = await answerFor(client, hook, io);
  clearTimeout(watchdog);
  if (answer.stdout) io.out(answer.stdout.trimEnd());
  if (answer.stderr) io.err(answer.stderr.trimEnd());
  return answer.exit;
};

const isClient = (name: string): name is Client => (clients as readonly string[]).includes(name);

/** The resident's answer, else one made here, where everything has to be loaded first. */
async function answerFor(client: Client, hook: string | undefined, io: Io): Promise<Answer> {
  const payload = await readInput(io);
  const nonce = crypto.randomUUID();
  const socket = residentSocket(io.env);
  if (socket && typeof payload === "string") {
    const question = { client, hook, payload, nonce, user: io.env["HOME"]!, cwd: process.cwd() };
    const answer = await askResident(socket, question);
    if (answer) return answer;
  }
  return (await import("./local/answer-once.ts")).answerOnce({ client, hook, payload, nonce }, io.env, socket);
}

/** What the agent sent, or why it cannot be read. */
async function readInput(io: Io): Promise<string | Error> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Error>(resolve => {
    timer = setTimeout(resolve, patience_ms, new Error("the agent sent nothing in time"));
  });
  const text = await Promise.race([io.stdin(), late]).finally(() => clearTimeout(timer));
  const long = typeof text === "string" && text.length > payloadMax;
  return long ? new Error("the payload is larger than 4 MiB") : text;
}

function dead(io: Io): void {
  io.err("Gatehouse could not judge this call in time. What cannot be judged is refused; no person cancelled it.");
  process.exit(2);
}
