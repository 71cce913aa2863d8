import type { Field } from "../value.ts";
import { part } from "./args.ts";
import { file, language } from "./effects.ts";
import { looksLikeCommand } from "./passed-on.ts";
import type { Job } from "./row.ts";

/** What options are named after that start it, whatever the program: `--pager`, `--use-askpass`, `-Dexec.executable`. */
const started =
  "pager editor browser askpass opener command cmd exec executable program filter preview hook wrapper launcher shell handler runner run_under run-under script compiler linker plugin engine library load agent tool bin complete error specs flag pluginpath plugindir plugin-dir prepend_file append_file extension".split(
    " ",
  );
const named = new RegExp(`^--?[\\w.:-]*?(?:${started.join("|")})s?$`, "i");

/** The two letters each of them ends in, in either case: most options are told apart by these. */
const endings = new Uint8Array(1024);
const ending = (name: string, end: number): number =>
  ((name.charCodeAt(end - 2) & 31) << 5) | (name.charCodeAt(end - 1) & 31);
for (const name of started) endings[ending(name, name.length)] = endings[ending(`${name}s`, name.length + 1)] = 1;

const isNamed = (name: string): boolean =>
  name.length > 3 && endings[ending(name, name.length)] === 1 && named.test(name);

/** Settings given as `name=value` in one word: `-o extbrowser=text`, `-DCMAKE_C_COMPILER=path`, `-XX:OnError=text`. */
const setting = /^(?:-D|-XX:|-e|--config=|--setopt=|--option=)?["']?([\w.:-]+)\s*=\s*["']?(.*?)["']?$/s;

/** Options whose value is such a setting; behind others, `a=b` is prose: `commit -m 'core.editor=…'`. */
const settingFlag = /^(?:-[oDeXcsdC]|--(?:option|set|setopt|config|define|property|execute))$/;

const isSettingFlag = (text: string): boolean => text.charCodeAt(0) === 45 && settingFlag.test(text);

const temporary = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm)(?:\/|$)/;

/** A program given another one to start: text is judged as a command, a path as run. */
export function hooks(job: Job): void {
  const { argv } = job;
  const end = job.rest > 0 ? job.rest : argv.length;
  const { starting } = job.spec.traits;
  for (let i = 1; i < end; i++) {
    const { text } = argv[i]!;
    if (text.charCodeAt(0) === 45) option(job, i, text);
    else if (text.charCodeAt(0) === 64 && starting?.has("@")) starts(job, part(argv[i]!, 1), "@", false);
    else if (isSettingFlag(argv[i - 1]!.text) && text.includes("=")) assigned(job, argv[i]!, text);
  }
}

function option(job: Job, i: number, text: string): void {
  const { runs: coded, traits } = job.spec;
  const eq = text.length < 4 ? -1 : text.indexOf("=");
  const colon = eq < 0 && text.length > 4 ? text.indexOf(":/") : -1;
  const end = Math.max(eq, colon);
  const name = end < 0 ? text : text.slice(0, end);
  const runs = coded?.has(name) === true;
  // A file that is written, unless its name begins like a pipe: `strace -o '|cmd'`.
  if (runs && coded.get(name) === "pipe") return;
  if (runs || isNamed(name) || traits.starting?.has(name) === true) {
    const value = end < 0 ? job.argv[i + 1] : part(job.argv[i]!, end + 1);
    if (value) starts(job, value, name, !runs);
    return;
  }
  // `-r/tmp/x`: the value stands right behind a name of one letter.
  if (traits.starting !== undefined && text.length > 3 && traits.starting.has(text.slice(0, 2)))
    starts(job, part(job.argv[i]!, 2), text.slice(0, 2), false);
  else if (traits.starting !== undefined && text.length > 5 && traits.starting.has(text.slice(0, 3)))
    starts(job, part(job.argv[i]!, 3), text.slice(0, 3), true);
  else if (eq > 0) assigned(job, job.argv[i]!, text);
}

/** `hg --config alias.x='!cmd'`: whatever its name, the value of a setting may be a command. */
const isConfig = (job: Job, word: Field): boolean =>
  /^--config(?:-option)?$/.test(job.argv[job.argv.indexOf(word) - 1]?.text ?? "");

function assigned(job: Job, word: Field, text: string): void {
  const found = setting.exec(text);
  if (found && (isNamed(`-${found[1]!}`) || text.startsWith("--config") || isConfig(job, word)))
    starts(job, { ...word, text: found[2]! }, found[1]!, true);
}

/** `!cmd`, `run cmd`, `start:execute(cmd)`, `-oProxyCommand=cmd`: what stands before the command. */
const leading = /^(?:!|run\s+|shell\s+|.*\b(?:execute(?:-\w+)?|become|reload|transform)[(:]|-o\s*ProxyCommand=)/;

/** `judged`: the value's text is not yet looked into elsewhere. */
function starts(job: Job, value: Field, name: string, judged: boolean): void {
  const place = value.text.replace(/^[\w-]+[:=](?=\/)/, "");
  if (temporary.test(place)) file(job, { ...value, text: place.split(" ", 1)[0]! }, "execute");
  const text = value.text.replace(leading, "");
  if (judged && looksLikeCommand(text)) language(job, "shell", { ...value, text: text.replace(/\)$/, "") }, name);
}
