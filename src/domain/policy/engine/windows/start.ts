/** Commands of Windows that run other commands. */
import { base64Decode } from "../fold/encodings.ts";
import { windowsPath } from "../windows-path.ts";
import { invoke } from "../run/invoke.ts";
import { fedBy, TERMINAL } from "../run/machine.ts";
import { DECODED, UNKNOWN } from "../taint.ts";
import { runCode } from "../unwrap/text.ts";
import { EMPTY, type Field, join, literal, unknown, type Val } from "../value.ts";
import {
  type Effect,
  file,
  flag,
  fromShare,
  held,
  inputField,
  operands,
  piped,
  value,
  type WindowsJob,
} from "./job.ts";
import { codeOf, isBlock } from "./blocks.ts";
import { elements, listOf, PART } from "./lists.ts";
import { powershell } from "./powershell.ts";
import { windows } from "./run.ts";

/** `iex text`, `… | iex`. */
export const expression: Effect = job => {
  const code =
    value(job, "-command", "-scriptblock", "-action") ?? job.words.find(isBlock) ?? operands(job)[0] ?? inputField(job);
  return code ? runText(job, code, "powershell") : undefined;
};

export function runText(job: WindowsJob, code: Field, dialect: "powershell" | "cmd"): Val | undefined {
  const { m } = job;
  code = codeOf(code);
  m.code(job.of, code, "shell");
  if (m.socketHost && !code.known) m.wired(job.of, m.socketHost);
  if (!code.known) {
    if (code.taint === 0 || code.taint === UNKNOWN) m.gap("unresolved_program", code.text.slice(0, 80), code.span);
    return unknown();
  }
  m.within(job.inv.program, () => m.based(code.span, () => windows(m, code.text.replaceAll(PART, "\n"), dialect)));
  return undefined;
}

/** `powershell -enc …`, `-Command …`, `-File …`. */
export const shell: Effect = job => {
  const encoded = value(job, "-encodedcommand");
  if (encoded) {
    const text = base64Decode(encoded.text).replaceAll("\0", "");
    return runText(job, { ...encoded, text, taint: encoded.taint | DECODED }, "powershell");
  }
  const at = job.words.findIndex(f => /^-c(o|om|omm|omma|omman|ommand)?$/i.test(f.text));
  const first = job.words.findIndex((f, i) => !isSwitch(job, f, i));
  const code = at >= 0 ? job.words.slice(at + 1) : first >= 0 ? job.words.slice(first) : [];
  const script = value(job, "-file", "-f");
  if (script) {
    const made = held(job, script);
    file(job, script, "execute");
    fromShare(job, script);
    if (made) job.m.flow(job.of, made, "shell");
    return made?.known ? runText(job, { ...script, ...made }, "powershell") : undefined;
  }
  if (code.length > 0 && code[0]!.text !== "-") return runText(job, whole(code), "powershell");
  if (job.input) return runText(job, inputField(job)!, "powershell");
  job.inv.interactive = true;
  return undefined;
};

/** A switch of `powershell.exe`, or the value of one. */
function isSwitch(job: WindowsJob, f: Field, i: number): boolean {
  if (/^[-/][A-Za-z]/.test(f.text)) return true;
  return (
    i > 0 && /^-(ep|ex\w*|w\w*|v\w*|inputformat|outputformat|psconsolefile|config\w*)$/i.test(job.words[i - 1]!.text)
  );
}

const whole = (words: readonly Field[]): Field => ({
  ...words[0]!,
  ...join(words, " "),
});

export const commandShell: Effect = job => {
  const at = job.words.findIndex(f => /^\/[ckr]/i.test(f.text));
  if (at < 0) {
    if (job.input) return runText(job, inputField(job)!, "cmd");
    job.inv.interactive = true;
    return undefined;
  }
  const rest = job.words.slice(at + 1);
  const attached = job.words[at]!.text.slice(2);
  const code = attached === "" ? rest : [{ ...job.words[at]!, text: attached }, ...rest];
  return code.length > 0 ? runText(job, whole(code), "cmd") : undefined;
};

/** `Start-Process prog -ArgumentList …`, `start prog`. */
export const start: Effect = job => {
  const program = value(job, "-filepath") ?? operands(job).find(f => f.text !== "" && !/^".*"$/.test(f.text));
  if (!program) return undefined;
  const given = value(job, "-argumentlist", "-args");
  const made = held(job, program);
  if (made) job.m.flow(job.of, made, "executed");
  const rest =
    job.inv.dialect === "cmd"
      ? job.words.slice(job.words.indexOf(program) + 1)
      : operands(job).filter(f => f !== program);
  if (job.inv.dialect !== "cmd") return launched(job, [program, ...(given ? [given] : rest)]);
  const text = `${program.text} ${rest.map(f => f.text).join(" ")}`.trim();
  return runText(job, { ...program, text }, "cmd");
};

/** Starts a program as no shell does: what stands between its words is text. */
export function launched(job: WindowsJob, [program, ...rest]: readonly Field[]): Val | undefined {
  if (program === undefined) return undefined;
  const name = /\s/.test(program.text) && !program.text.includes("\\") ? program.text : `& ${quoted(program.text)}`;
  const words = rest.flatMap(f => f.text.replaceAll(PART, " ").match(/"[^"]*"|[^\s"]+/g) ?? []);
  const text = [name, ...words.map(one => quoted(one.replace(/^"|"$/g, "")))].join(" ");
  return runText(job, { ...program, ...join([program, ...rest], " "), text }, "powershell");
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/** `Invoke-Item path`: opens the file with what it belongs to; a program is started. */
export const opens: Effect = job => {
  const named = value(job, "-path") ?? operands(job)[0] ?? piped(job);
  return named && runText(job, { ...named, text: `& '${named.text}'` }, "powershell");
};

/** `CommandLine="cmd"` without its name and quotes. */
const bareCommandLine = (text: string): string =>
  text.replace(/^.*commandline\s*=\s*["']?/i, "").replace(/(?<!["'\s])["'\s]+$/, "");

/** `Invoke-CimMethod Win32_Process Create`, `wmic process call create`: the text is a command line of its own. */
export const management: Effect = job => {
  const words = job.words.map(f => f.text).join(" ");
  const [, then] = words.split(/\b(?:win32_)?process\b(.*)$/is);
  if (then === undefined || !/\bcreate\b/i.test(then)) return undefined;
  const given = value(job, "-argumentlist", "-arguments") ?? job.words.at(-1);
  const line = given && { ...given, text: bareCommandLine(given.text) };
  return line && runText(job, line, "cmd");
};

/** `wsl rm -rf /`, `wsl -d Ubuntu -- cmd`: a POSIX command. */
export const subsystem: Effect = job => {
  const valued = /^(-d|-u|--distribution|--user|--cd|--shell-type)$/i;
  const at = job.words.findIndex((f, i) => !/^-/.test(f.text) && !valued.test(job.words[i - 1]?.text ?? ""));
  if (at < 0) {
    job.inv.interactive = !job.words.some(f =>
      /^--?(l|list|unregister|shutdown|terminate|import|export)/i.test(f.text),
    );
    return undefined;
  }
  const verb = job.words.slice(0, at).some(f => /^--(install|unregister|terminate|import|export|set)/i.test(f.text));
  return verb ? undefined : posix(job, job.words.slice(at));
};

/** `psexec \\srv -s cmd /c x`, `winrs -r:srv x`, `runas /user:u "x"`: what stands behind their own words. */
export const behind: Effect = job => {
  const own = (f: Field, i: number) => /^([-/]|\\\\)/.test(f.text) || /^-[upwinr]$/i.test(job.words[i - 1]?.text ?? "");
  const at = job.words.findIndex((f, i) => !own(f, i));
  return at < 0 ? undefined : runText(job, whole(job.words.slice(at)), "cmd");
};

/** Runs words by the table of POSIX programs. */
export function posix(job: WindowsJob, words: readonly Field[]): Val {
  const { m } = job;
  const before = m.dialect;
  m.dialect = "posix";
  const printed = invoke(m, words.map(slashed), job.input ? fedBy(job.input) : TERMINAL);
  m.dialect = before;
  return printed;
}

/** `f=@~\\.aws\\x` as a POSIX program has to read it. */
const slashed = (f: Field): Field => {
  const found = /^((?:[\w-]+=)?[@<]?)((?:~|\/tmp|[A-Za-z]:|\.{1,2})\\.*)$/s.exec(f.text);
  return found ? { ...f, text: found[1]! + windowsPath(found[2]!) } : f;
};

/** `forfiles /p dir /c "cmd /c del @path"`. */
export const forEachFile: Effect = job => {
  const code = value(job, "/c");
  const dir = value(job, "/p")?.text ?? ".";
  const mask = value(job, "/m")?.text ?? "*";
  const text = code?.text.replace(/@(path|file|fname|relpath)/gi, () => `${dir}\\${mask}`);
  return code && runText(job, { ...code, text: text! }, "cmd");
};

const eachMax = 64;

/** `… | % { … }`: the block runs with what comes in as `$_`, once for each element of a list that is known. */
export const each: Effect = job => {
  const { m, input } = job;
  const list = input?.known && input.origin === undefined ? elements(input).slice(0, eachMax) : [undefined];
  const printed = list.map(one => {
    if (input) m.state.set("_", one === undefined ? input : { ...input, text: one });
    const blocks = job.words.filter(isBlock);
    return listOf(blocks.map(f => m.based(f.span, () => powershell(m, codeOf(f).text))).filter(val => val.text !== ""));
  });
  const all = listOf(printed);
  return all.text === "" ? input : all;
};

/** Blocks given to a command that runs them for what they yield. */
export function inBlocks({ m, words, input }: WindowsJob): void {
  if (input && words.some(isBlock)) m.state.set("_", input);
  for (const f of words.filter(isBlock)) m.based(f.span, () => powershell(m, codeOf(f).text));
}

/** `Set-Alias x iex`. */
export const alias: Effect = job => {
  const [name, target] = [value(job, "-name") ?? operands(job)[0], value(job, "-value") ?? operands(job)[1]];
  if (name && target) job.m.state.set(`alias:${name.text.toLowerCase()}`, literal(target.text.toLowerCase()));
  return EMPTY;
};

export const query: Effect = job => {
  const sql = value(job, "-query", "-q") ?? value(job, "-inputfile");
  const text = sql ?? operands(job).find(f => /\s/.test(f.text));
  if (text && !flag(job, "-inputfile")) runCode(job.m, "sql", text, job.inv.program, TERMINAL);
  return undefined;
};
