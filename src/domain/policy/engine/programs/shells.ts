import { executed } from "../run/files.ts";
import { contents } from "../run/redirect.ts";
import { NETWORK, SHELL, UNKNOWN, WRITTEN } from "../taint.ts";
import { runText } from "../unwrap/text.ts";
import { bareText, type Field, unknown, type Val } from "../value.ts";
import { file, language } from "./effects.ts";
import { flagValue, flagValues, hasFlag, type Handler, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** `sh -c text`, `sh file`, `… | sh`, `sh`. */
const shell: Handler = job => {
  const { m, operands, io } = job;
  const { spawned } = m;
  if (/^--(version|help)$/.test(job.argv[1]?.text ?? "")) return undefined;
  const host = io.socket ?? m.state.sockets?.get(0) ?? m.state.sockets?.get(1);
  if (host) m.wired(job.of, host);
  for (const f of flagValues(job, "--rcfile", "--init-file")) startup(job, f);
  const printed = hasFlag(job, "-c", "--command") ? fromText(job, operands) : fromFile(job);
  if (job.inv.interactive && spawned) {
    m.facts.push({ kind: "flow", of: job.of, from: "shell", to: "executed" });
  }
  return printed;
};

/** `bash --rcfile file -i`: what it runs before it asks. */
function startup(job: Job, named: Field): void {
  const { m } = job;
  const path = file(job, named, "execute");
  const held = contents(m, path, named);
  m.flow(job.of, { ...held, taint: held.taint & NETWORK }, "shell");
  if (held.known) m.subshell(() => runText(m, held, `${job.inv.program} --rcfile`, job.io));
}

function fromText(job: Job, operands: Field[]): Val | undefined {
  const { m, io } = job;
  // `bash +x -c text`, `bash +O posix -c text`: a plus switches an option off.
  const text = operands.find((f, i) => !switched.test(f.text) && !/^\+[oO]$/.test(operands[i - 1]?.text ?? ""));
  if (!text) return undefined;
  const via = `${job.inv.program} -c`;
  m.code(job.of, text, "shell");
  // Whatever follows the text is `$0`, `$1` …, also what looks like an option.
  const given = job.argv.slice(job.argv.indexOf(text) + 1);
  const printed = m.subshell(() => runText(m, text, via, io, given.length > 0 ? given : undefined));
  if (hasFlag(job, "-i") && io.input === undefined && !text.known) job.inv.interactive = true;
  return printed;
}

const switched = /^\+[A-Za-z]+$/;

const standard = /^(-|\/dev\/(stdin|fd\/0)|\/proc\/self\/fd\/0)$/;

function fromFile(job: Job): Val | undefined {
  const { m, operands, io } = job;
  const script = operands[0];
  if (!script || hasFlag(job, "-s") || standard.test(script.text)) return fromInput(job, script);
  const path = file(job, script, "execute");
  const held = contents(m, path, script);
  const given = job.argv.slice(job.argv.indexOf(script));
  if (held.known) {
    executed(m, job.of, held, path, script);
    return m.based(script.span, () =>
      m.subshell(() => runText(m, held, `${job.inv.program} ${script.text}`, io, given)),
    );
  }
  m.flow(
    job.of,
    { ...held, taint: m.files.has(path) ? held.taint | WRITTEN : held.taint & (NETWORK | WRITTEN) },
    "shell",
  );
  return undefined;
}

function fromInput(job: Job, named: Field | undefined): Val {
  const { m, io } = job;
  const input = io.input;
  if (!input) {
    job.inv.interactive = true;
    return unknown(SHELL | UNKNOWN);
  }
  m.flow(job.of, input.val, "shell");
  const via = `${job.inv.program} <`;
  // `ls / | sed 's|^|rm -rf /|' | sh`: a line for each name.
  const told = input.val.known || bareText(input.val).trim() !== "";
  if (!told) return unknown(SHELL | UNKNOWN | input.val.taint, input.val.origin);
  const at = job.argv.findIndex(f => /^-\w+$/.test(f.text) && f.text.includes("s"));
  const from = named && standard.test(named.text) && at < 0 ? job.argv.indexOf(named) : at;
  const given = from > 0 ? [job.argv[0]!, ...behind(job.argv, from)] : undefined;
  return m.subshell(() => runText(m, input.val, via, { input: undefined, socket: io.socket }, given));
}

/** `bash -s -- -x a`: what the text gets as `$1`, `$2` …, also what looks like an option. */
const behind = (argv: readonly Field[], at: number): readonly Field[] =>
  argv.slice(argv[at + 1]?.text === "--" ? at + 2 : at + 1);

const plain = { valued: "-o -O --rcfile --init-file", ordered: true, run: shell } as const;

/** `bind -x '"\\C-x": text'`. */
const bind: Handler = job => {
  const text = flagValue(job, "-x");
  const at = text?.text.indexOf(":") ?? -1;
  return text && at >= 0 ? language(job, "shell", { ...text, text: text.text.slice(at + 1).trim() }, "-x") : undefined;
};

export const shells: Table = {
  complete: { valued: "-A -C -F -G -P -S -W -X -o", runs: { "-C": "shell" } },
  bind: { valued: "-m -x -f -q -u -r", run: bind },
  enable: { valued: "-f", files: { "-f": "execute" } },
  fish: {
    valued: "-C -o -d -f --init-command",
    runs: { "-C": "shell", "--init-command": "shell" },
    run: shell,
  },
  "sh bash dash zsh ksh mksh ash rbash csh tcsh posh yash elvish sash nu xonsh": plain,
};
