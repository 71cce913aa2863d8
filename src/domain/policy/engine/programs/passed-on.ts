import type { Field, Val } from "../value.ts";
import { wrapped } from "./effects.ts";
import type { Job } from "./row.ts";

/** Programs that destroy, send or start something: their name among another program's words is seldom data. */
const telling = new Set(
  "rm rmdir shred dd wipefs mkswap chmod chown chgrp mv cp ln tee find xargs git curl wget nc ncat socat scp env sudo doas su kubectl terraform docker aws psql kill pkill mount nohup timeout".split(
    " ",
  ),
);

/** Started bare they are words of a sentence (`kind completion bash`); with code or a script they are commands. */
const shells = /^(?:ba|da|z|k|a|fi|c|tc)?sh$|^(?:python[\d.]*|perl|ruby|node|php)$/;

const MOST = 400;

/** Where a command begins among words that some program hands on: `mise exec -- rm -rf /`. */
export function commandIn(argv: readonly Field[], from = 1): number {
  for (let i = from; i < argv.length - 1; i++) {
    const { text, known } = argv[i]!;
    if (!known || text.length > MOST) continue;
    const name = text.includes("/") ? text.slice(text.lastIndexOf("/") + 1) : text;
    if (telling.has(name) || name.startsWith("mkfs")) return i;
    if (shells.test(name) && /^-\w*[ce]$/.test(argv[i + 1]!.text)) return i;
  }
  return -1;
}

/** A program nothing is known about, given a command: most likely it runs it. */
export function passedOn(job: Job): Val | undefined {
  const at = commandIn(job.argv);
  return at < 0 ? undefined : wrapped(job, job.argv.slice(at));
}
