import type { Field } from "../value.ts";
import { part } from "./args.ts";
import { file, language } from "./effects.ts";
import { looksLikeCommand } from "./passed-on.ts";
import type { Job } from "./row.ts";

/** What options are named after that start it, whatever the program: `--pager`, `--use-askpass`, `-Dexec.executable`. */
const started =
  "pager editor browser askpass opener command cmd exec executable program filter preview hook wrapper launcher shell handler runner run_under run-under script compiler linker plugin engine library load agent tool bin complete error specs flag".split(
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

/** Options of few letters that name a program, a library or settings that name one, by program. */
const short: Record<string, string> = {
  ssh: "-F -I",
  scp: "-F -S",
  sftp: "-F -S -D",
  "ssh-add": "-s",
  "ssh-keygen": "-D",
  openssl: "-engine",
  gawk: "-l",
  awk: "-l",
  ld: "-plugin",
  mysql: "--plugin-dir",
  tcpdump: "-z",
  nmap: "--script",
  go: "-vettool -toolexec -exec",
  gem: "-e",
  curl: "-K",
  logrotate: "-f",
  ldconfig: "-f",
  dosbox: "-c",
  gradle: "-I --init-script",
  ant: "-f",
  scons: "-f",
  meson: "--native-file --cross-file",
  lynx: "-editor",
  rg: "--pre --hostname-bin",
  pytest: "-c --rootdir",
  vlc: "--lua-intf",
  ninja: "-C",
  zip: "-TT",
  gdb: "-x",
  snap: "-c",
  flatpak: "-c",
  fzf: "--bind",
};

export const startingOptions: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries(short).map(([program, options]) => [program, new Set(options.split(" "))]),
);

/** Settings given as `name=value` in one word: `-o extbrowser=text`, `-DCMAKE_C_COMPILER=path`, `-XX:OnError=text`. */
const setting = /^(?:-D|-XX:|-e|--config=)?["']?([\w.:-]+)\s*=\s*["']?(.*?)["']?$/s;

/** Options whose value is such a setting; behind others, `a=b` is prose: `commit -m 'core.editor=…'`. */
const settingFlag = /^(?:-[oDeXcs]|--(?:option|set|config|define|property))$/;

const isSettingFlag = (text: string): boolean => text.charCodeAt(0) === 45 && settingFlag.test(text);

const temporary = /^(?:\/private)?\/(?:tmp|var\/tmp|dev\/shm)\//;

/** A program given another one to start: text is judged as a command, a path as run. */
export function hooks(job: Job): void {
  const { argv } = job;
  const end = job.rest > 0 ? job.rest : argv.length;
  for (let i = 1; i < end; i++) {
    const { text } = argv[i]!;
    if (text.charCodeAt(0) === 45) option(job, i, text);
    else if (isSettingFlag(argv[i - 1]!.text) && text.includes("=")) assigned(job, argv[i]!, text);
  }
}

function option(job: Job, i: number, text: string): void {
  const { runs: coded, traits } = job.spec;
  const eq = text.length < 4 ? -1 : text.indexOf("=");
  const name = eq < 0 ? text : text.slice(0, eq);
  const runs = coded?.has(name) === true;
  if (runs || isNamed(name) || traits.starting?.has(name) === true) {
    const value = eq < 0 ? job.argv[i + 1] : part(job.argv[i]!, eq + 1);
    if (value) starts(job, value, name, !runs);
  } else if (eq > 0) assigned(job, job.argv[i]!, text);
}

function assigned(job: Job, word: Field, text: string): void {
  const found = setting.exec(text);
  if (found && isNamed(`-${found[1]!}`)) starts(job, { ...word, text: found[2]! }, found[1]!, true);
}

/** `!cmd`, `run cmd`, `start:execute(cmd)`, `-oProxyCommand=cmd`: what stands before the command. */
const leading = /^(?:!|run\s+|.*\b(?:execute(?:-\w+)?|become|reload|transform)[(:]|-o\s*ProxyCommand=)/;

/** `judged`: the value's text is not yet looked into elsewhere. */
function starts(job: Job, value: Field, name: string, judged: boolean): void {
  if (temporary.test(value.text)) file(job, { ...value, text: value.text.split(" ", 1)[0]! }, "execute");
  const text = value.text.replace(leading, "");
  if (judged && looksLikeCommand(text)) language(job, "shell", { ...value, text: text.replace(/\)$/, "") }, name);
}
