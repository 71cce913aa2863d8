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
export function askResident(unix: string, question: Question, signal: AbortSignal): Promise<Answer | undefined> {
  const body = JSON.stringify(question);
  return Bun.file(unix.slice(0, unix.lastIndexOf("/")))
    .stat()
    .then(folder => (isOurs(folder) ? fetch("http://judge/", { unix, method: "POST", body, signal }) : undefined))
    .then(answerOf)
    .catch(nothing);
}

/** Whoever could write into the folder could answer for the judge: it has to be ours alone. */
const isOurs = ({ uid, mode }: { uid: number; mode: number }) => uid === process.getuid!() && (mode & 0o077) === 0;

const answerOf = (reply?: Response) => (reply?.status === 200 ? (reply.json() as Promise<Answer>) : undefined);
const nothing = () => undefined;
