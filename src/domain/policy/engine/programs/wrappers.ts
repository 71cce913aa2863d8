import { parse } from "../parse.ts";
import { setVariable } from "../unwrap/environment.ts";
import { environment, SECRET } from "../taint.ts";
import { type Field, field, join, literal, unknown, type Val } from "../value.ts";
import { part } from "./args.ts";
import { handedOver } from "./passed-on.ts";
import { file, inputText, language, wrapped } from "./effects.ts";
import { type Handler, hasFlag, type Job, flagValue } from "./row.ts";
import type { Table } from "./table.ts";
import { expandWords } from "../fold/word.ts";
import { fromEnvFile, settings } from "../unwrap/env-file.ts";

/** Takes the assignments that stand before a command off its words; they are facts of what runs then. */
function assignments(job: Job, argv: readonly Field[]): { made: [string, Field][]; inner: readonly Field[] } {
  const made: [string, Field][] = [];
  let i = 0;
  for (; i < argv.length; i++) {
    const f = argv[i]!;
    const eq = f.text.indexOf("=");
    if (f.text === "--") continue;
    if (eq <= 0) break;
    made.push([f.text.slice(0, eq), part(f, eq + 1)]);
  }
  for (const [name, value] of made) setVariable(job.m, job.of, name, value);
  return { made, inner: argv.slice(i) };
}

/** `env A=b -S 'cmd args' cmd`. */
const env: Handler = job => {
  const { m } = job;
  const split = flagValue(job, "-S", "--split-string");
  // What stands behind the split text is its words' too, whatever it looks like.
  const own = job.argv.findIndex(f => f === split || (split && f.text.endsWith(split.text)));
  const given = split
    ? [...words(job, split), ...job.argv.slice(own + 1)]
    : job.rest < 0
      ? []
      : job.argv.slice(job.rest);
  const named = given.findIndex(f => !fromEnvFile(f));
  const { made, inner } = assignments(job, named > 0 ? given.slice(named) : given);
  if (inner.length > 0) for (const f of given.slice(0, Math.max(named, 0))) settings(m, job.of, f);
  const directory = flagValue(job, "-C", "--chdir");
  return m.subshell(() => {
    for (const [name, value] of made) m.state.set(name, value);
    if (directory) m.state.cwd = m.place(directory.text);
    if (inner.length > 0) return wrapped(job, inner);
    return unknown(SECRET, environment);
  });
};

/** Splits one text into words the way a shell does, without running anything in it. */
function words(job: Job, text: Field): Field[] {
  // Behind a command's name an assignment is a word like others.
  const node = parse(job.m, `: ${text.text}`).commands[0]?.command;
  if (node?.type !== "Command") return [];
  const all = node.suffix.filter(w => w.type === "Word");
  return job.m.based(text.span, () => expandWords(job.m, all));
}

/** `sudo cmd`, `sudo -i`, `sudo -s`: with `-i` or `-s` the rest is text for a shell. */
const sudo: Handler = job => {
  const { inner } = assignments(job, job.rest < 0 ? [] : job.argv.slice(job.rest));
  if (inner[0]?.text.includes("/")) file(job, inner[0], "execute");
  if (hasFlag(job, "-e", "--edit")) {
    for (const f of inner) file(job, f, "write");
    return undefined;
  }
  const login = hasFlag(job, "-i", "-s", "--login", "--shell");
  if (inner.length === 0) {
    if (login) return shellWith(job, []);
    return undefined;
  }
  const directory = flagValue(job, "-D", "--chdir", "-R", "--chroot");
  if (!directory) return wrapped(job, inner, job.io, false);
  const { m } = job;
  return m.subshell(() => {
    m.state.cwd = m.place(directory.text);
    return wrapped(job, inner, job.io, false);
  });
};

/** Starts a shell on behalf of the wrapper. */
function shellWith(job: Job, args: readonly Field[], spawns = false): Val {
  return wrapped(job, [field(literal("sh"), job.inv.span!), ...args], job.io, spawns);
}

/** `su -c text user`, `runuser -l user -c text`. */
const su: Handler = job => {
  const text = flagValue(job, "-c", "--command", "--session-command");
  if (text) return shellWith(job, [field(literal("-c"), text.span), text]);
  const at = job.operands.findIndex(f => f.text === "-c");
  if (at >= 0 && job.operands[at + 1]) return shellWith(job, job.operands.slice(at));
  return shellWith(job, []);
};

/** `runuser -u user -- cmd`; otherwise like `su`. */
const runuser: Handler = job => {
  const first = hasFlag(job, "-u", "--user") ? job.operands[0] : undefined;
  return first ? wrapped(job, job.argv.slice(job.argv.indexOf(first)), job.io, false) : su(job);
};

/** `echo 'text' | at now`: the text runs later, away from every check. */
const later: Handler = job => {
  const script = flagValue(job, "-f");
  const input = script ? inputText(job, [script]) : job.io.input?.val;
  if (!input || job.operands.length === 0) return undefined;
  job.m.flow(job.of, input, "shell");
  return input.known ? language(job, "shell", field(input, job.inv.span!), "text") : undefined;
};

/** `watch 'text'`: the operands joined are shell text. */
function asText(job: Job): Val | undefined {
  const rest = job.rest < 0 ? [] : job.argv.slice(job.rest);
  if (rest.length === 0) return undefined;
  const printed = shellText(job, rest);
  // With `-x`, and by programs that take words as they are, nothing is joined and split again.
  return rest.length > 1 && rest.some(f => /\s/.test(f.text)) ? wrapped(job, rest) : printed;
}

export function shellText(job: Job, words: readonly Field[]): Val {
  const text = join(words, " ");
  return language(job, "shell", { ...words[0]!, ...text }, job.inv.subcommands[0] ?? "text");
}

/** `script -q /dev/null`: starts a shell; `script file cmd` (BSD) runs a command. */
function typescript(job: Job): Val | undefined {
  const second = job.operands[1];
  if (second) return wrapped(job, job.argv.slice(job.argv.indexOf(second)));
  if (!hasFlag(job, "-c", "--command")) return shellWith(job, [], true);
  return undefined;
}

/** `dlv exec program -- words`: the program is named apart from its words. One text is for a shell. */
function withDashes(job: Job, program: Field | undefined): Val | undefined {
  if (program?.text.includes(" ")) return shellText(job, [program]);
  const at = job.argv.findIndex(f => f.text === "--");
  return program && wrapped(job, [program, ...(at > 0 ? job.argv.slice(at + 1) : [])]);
}

/** `sg group -c cmd`, `newgrp group`: a shell of another group. */
function group(job: Job): Val | undefined {
  return hasFlag(job, "-c") ? undefined : shellWith(job, [], true);
}

/** `ip netns exec name cmd`, `ip vrf exec name cmd`. */
function netns(job: Job): Val | undefined {
  const at = job.operands.findIndex((f, i) => i === 0 && job.inv.subcommands[1] === "exec" && f.text !== "");
  if (at < 0) return undefined;
  const inner = job.argv.slice(job.argv.indexOf(job.operands[0]!) + 1);
  return inner.length > 0 ? wrapped(job, inner) : undefined;
}

/** `setarch [name] [-R] cmd`, the name often as `$(uname -m)`. */
function architecture(job: Job): Val | undefined {
  const named = /^-|^(x86_64|i\d86|linux(32|64)|uname26|arm\w*|aarch64|ppc\w*|s390x?|mips\w*|sparc\w*|riscv\w*)$/;
  let at = job.rest < 0 ? job.argv.length : job.rest;
  while (at < job.argv.length && (!job.argv[at]!.known || named.test(job.argv[at]!.text))) at++;
  return at < job.argv.length ? wrapped(job, job.argv.slice(at)) : undefined;
}

/** `capsh … -- -c text`: what stands after `--` is for a shell. */
function afterDashesShell(job: Job): Val | undefined {
  const at = job.argv.findIndex(f => f.text === "--");
  return at > 0 ? shellWith(job, job.argv.slice(at + 1), true) : undefined;
}

export const wrappers: Table = {
  env: { valued: "-u --unset -C --chdir -S --split-string", wraps: 0, run: env },
  printenv: { run: job => unknown(job.operands.length === 0 ? SECRET : 0, environment) },
  "sudo sudo-rs": {
    valued:
      "-u -g -p -C -D -R -T -U -r -t -h --user --group --prompt --host --chdir --chroot --close-from --role --type",
    wraps: 0,
    run: sudo,
  },
  "doas please run0 pkexec dzdo pfexec super calife sup": {
    valued: "-u -C -g --user --property --chdir",
    wraps: 0,
    run: sudo,
  },
  // The first word is the user.
  "gosu su-exec": { valued: "", wraps: 1, run: sudo },
  su: {
    valued: "-c -s -g -G -w --command --session-command --shell --group --whitelist-environment",
    run: su,
  },
  runuser: {
    valued: "-c -s -g -G -u -w --command --session-command --shell --group --user --whitelist-environment",
    run: runuser,
  },
  "nohup catchsegv fakeroot fakechroot dbus-run-session dumb-init tini catatonit proxychains proxychains4 torsocks torify tsocks aoss padsp eatmydata aa-exec pexec multitime rlfe systemd-cat chronic ifne ts exec-helper primusrun optirun gamemoderun mangohud prime-run caffeinate arch nocache tsp time gtime":
    { valued: "-o -f -l -s -n -e -a -d -t --output --format --error --profile", wraps: 0 },
  rlwrap: { valued: "-b -B -C -D -f -g -H -i -l -M -O -P -q -Q -s -S -t -w -z -p", wraps: 0 },
  "xvfb-run xvfb-run-safe": {
    valued: "-e -f -n -p -s -w --error-file --auth-file --server-num --xauth-protocol --server-args --wait",
    wraps: 0,
  },
  "setsid unbuffer": { valued: "", wraps: 0 },
  capsh: { spawner: true, run: afterDashesShell },
  nice: { valued: "-n --adjustment", wraps: 0 },
  ionice: { valued: "-c -n -P -u --class --classdata", wraps: 0 },
  stdbuf: { valued: "-i -o -e --input --output --error", wraps: 0 },
  "timeout gtimeout": { valued: "-k -s --kill-after --signal", wraps: 1 },
  "faketime datefudge setlock logsave lockf": { valued: "-p -f -k -m -t", wraps: 1 },
  "chrt taskset": { valued: "-T -P -D --sched-runtime --sched-period --sched-deadline", wraps: 1 },
  "softlimit envdir envuidgid setuidgid pgrphack chpst": {
    valued: "-a -c -d -f -l -m -o -p -r -s -t -u -U -e -n -b -/",
    wraps: 0,
  },
  "setarch linux32 linux64 i386 x86_64": { valued: "-p --pid", wraps: 0, run: architecture },
  flock: {
    valued: "-w -E -c --timeout --wait --conflict-exit-code --command",
    wraps: 1,
    runs: { "-c": "shell", "--command": "shell" },
  },
  strace: {
    valued: "-o -e -p -s -u -E -a -I -P -S -O -b -X --output",
    wraps: 0,
    runs: { "-o": "pipe", "--output": "pipe" },
  },
  "ltrace valgrind heaptrack": { valued: "-o -e -p -s -u -E -a -I -P -O -b -X -n -l -w", wraps: 0 },
  perf: {
    sub: 1,
    valued: "-e -o -p -C -t -F --event --output --delay",
    files: { "-o": "write", "--output": "write" },
    wraps: 0,
  },
  hyperfine: {
    valued: "-w -r -p -c -n -s -S -u --warmup --runs --prepare --conclude --cleanup --setup --shell",
    runs: {
      "-p": "shell",
      "-c": "shell",
      "-s": "shell",
      "--prepare": "shell",
      "--conclude": "shell",
      "--cleanup": "shell",
      "--setup": "shell",
    },
    code: "shell",
  },
  "start-stop-daemon": {
    valued:
      "-p -x -a -u -c -n -s -g -k -N -d -r -P -I --pidfile --exec --startas --user --chuid --name --signal --retry --chdir",
    spawner: true,
    run: job => withDashes(job, flagValue(job, "-x", "--exec", "-a", "--startas")),
  },
  "dlv frida": {
    valued: "-f -l -c --init --listen --wd --output",
    spawner: true,
    session: true,
    run: job => {
      const [sub, named] = job.operands;
      return withDashes(job, flagValue(job, "-f") ?? (sub?.text === "exec" ? named : undefined));
    },
  },
  pm2: {
    sub: 1,
    valued: "-n -i -l -o -e --name --instances --interpreter --log --output --error --cwd --namespace",
    spawner: true,
    run: job => (job.inv.subcommands[0] === "start" ? withDashes(job, job.operands[0]) : undefined),
  },
  "choom cpulimit numactl prlimit setpriv cgexec systemd-inhibit daemonize daemon dbus-launch ssh-agent gpg-agent runcon newrole unitd":
    {
      valued:
        "-n -l -p -u -g -e -o -c -E -t -M -d -x -a -b -i --what --who --why --mode --adj --limit --unit --uid --gid --property --description --slice --setenv --exec --startas --user --group --pidfile --chuid --nicelevel --reuid --regid",
      runs: { "-x": "exec", "--exec": "exec" },
      wraps: 0,
    },
  "systemd-run": {
    valued:
      "-H -M -p -u -E -C --host --machine --unit --property --description --slice --setenv --uid --gid --nice --working-directory --on-active --on-boot --on-startup --on-unit-active --on-unit-inactive --on-calendar --service-type --timer-property",
    wraps: 0,
  },
  "busybox toybox": { valued: "", wraps: 0 },
  watch: { valued: "-n -q --interval --equexit", wraps: 0, run: asText },
  nodemon: {
    valued: "-x -w -e -i -d -s --exec --watch --ext --ignore --signal --delay",
    wraps: 0,
    run: job => {
      const told = flagValue(job, "-x", "--exec");
      return told ? shellText(job, [told, ...(job.rest < 0 ? [] : job.argv.slice(job.rest))]) : asText(job);
    },
  },
  watchexec: {
    valued:
      "-w -e -i -f -s -d -o -E --watch --exts --ignore --filter --signal --debounce --on-busy-update --shell --env",
    wraps: 0,
    run: asText,
  },
  "run-parts": { valued: "--regex --arg -a -u --umask", operands: "execute", spawner: true },
  pee: {
    valued: "",
    run: job => {
      for (const f of job.operands) language(job, "shell", f, "text");
      return undefined;
    },
  },
  entr: { valued: "", wraps: 0, run: asText },
  reflex: { valued: "-r -g -R --regex --glob", wraps: 0, run: asText },
  "script scriptreplay": {
    valued: "-c -T -I -O -B -m -E --command",
    runs: { "-c": "shell", "--command": "shell" },
    run: typescript,
  },
  "at batch": { valued: "-f -q -t", repl: "shell-session", spawner: true, run: later },
  "ld.so ld-linux.so.2 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1 ld-musl-x86_64.so.1": {
    valued: "--library-path --preload --argv0",
    wraps: 0,
  },
  "sg newgrp": { valued: "-c", runs: { "-c": "shell" }, run: group },
  ip: { sub: 2, valued: "-n -netns -b -batch", single: true, spawner: true, run: netns },
  "nix-shell": {
    valued: "-p -I -A -E --packages --run --command --attr --expr --arg --argstr",
    runs: { "--run": "shell", "--command": "shell" },
    spawner: true,
    session: true,
    run: job => {
      job.inv.interactive = !hasFlag(job, "--run", "--command", "--version", "--help") && job.io.input === undefined;
      return handedOver(job);
    },
  },
  "bwrap firejail proot uvx nix npm-run make-run direnv dotenv dotenvx doppler infisical op aws-vault chamber envconsul teller sops":
    {
      valued: "-p -c -f -e -A --run --command --env-file --attr",
      runs: { "--run": "shell", "-c": "shell", "--command": "shell" },
      spawner: true,
      run: handedOver,
    },
};
