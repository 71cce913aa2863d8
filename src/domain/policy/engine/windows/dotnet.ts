/** Members of .NET types and objects: each call is an invocation of its own (`[io.file]::delete`, `.setvalue`). */
import type { FileAct } from "../../facts.ts";
import { base64Decode } from "../fold/encodings.ts";
import { hostOf } from "../hosts.ts";
import { windowsPath } from "../windows-path.ts";
import { isSecret } from "../paths.ts";
import { invocation, type Machine } from "../run/machine.ts";
import { DECODED, NETWORK, SECRET, UNKNOWN } from "../taint.ts";
import { EMPTY, field, join, literal, unknown, type Val, word } from "../value.ts";
import { block, codeOf, isBlock } from "./blocks.ts";
import { powershell } from "./powershell.ts";
import { isTable, memberOf } from "./tables.ts";
import { evaluate } from "./values.ts";
import { characters, elements, formatted, listOf } from "./lists.ts";
import { file, items, jobOf, net, type WindowsJob } from "./job.ts";
import { launched, runText } from "./start.ts";
import { built, com, commandOf, isObject } from "./objects.ts";
import { socket } from "./web.ts";

/** `[System.IO.File]` is `[io.file]`. */
export const typeName = (text: string): string =>
  `[${text
    .toLowerCase()
    .replace(/\s+/g, "")
    .replace(/^system\./, "")}]`;

/** What the files named in the arguments suffer, argument by argument. */
const touches: Record<string, readonly FileAct[]> = {
  "[io.file]::delete": ["delete"],
  "[io.directory]::delete": ["delete"],
  "[microsoft.visualbasic.fileio.filesystem]::deletedirectory": ["delete"],
  "[microsoft.visualbasic.fileio.filesystem]::deletefile": ["delete"],
  "[io.file]::copy": ["read", "write"],
  "[io.file]::move": ["delete", "write"],
  "[io.directory]::move": ["delete", "write"],
  "[io.file]::replace": ["delete", "write"],
  "[io.directory]::createdirectory": ["write"],
  "[io.file]::setattributes": ["permissions"],
  "[io.compression.zipfile]::createfromdirectory": ["read", "write"],
  "[io.compression.zipfile]::extracttodirectory": ["read", "write"],
};

/** A call of a static member; what it yields. */
export function staticCall(m: Machine, name: string, args: readonly Val[]): Val {
  const pure = decoded(name, args);
  if (pure) return pure;
  const job = called(m, name, args);
  const acts = touches[name] ?? opened(name);
  if (acts) return touched(job, acts, args);
  if (name === "[environment]::setenvironmentvariable") return set(job, args);
  if (name === "[diagnostics.process]::start") return started(job, args);
  if (name === "[type]::gettype") return { ...given(args), text: typeName(given(args).text) };
  if (name === "[type]::gettypefromprogid") return com(given(args).text);
  if (name === "[activator]::createinstance" && isObject(args[0])) return args[0];
  if (name === "[microsoft.win32.registry]::setvalue") called(m, "set-itemproperty", args);
  if (/^\[net\.(http|file|ftp)?webrequest\]::create$/.test(name)) return fetched(m, given(args), "request");
  if (/^\[io\.(directory|file)info\]::new$/.test(name)) return items(given(args).text, given(args).known);
  if (/^\[io\.directory\]::(get|enumerate)/.test(name)) return items(`${args[0]?.text ?? ""}\\*`, given(args).known);
  if (name.endsWith("::new"))
    return socket(job, name, `client ${given(args).text}`) ?? unknown(given(args).taint & NETWORK);
  if (name.startsWith("[reflection.assembly]::") || name.includes("assembly.load"))
    m.flow(job.of, { ...given(args), taint: given(args).taint & ~UNKNOWN }, "executed");
  return { ...unknown(UNKNOWN | given(args).taint), origin: given(args).origin };
}

const constants: Record<string, string> = {
  "[io.path]::directoryseparatorchar": "\\",
  "[io.path]::altdirectoryseparatorchar": "/",
  "[environment]::newline": "\n",
  "[environment]::systemdirectory": "C:\\Windows\\System32",
  "[environment]::currentdirectory": ".",
  "[string]::empty": "",
};
/** The value of a static member that never changes. */
export const constant = (name: string): Val | undefined =>
  Object.hasOwn(constants, name) ? literal(constants[name]!) : undefined;

/** Members that only turn text into text. */
function decoded(name: string, args: readonly Val[]): Val | undefined {
  const all = given(args);
  if (name.includes("frombase64string"))
    return { ...all, text: all.known ? base64Decode(all.text) : all.text, taint: all.taint | DECODED };
  if (name.startsWith("[scriptblock]::create")) return { ...all, text: block(all.text).text };
  if (name.includes("getstring") && elements(all).every(one => /^(0x[\da-f]+|\d+)$/i.test(one)))
    return { ...all, text: elements(characters(all)).join("") };
  if (name.includes("getstring"))
    return { ...all, text: name.includes("unicode") ? all.text.replaceAll("\0", "") : all.text };
  if (name === "[string]::concat" && all.known) return { ...all, text: args.flatMap(elements).join("") };
  if (name === "[convert]::toint32" && all.known)
    return { ...all, text: String(Number.parseInt(args[0]!.text, Number(args[1]?.text ?? 10))) };
  if (/^\[environment\]::getfolderpath$/.test(name))
    return literal(/user|personal|documents|desktop/i.test(all.text) ? "~" : "C:\\Windows");
  if (name === "[string]::join" && args.length > 1 && all.known)
    return { ...all, text: args.slice(1).flatMap(elements).join(args[0]!.text) };
  if (name === "[string]::format" && all.known)
    return { ...all, text: formatted(args[0]!.text, args.slice(1).flatMap(elements)) };
  return name.startsWith("[string]::") ? { ...all, known: all.known && args.length < 2 } : undefined;
}

const given = (args: readonly Val[]): Val => join(args, " ");

function called(m: Machine, name: string, args: readonly Val[]): WindowsJob {
  const span = m.base ?? m.at ?? [0, 0];
  const inv = invocation(m, name, span);
  const words = args.map(a => field(a, span));
  inv.args = words.map(word);
  return jobOf(m, inv, words, undefined);
}

const opened = (name: string): readonly FileAct[] | undefined => {
  if (/^\[io\.(file|directory)\]::(write|append|create|openwrite)/.test(name)) return ["write"];
  return /^\[io\.file\]::(read|openread|opentext)/.test(name) ? ["read"] : undefined;
};

function touched(job: WindowsJob, acts: readonly FileAct[], args: readonly Val[]): Val {
  const recursive = /^(true|deleteallcontents|1)$/i.test(args[1]?.text ?? "");
  let read: Val = EMPTY;
  for (const [i, does] of acts.entries()) {
    const f = job.words[i];
    if (!f) continue;
    const path = file(job, f, does, recursive);
    if (does === "read") read = job.m.files.get(path) ?? unknown(UNKNOWN | (isSecret(path) ? SECRET : 0));
    if (does === "write") job.m.files.set(path, i > 0 ? read : (args[1] ?? EMPTY));
  }
  return read;
}

function set(job: WindowsJob, [name, value]: readonly Val[]): Val {
  if (name)
    job.m.facts.push({
      kind: "env",
      of: job.of,
      name: name.text,
      ...(value ? { value: word(field(value, [0, 0])) } : {}),
    });
  return EMPTY;
}

function started(job: WindowsJob, args: readonly Val[]): Val {
  const [info] = args;
  // `ProcessStartInfo` is a table of what is started.
  const read = (text: string) => powershell(job.m, text);
  const told =
    info && isTable(info)
      ? ["filename", "arguments"].map(name => memberOf(job.m, info, name, list => evaluate(job.m, list, read)))
      : args;
  return (
    launched(
      job,
      told.flatMap(arg => (arg ? field(arg, job.inv.span!) : [])),
    ) ?? EMPTY
  );
}

/** Methods of objects that do something; all others only yield values. */
const doing =
  /^(delete|deletefile|deletefolder|create|clearlog|retrieveall|retrievepassword|uninstall|setvalue|getfield|getmethod|gettype|terminate|kill|save|change|addscript|run|exec|shellexecute|shutdown|reboot|moveto|copyto)$/;

/** `$list.ForEach({ … })`, `$list.ForEach('Delete')`: the block, or the method, for each element. */
function overEach(m: Machine, on: Val, given: Val): Val {
  const all = on.known && on.origin === undefined ? elements(on).map(text => ({ ...on, text })) : [on];
  const made = all.map(one => {
    if (!isBlock(given)) return methodCall(m, one, given.text.toLowerCase(), []) ?? unknown();
    m.state.set("_", one);
    return powershell(m, codeOf(given).text);
  });
  return listOf(made);
}

/** What changes an entry of a directory service. */
const changing = /^(add|remove|create|delete|deletetree|deleteobject|put|setpassword|setinfo|moveto|invoke)$/;

/** A call of a member of a value; `undefined` where nothing is known about it. */
export function methodCall(m: Machine, on: Val, name: string, args: readonly Val[]): Val | undefined {
  const all = given(args);
  const last = name.slice(name.lastIndexOf(".") + 1);
  if (/^download(string|data|file)|^openread|^get(string|stream|bytearray)async/.test(last))
    return fetched(m, all, last);
  if (/^upload(string|data|file|values)/.test(last)) return sent(m, args, last);
  if (/^invoke(script|command)?$|^newscriptblock$|^addscript$/.test(last)) return invoked(m, on, last, args);
  if (last === "connect" && args.length > 1)
    return socket({ m, of: Math.max(0, m.subjects.length - 1) }, "net.socket", all.text);
  if (/^(foreach|where)$/.test(last) && args[0]) return overEach(m, on, args[0]);
  const command = commandOf(on, last);
  if (command) called(m, command.program, [command.given]);
  if (command) return EMPTY;
  const making = built(on, last, args);
  if (making) return making;
  if (on.text.startsWith("adsi:") && changing.test(last)) {
    called(m, `.${last}`, [literal(on.text), ...args]);
    return on;
  }
  if (!doing.test(last)) return undefined;
  const job = called(m, `.${last}`, on.text === "" ? args : [isObject(on) ? literal(on.text) : on, ...args]);
  if (last === "shellexecute")
    launched(
      job,
      args.map(arg => field(arg, job.inv.span!)),
    );
  else if (/^(run|exec)$/.test(last) && on.text.startsWith("com:")) runText(job, field(all, job.inv.span!), "cmd");
  if (last === "create" && /win32_process/i.test(on.text)) runText(job, field(all, job.inv.span!), "cmd");
  if (/^delete(file|folder)$/.test(last) && args[0]) file(job, field(args[0], job.inv.span!), "delete", true);
  if (last === "delete" && on.origin?.path) file(job, field(on, job.inv.span!), "delete", true);
  return { ...unknown(on.taint | all.taint), origin: on.origin ?? all.origin };
}

/** `{ … }.Invoke()`, `$ExecutionContext.InvokeCommand.InvokeScript(text)`, a method found by reflection. */
function invoked(m: Machine, on: Val, name: string, args: readonly Val[]): Val {
  const code = name === "invoke" ? on : given(args);
  const job = called(m, `.${name}`, args);
  return runText(job, field(code, job.inv.span!), "powershell") ?? EMPTY;
}

function fetched(m: Machine, all: Val, how: string): Val {
  const of = Math.max(0, m.subjects.length - 1);
  const host = { text: hostOf(all.text.split(" ")[0] ?? ""), known: all.known };
  m.facts.push({ kind: "net", of, does: "download", host });
  const data = unknown(NETWORK, { host });
  if (how.includes("file")) {
    const target = m.place(windowsPath(all.text.split(" ").at(-1)!));
    m.files.set(target, data);
    m.file(of, "write", { text: target, known: all.known });
  }
  return data;
}

function sent(m: Machine, args: readonly Val[], how: string): Val {
  const job = called(m, `.${how}`, args);
  const host = net(job, "upload", field(args[0] ?? EMPTY, job.inv.span!));
  const what = args.at(-1) ?? EMPTY;
  const path = how === "uploadfile" && job.words.at(-1) ? file(job, job.words.at(-1)!, "read") : undefined;
  const taint = what.taint | (path !== undefined && isSecret(path) ? SECRET : 0);
  m.flow(job.of, { ...what, taint }, "network", word(host));
  return EMPTY;
}

/** A property that is a known place, whatever object it belongs to. */
export const property = (on: Val, name: string): Val | undefined => {
  if (name === "historysavepath")
    return literal("~\\AppData\\Roaming\\Microsoft\\Windows\\PowerShell\\PSReadLine\\ConsoleHost_history.txt");
  if (on.known && /^(source|definition|name|value)$/.test(name)) return on;
  return /^(fullname|pspath|path|root|directoryname|allusersallhosts|alluserscurrenthost|currentuserallhosts|currentusercurrenthost)$/.test(
    name,
  )
    ? on
    : undefined;
};
