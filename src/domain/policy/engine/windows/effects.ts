import type { FileAct, Invocation, NetAct } from "../../facts.ts";
import { base64Decode } from "../fold/encodings.ts";
import { hostOf } from "../hosts.ts";
import { windowsPath } from "../mcp/local-path.ts";
import { isSecret } from "../paths.ts";
import { invoke } from "../run/invoke.ts";
import type { Machine } from "../run/machine.ts";
import { DECODED, NETWORK, SECRET, UNKNOWN } from "../taint.ts";
import { EMPTY, type Field, field, join, literal, unknown, type Val, word } from "../value.ts";
import { windows } from "./run.ts";

export interface WindowsJob {
  m: Machine;
  of: number;
  inv: Invocation;
  words: readonly Field[];
  input: Val | undefined;
}

export const jobOf = (m: Machine, inv: Invocation, words: readonly Field[], input: Val | undefined): WindowsJob => ({
  m,
  of: m.subject(inv),
  inv,
  words,
  input,
});

type Effect = (job: WindowsJob) => Val | undefined;

const flag = (job: WindowsJob, ...names: string[]) => job.inv.flags.find(f => names.includes(f.name));
const value = (job: WindowsJob, ...names: string[]): Field | undefined =>
  flag(job, ...names)?.value as Field | undefined;
const operands = (job: WindowsJob): Field[] => job.inv.args as Field[];

function file(job: WindowsJob, f: Field, does: FileAct, recursive = false): string {
  const { m } = job;
  const path = m.places.of(windowsPath(f.text), m.state.cwd);
  const all = /\/\*(\.\*)?$/.test(path);
  const at = all ? path.replace(/\/\*(\.\*)?$/, "") || "/" : path;
  m.file(job.of, does, { text: at, known: f.known, span: f.span }, recursive || all);
  return at;
}

function net(job: WindowsJob, does: NetAct, f: Field): Field {
  const host = { ...f, text: hostOf(f.text) };
  job.m.facts.push({ kind: "net", of: job.of, does, host: word(host) });
  return host;
}

/** `-Path a,b` or the first operand. */
const paths = (job: WindowsJob): Field[] => {
  const named = value(job, "-path", "-literalpath", "-filepath", "-lp", "-psp");
  const all = named ? [named] : operands(job);
  return all.flatMap(f => f.text.split(/ (?=[A-Za-z]:|\$|~|\/|\.)/).map(text => ({ ...f, text })));
};

const remove: Effect = job => {
  const recursive = flag(job, "-recurse", "/s") !== undefined;
  for (const f of paths(job)) file(job, f, "delete", recursive);
  return EMPTY;
};

const writes: Effect = job => {
  const all = paths(job);
  const target = value(job, "-path", "-literalpath", "-filepath") ?? all[0];
  const content = value(job, "-value") ?? job.input ?? all[1];
  if (target) job.m.files.set(file(job, target, "write"), content ?? EMPTY);
  return EMPTY;
};

const reads: Effect = job => {
  let taint = UNKNOWN;
  let known: Val | undefined;
  for (const f of paths(job)) {
    const path = file(job, f, "read");
    known ??= job.m.files.get(path);
    if (isSecret(path)) taint |= SECRET;
  }
  return known ?? unknown(taint);
};

const copies =
  (from: FileAct): Effect =>
  job => {
    const [source, to] = [
      value(job, "-path", "-literalpath") ?? operands(job)[0],
      value(job, "-destination") ?? operands(job).at(-1),
    ];
    if (source) file(job, source, from, from === "delete");
    if (to && to !== source) file(job, to, "write");
    return EMPTY;
  };

/** Downloads; with a body or an input file, uploads. */
const web: Effect = job => {
  const url =
    value(job, "-uri", "-url", "-source") ?? operands(job).find(f => /:\/\//.test(f.text)) ?? operands(job)[0];
  if (!url) return undefined;
  const body = value(job, "-body", "-infile", "-form");
  const uploads = body !== undefined || /post|put/i.test(value(job, "-method")?.text ?? "");
  const host = net(job, uploads ? "upload" : "download", url);
  if (flag(job, "-infile") && body) {
    const path = file(job, body, "read");
    if (isSecret(path)) job.m.flow(job.of, { ...body, taint: SECRET }, "network", word(host));
  } else if (body) job.m.flow(job.of, body, "network", word(host));
  job.m.flow(job.of, url, "network", word(host));
  return saved(job, host, value(job, "-outfile", "-destination", "-o"));
};

function saved(job: WindowsJob, host: Field, to: Field | undefined): Val {
  const data = unknown(NETWORK, { host: word(host) });
  if (!to) return data;
  job.m.files.set(file(job, to, "write"), data);
  return EMPTY;
}

/** `iex text`, `… | iex`. */
const expression: Effect = job => {
  const code = value(job, "-command") ?? operands(job)[0] ?? (job.input && field(job.input, job.inv.span!));
  return code ? runText(job, code, "powershell") : undefined;
};

function runText(job: WindowsJob, code: Field, dialect: "powershell" | "cmd"): Val | undefined {
  const { m } = job;
  m.code(job.of, code, "shell");
  if (m.socketHost && !code.known) m.wired(job.of, m.socketHost);
  if (!code.known) {
    if (code.taint === 0 || code.taint === UNKNOWN) m.gap("unresolved_program", code.text.slice(0, 80), code.span);
    return unknown();
  }
  m.within(job.inv.program, () => m.based(code.span, () => windows(m, code.text, dialect)));
  return undefined;
}

/** `powershell -enc …`, `-Command …`, `-File …`. */
const shell: Effect = job => {
  const { m } = job;
  const encoded = value(job, "-encodedcommand");
  if (encoded) {
    const text = base64Decode(encoded.text).replaceAll("\0", "");
    return runText(job, { ...encoded, text, taint: encoded.taint | DECODED }, "powershell");
  }
  const at = job.words.findIndex(f => /^-c(o|om|omm|omma|omman|ommand)?$/i.test(f.text));
  const code = at >= 0 ? job.words.slice(at + 1) : job.words.filter(f => !isSwitch(job, f));
  const script = value(job, "-file", "-f");
  if (script) {
    const path = file(job, script, "execute");
    const held = m.files.get(path);
    if (held) m.flow(job.of, held, "shell");
    return undefined;
  }
  if (code.length > 0 && code[0]!.text !== "-") return runText(job, whole(code), "powershell");
  if (job.input) return runText(job, field(job.input, job.inv.span!), "powershell");
  job.inv.interactive = true;
  return undefined;
};

/** A switch of `powershell.exe`, or the value of one. */
function isSwitch(job: WindowsJob, f: Field): boolean {
  if (/^[-/][A-Za-z]/.test(f.text)) return true;
  const i = job.words.indexOf(f);
  return (
    i > 0 && /^-(ep|ex\w*|w\w*|v\w*|inputformat|outputformat|psconsolefile|config\w*)$/i.test(job.words[i - 1]!.text)
  );
}

const whole = (words: readonly Field[]): Field => ({
  ...words[0]!,
  ...join(words, " "),
});

const commandShell: Effect = job => {
  const at = job.words.findIndex(f => /^\/[ckr]/i.test(f.text));
  if (at < 0) {
    if (job.input) return runText(job, field(job.input, job.inv.span!), "cmd");
    job.inv.interactive = true;
    return undefined;
  }
  const rest = job.words.slice(at + 1);
  const attached = job.words[at]!.text.slice(2);
  const code = attached === "" ? rest : [{ ...job.words[at]!, text: attached }, ...rest];
  return code.length > 0 ? runText(job, whole(code), "cmd") : undefined;
};

/** `Start-Process prog -ArgumentList …`, `start prog`. */
const start: Effect = job => {
  const program = value(job, "-filepath") ?? operands(job).find(f => f.text !== "" && !/^".*"$/.test(f.text));
  if (!program) return undefined;
  const given = value(job, "-argumentlist", "-args");
  const held = job.m.files.get(job.m.places.of(windowsPath(program.text), job.m.state.cwd));
  if (held) job.m.flow(job.of, held, "executed");
  const text = `${program.text} ${
    given
      ? given.text
      : operands(job)
          .filter(f => f !== program)
          .map(f => f.text)
          .join(" ")
  }`.trim();
  return runText(job, { ...program, text }, job.inv.dialect === "cmd" ? "cmd" : "powershell");
};

const certutil: Effect = job => {
  const url = job.words.find(f => /^(https?|ftp):/i.test(f.text));
  if (url)
    return saved(job, net(job, "download", url), operands(job).at(-1) !== url ? operands(job).at(-1) : undefined);
  if (job.words.some(f => /^[-/]decode(hex)?$/i.test(f.text))) {
    const to = operands(job).at(-1);
    if (to) job.m.files.set(file(job, to, "write"), unknown(DECODED));
  }
  return undefined;
};

/** Programs that fetch and run what a URL names. */
const fetchRun: Effect = job => {
  const url = job.words.find(f => /(https?|ftp):|\\\\[\w.]+\\/i.test(f.text));
  const script = job.words.find(f => /javascript:|vbscript:/i.test(f.text));
  if (!url && !script) return undefined;
  const host = url
    ? net(job, "download", { ...url, text: url.text.replace(/^.*?(https?:|\\\\)/i, "$1").replace(/^\\\\/, "") })
    : undefined;
  job.m.facts.push({
    kind: "flow",
    of: job.of,
    from: url ? "network" : "unknown",
    to: "executed",
    ...(host ? { host: word(host) } : undefined),
  });
  return undefined;
};

const object: Effect = job => {
  const type = (value(job, "-typename") ?? operands(job)[0])?.text ?? "";
  if (/sockets\.tcpclient|sockets\.udpclient|net\.socket/i.test(type)) {
    const host =
      /(?:client|socket)\W*?(\d[\w-]*\.[\w.-]+|(?<=\s|["'(])[\w-]+\.[\w.-]+|localhost)/i.exec(
        job.words.map(f => f.text).join(" "),
      )?.[1] ?? "";
    const at = { text: host, known: host !== "" };
    job.m.facts.push({ kind: "net", of: job.of, does: "connect", host: at });
    job.m.socketHost = at;
    return unknown(NETWORK, { host: at });
  }
  return unknown(0);
};

const prints: Effect = job => join(operands(job), " ");
/** `… | % { … }`: the block runs with what comes in as `$_`. */
const each: Effect = job => {
  if (job.input) job.m.state.set("_", job.input);
  let printed: Val | undefined;
  for (const f of operands(job)) {
    if (/\s/.test(f.text)) printed = job.m.based(f.span, () => powershellValue(job, f.text));
  }
  return printed ?? job.input;
};

const through: Effect = job => job.input;

const powershellValue = (job: WindowsJob, text: string): Val => {
  windows(job.m, text, "powershell");
  return job.input ?? EMPTY;
};

const table: Record<string, Effect> = {
  "remove-item del erase rd rmdir clear-content": remove,
  "set-content add-content out-file tee-object new-item": writes,
  "get-content type more": reads,
  "copy-item copy xcopy robocopy": copies("read"),
  "move-item move ren rename-item": copies("delete"),
  "invoke-webrequest invoke-restmethod start-bitstransfer curl wget": web,
  "invoke-expression invoke-command": expression,
  "powershell pwsh": shell,
  cmd: commandShell,
  "start-process start": start,
  "certutil bitsadmin": certutil,
  "mshta regsvr32 rundll32 msiexec wmic cscript wscript installutil regasm regsvcs": fetchRun,
  "new-object": object,
  "write-output write-host echo": prints,
  "foreach-object": each,
  "where-object select-object out-string select-string sort-object": through,
  "set-location push-location": job => {
    const to = operands(job)[0];
    if (to) job.m.state.cwd = job.m.places.of(windowsPath(to.text), job.m.state.cwd);
    return EMPTY;
  },
};

const byName = new Map<string, Effect>();
for (const names in table) for (const name of names.split(" ")) byName.set(name, table[names]!);

/** Programs that are the same everywhere, judged by the table of POSIX programs. */
const shared =
  /^(git|docker|podman|kubectl|helm|aws|az|gcloud|terraform|npm|pnpm|yarn|npx|python|python3|node|pip|pip3|ssh|scp|psql|mysql|sqlite3|ruby|perl|php|bash|sh|wsl|nc|ncat|gh|cargo|go|dotnet|redis-cli|mongosh|tar|nmap|openssl|deno|bun|uv)$/;

export function effects(job: WindowsJob): Val {
  const { m, inv } = job;
  const effect = byName.get(inv.program);
  if (effect) return effect(job) ?? unknown();
  if (shared.test(inv.program)) {
    m.subjects.pop();
    const head = field(literal(inv.program), inv.span!);
    const input = job.input ? { val: job.input, at: 0 } : undefined;
    const before = m.dialect;
    m.dialect = "posix";
    const printed = invoke(m, [head, ...job.words], { input, socket: undefined });
    m.dialect = before;
    return printed;
  }
  return unknown(UNKNOWN | (job.input?.taint ?? 0));
}
