import { baseName } from "../paths.ts";
import { starts } from "../unwrap/literals.ts";
import { runCode } from "../unwrap/text.ts";
import { type Field, field, type Val } from "../value.ts";
import { statementGiven } from "./database-tools.ts";
import { language, wrapped } from "./effects.ts";
import type { Job } from "./row.ts";

/** Programs that destroy, send or start something: their name among another program's words is seldom data. */
const telling = new Set(
  "rm rmdir shred dd wipefs mkswap chmod chown chgrp mv cp ln tee find xargs git curl wget nc ncat socat scp env sudo doas su kubectl terraform docker aws psql kill pkill mount nohup timeout".split(
    " ",
  ),
);

/** Started bare they are words of a sentence (`kind completion bash`); with code or a script they are commands. */
const shells = /^(?:ba|da|z|k|a|fi|c|tc)?sh$|^(?:python[\d.]*|perl|ruby|node|php)$/;

/** Words behind these are prose, whatever they say. */
const prose =
  /^(-m|-t|-b|-d|-q|-p|-s|-n|--?(message|msg|title|body|text|description|desc|notes?|reason|comment|name|label|query|grep|search|pattern|prompt|subject|summary|filter|regex|expr))$/;

const MOST = 400;

const tells = (name: string): boolean => telling.has(name) || name.startsWith("mkfs");

/** Machines and databases brought to an end: texts that are no sentence. */
const ends =
  /^(?:shutdown\s+(?:-\w|now|\+)|(?:reboot|poweroff|halt)(?:\s+-\w+)*$|systemctl\s+(?:poweroff|reboot|stop|disable)\b|(?:dropdb|userdel|flushall)\s)/;

/** A text that can only be a command: it starts with a program that destroys, sends or starts something. */
export function looksLikeCommand(text: string): boolean {
  const end = text.search(/\s/);
  if (ends.test(text)) return true;
  if (end <= 0 || text.length > 4 * MOST) return false;
  const name = baseName(text.slice(0, end));
  return tells(name) || (shells.test(name) && /^\s+-\w*[ce]\s/.test(text.slice(end)));
}

/** Where a command begins among words that some program hands on: `mise exec -- rm -rf /`. */
export function commandIn(argv: readonly Field[], from = 1): number {
  for (let i = from; i < argv.length - 1; i++) {
    const { text, known } = argv[i]!;
    if (!known || text.length > MOST) continue;
    const name = baseName(text);
    if (tells(name)) return i;
    if (shells.test(name) && /^-\w*[ce]$/.test(argv[i + 1]!.text)) return i;
    if (/^(cmd|powershell|pwsh)(\.exe)?$/.test(name) && /^[-/][ce]/i.test(argv[i + 1]!.text)) return i;
  }
  return -1;
}

/** `! cmd`, `:!cmd`: lines with which many a program leaves for the shell. */
const bangLine = /^[ \t]*:?!(.*)$/gm;

/** Standard input of a program nothing is known about, that asks it for a shell. */
export function escapes(told: Job, input: Val): void {
  // What is asked for must not read these lines again.
  const job: Job = { ...told, io: { ...told.io, input: undefined } };
  for (const [, line] of input.text.matchAll(bangLine)) {
    const text = line!.trim();
    if (looksLikeCommand(text)) language(job, "shell", { ...job.argv[0]!, text }, "!");
    else if (/\/(?:ba|da|z|k)?sh\b/.test(text))
      job.m.facts.push({ kind: "flow", of: job.of, from: "shell", to: "executed" });
  }
}

/** A program nothing is known about, given a command in words or as one text: most likely it runs it. */
export function passedOn(job: Job): Val | undefined {
  statementGiven(job);
  if (job.m.files.size > 0) for (const f of job.argv) if (f.text.startsWith("/dev/fd/")) substituted(job, f);
  const code = job.argv.findIndex((f, k) => k > 0 && codeFlag.test(f.text));
  const joined = code > 0 ? codeFlag.exec(job.argv[code]!.text)![1] : undefined;
  const given = code < 0 ? undefined : joined === undefined ? job.argv[code + 1] : { ...job.argv[code]!, text: joined };
  if (given && given.text.length > 8 && /["'`]/.test(given.text) && starts.test(given.text))
    runCode(job.m, "unlisted", given, job.argv[code]!.text, job.io);
  const at = commandIn(job.argv);
  if (at > 0) return wrapped(job, job.argv.slice(at));
  const i = job.argv.findIndex(
    (f, k) => k > 0 && commandText(f.text) !== undefined && !prose.test(job.argv[k - 1]!.text),
  );
  if (i < 0) return undefined;
  const text = commandText(job.argv[i]!.text)!;
  return language(job, "shell", { ...job.argv[i]!, text }, job.argv[i - 1]!.text);
}

/** Options behind which code stands in most interpreters. */
const codeFlag =
  /^(?:-[ecExr]|-batch|(?:--(?:eval(?:uate)?|exec(?:ute)?|batch-string|expr(?:ession)?|code))(?:=(.*))?)$/s;

/** `tool <(echo code)`: what the file holds is told to the program. */
function substituted(job: Job, named: Field): void {
  const held = job.m.files.get(named.text);
  if (!held?.known) return;
  escapes(job, held);
  if (starts.test(held.text)) runCode(job.m, "unlisted", field(held, named.span), named.text, job.io);
}

/** `{"commands":["rm -rf /"]}`: the first text in it that can only be a command. */
const commandInJson = (text: string): string | undefined => text.split('"').find(looksLikeCommand);

/** `!cmd`, `:!cmd`, `+shell cmd`, `|cmd`: how a text asks many a program for the shell. */
const asksShell = /^[+:]*(?:!+|\||shell\s+)\s*/;

/** `rm -rf /`, `commands=rm -rf /`, `--cmd=rm -rf /`, `!rm -rf /`. */
function commandText(text: string): string | undefined {
  if (/^[{[]/.test(text)) return commandInJson(text);
  if (!text.includes(" ") && !/[="'[](?:reboot|poweroff)\b/.test(text)) return undefined;
  const given = /^-{0,2}[\w-]+=["'[]*/.exec(text)?.[0] ?? asksShell.exec(text)?.[0] ?? "";
  const rest = text.slice(given.length);
  return looksLikeCommand(rest) ? rest.replace(/(?<!["'\]])["'\]]+$/, given === "" ? "$&" : "") : undefined;
}

/** Runs what stands after `--`, or what else looks like a command: `heroku run -- cmd`, `wsl cmd`. */
export function handedOver(job: Job): Val | undefined {
  const at = job.argv.findIndex(f => f.text === "--");
  const behind = at > 0 ? job.argv.slice(at + 1) : [];
  const [first] = behind;
  if (!first) return passedOn(job);
  // `gcloud compute ssh vm -- 'rm -rf /srv'`: one text for the shell there.
  return behind.length === 1 && /\s/.test(first.text) ? language(job, "shell", first, "--") : wrapped(job, behind);
}
