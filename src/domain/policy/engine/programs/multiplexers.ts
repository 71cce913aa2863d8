/** Terminals nobody watches: what is started or typed in them runs. */
import { join } from "../value.ts";
import type { Field, Val } from "../value.ts";
import { language, wrapped } from "./effects.ts";
import { hasFlag, type Handler, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** Where the words after the options begin; an option whose last letter is one of `valued` takes the next word. */
function afterOptions(argv: readonly Field[], from: number, valued: string): number {
  let i = from;
  for (; i < argv.length; i++) {
    const { text } = argv[i]!;
    if (text === "--") return i + 1;
    if (text.length < 2 || !text.startsWith("-")) return i;
    if (!text.startsWith("--") && valued.includes(text.at(-1)!)) i++;
  }
  return i;
}

/** One word is text for a shell, several are a program and its words. */
function started(job: Job, words: readonly Field[]): Val | undefined {
  const [first] = words;
  if (first === undefined) return undefined;
  return words.length > 1 ? wrapped(job, words) : language(job, "shell", first, job.inv.subcommands[0] ?? "text");
}

const typedText = (job: Job, words: readonly Field[]): Val | undefined =>
  words[0] && language(job, "shell", { ...words[0], ...join(words, " ") }, "typed");

const runs =
  /^(new(-session|-window|w)?|split(w|-window)|respawn(p|w|-pane|-window)|popup|display-popup|run(-shell)?|pipe(p|-pane)|bind(-key)?)$/;
const keys = /^(Enter|Space|Escape|Tab|Up|Down|BSpace|KPEnter|[CM]-.|\^.|q)$/;

/** `tmux new -d 'cmd' \; send-keys 'cmd' Enter`: each command of the list. */
const tmux: Handler = job => {
  const { argv } = job;
  let from = afterOptions(argv, 1, "cfLSTt");
  const told = argv.findIndex((f, i) => i > 0 && i < from && f.text === "-c");
  if (told > 0 && argv[told + 1]) return language(job, "shell", argv[told + 1]!, "-c");
  if (from >= argv.length) job.inv.interactive = !hasFlag(job, "-V", "-h");
  let printed: Val | undefined;
  while (from < argv.length) {
    const end = argv.findIndex((f, i) => i >= from && f.text === ";");
    const some = argv.slice(from, end < 0 ? argv.length : end);
    printed = tmuxCommand(job, some[0]!.text, some) ?? printed;
    from = end < 0 ? argv.length : end + 1;
  }
  return printed;
};

function tmuxCommand(job: Job, name: string, some: readonly Field[]): Val | undefined {
  const words = some.slice(afterOptions(some, 1, "cenFflNpsTtwxyhb"));
  if (/^send(-keys)?$/.test(name))
    return typedText(
      job,
      words.filter(f => !keys.test(f.text)),
    );
  if (/^if(-shell)?$/.test(name)) {
    for (const f of words) language(job, "shell", f, name);
    return undefined;
  }
  // `set-hook -g session-created 'run-shell cmd'`: the last word is a command of tmux.
  if (name === "set-hook" && words.length > 1) return tmuxText(job, words.at(-1)!);
  if (/^bind(-key)?$/.test(name)) return started(job, words.slice(/^run/.test(words[1]?.text ?? "") ? 2 : 1));
  if (runs.test(name)) {
    if (words.length === 0 && /^new(-session)?$/.test(name))
      job.inv.interactive = !some.some(f => /^-\w*d/.test(f.text));
    return started(job, words);
  }
  if (/^(a|at|attach|attach-session)$/.test(name)) job.inv.interactive = true;
  return undefined;
}

function tmuxText(job: Job, text: Field): Val | undefined {
  const [, name, command] = /^\s*([\w-]+)\s+["']?(.*?)["']?$/s.exec(text.text) ?? [];
  return name !== undefined && runs.test(name) ? language(job, "shell", { ...text, text: command! }, name) : undefined;
}

/** `screen -dmS name cmd`, `screen -X stuff 'cmd'`. */
const screen: Handler = job => {
  const words = job.argv.slice(afterOptions(job.argv, 1, "ScehpstT"));
  if (!hasFlag(job, "-X")) {
    if (words.length === 0) job.inv.interactive = !hasFlag(job, "-ls", "-list", "-v", "-d", "-wipe", "-w");
    return started(job, words);
  }
  if (words[0]?.text === "stuff") return typedText(job, words.slice(1));
  return /^(exec|screen)$/.test(words[0]?.text ?? "") ? started(job, words.slice(1)) : undefined;
};

/** `dtach -n socket cmd`, `abduco -n name cmd`. */
const detached: Handler = job => started(job, job.argv.slice(afterOptions(job.argv, 1, "nAcNaper")));

/** `zellij run -- cmd`, `zellij action write-chars 'cmd'`. */
const zellij: Handler = job => {
  const at = job.argv.findIndex(f => f.text === "--" || f.text === "write-chars");
  if (at < 0) {
    job.inv.interactive = job.argv.length === 1;
    return undefined;
  }
  const rest = job.argv.slice(at + 1);
  return job.argv[at]!.text === "--" ? started(job, rest) : typedText(job, rest);
};

export const multiplexers: Table = {
  "tmux byobu": { spawner: true, session: true, run: tmux },
  screen: { spawner: true, session: true, run: screen },
  "dtach abduco": { spawner: true, run: detached },
  zellij: { spawner: true, session: true, run: zellij },
};
