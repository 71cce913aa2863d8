import { type Env, folderOf } from "../../client/folder.ts";
import { compiled } from "../../compiled.ts";
import type { Answer } from "../../hooks/dialect.ts";
import type { Question } from "./question.ts";

/** Bytes of a socket's path: 104 on macOS, 108 on Linux. */
const pathMax = 100;

/**
 * Where the resident of this program and home listens; undefined where there can be none. It is a process of this very
 * program that holds rules and policy ready, since loading them takes longer than everything else a hook does. Nothing of
 * the runtime's modules is loaded here.
 */
export function residentSocket(env: Env): string | undefined {
  const user = env["HOME"];
  if (!compiled || process.platform === "win32" || !user || env["GATEHOUSE_BACKGROUND"] === "0") return undefined;
  const name = Bun.hash(`${process.execPath}\n${user}`).toString(36);
  const socket = `${folderOf(env, user)}/judge/${name}.sock`;
  return socket.startsWith("/") && socket.length <= pathMax ? socket : undefined;
}

/** The resident's answer, or nothing when there is none that can be trusted and answers before it is too late. */
export async function askResident(socket: string, question: Question, late: AbortSignal): Promise<Answer | undefined> {
  try {
    if (!(await isOwn(socket.slice(0, socket.lastIndexOf("/"))))) return undefined;
    const reply = await fetch("http://judge/", {
      unix: socket,
      method: "POST",
      body: JSON.stringify(question),
      signal: late,
    });
    return reply.status === 200 ? ((await reply.json()) as Answer) : undefined;
  } catch {
    return undefined;
  }
}

/** Whoever could write into the folder could answer for the judge: it has to be ours alone. */
async function isOwn(folder: string): Promise<boolean> {
  const { uid, mode } = await Bun.file(folder).stat();
  return uid === process.getuid!() && (mode & 0o077) === 0;
}
