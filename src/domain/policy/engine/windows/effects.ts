import { windowsPath } from "../windows-path.ts";
import { NETWORK, UNKNOWN } from "../taint.ts";
import { EMPTY, field, join, literal, unknown, type Val, word } from "../value.ts";
import {
  archives,
  copies,
  filters,
  joined,
  parent,
  links,
  lists,
  makes,
  mounts,
  permissions,
  reads,
  remove,
  writes,
  mirrors,
} from "./files.ts";
import { type Effect, held, items, nothing, operands, value, type WindowsJob } from "./job.ts";
import { getVariable, onDrive, setVariable } from "./drives.ts";
import { aliasNamed, commandNamed, listed, managed, onPiped } from "./objects.ts";
import {
  alias,
  behind,
  commandShell,
  each,
  expression,
  forEachFile,
  inBlocks,
  management,
  opens,
  posix,
  query,
  shell,
  start,
  subsystem,
} from "./start.ts";
import { certutil, fetchRun, mail, object, web } from "./web.ts";

/** To `echo` of cmd a switch is text like any other. */
const prints: Effect = job => join(job.inv.dialect === "cmd" ? job.words : operands(job), " ");
/** `setx NAME value`: the variable of every program started later. */
const sets: Effect = job => {
  const [name, value] = operands(job);
  if (name && value)
    job.m.facts.push({ kind: "env", of: job.of, name: name.text.toUpperCase(), value: word(value), span: name.span });
  return EMPTY;
};

/** `cd HKCU:\\Software; Set-ItemProperty Run x y`: the key is seen from there. */
const inHive: Effect = job => {
  const hive = job.m.state.vars?.get("location:registry")?.val;
  const key = value(job, "-path") ?? operands(job)[0];
  if (hive && key) job.inv.args.push({ text: `${hive.text}\\${key.text}`, known: key.known });
  return EMPTY;
};

/** `Import-Module .\\x.ps1` runs what this very text has written. */
const loads: Effect = job => {
  const named = value(job, "-name") ?? operands(job)[0];
  const made = named && held(job, named);
  if (made) job.m.flow(job.of, made, "shell");
  return EMPTY;
};

/** Code from the network that is compiled here runs here. */
const compiles: Effect = job => {
  const code = value(job, "-typedefinition", "-memberdefinition", "-path") ?? operands(job)[0];
  if (code) job.m.flow(job.of, { ...code, taint: code.taint & ~UNKNOWN }, "executed");
  return EMPTY;
};

const through: Effect = job => job.input;

/** What commands of PowerShell and cmd do, by their long names. */
const table: Record<string, Effect> = {
  "remove-item del erase rd rmdir clear-content clear-item": remove,
  "set-content add-content": onDrive(writes),
  "out-file tee-object": writes,
  "new-item md mkdir": onDrive(makes),
  "set-item": onDrive(nothing),
  "get-content type more": reads,
  "get-childitem dir get-item resolve-path": lists,
  "where-object select-object sort-object": filters,
  "copy-item copy xcopy": copies("read"),
  robocopy: mirrors,
  "move-item move ren rename-item": copies("delete"),
  mklink: job => links(job, operands(job)[0], operands(job)[1]),
  "compress-archive makecab": archives,
  "icacls cacls takeown set-acl attrib": permissions,
  "new-psdrive net subst": mounts,
  "invoke-webrequest invoke-restmethod start-bitstransfer": web,
  "send-mailmessage": mail,
  "invoke-expression invoke-command start-job start-threadjob register-objectevent register-engineevent measure-command":
    expression,
  "join-path": joined,
  "split-path": parent,
  "get-alias": job => aliasNamed(operands(job)[0]?.text ?? ""),
  "powershell pwsh": shell,
  cmd: commandShell,
  "start-process start": start,
  "invoke-item": opens,
  wmic: job => management(job) ?? fetchRun(job),
  forfiles: forEachFile,
  "psexec psexec64 paexec winrs conhost runas gsudo sudo explorer pcalua scriptrunner": behind,
  wsl: subsystem,
  "certutil bitsadmin": certutil,
  "mshta regsvr32 rundll32 msiexec cscript wscript installutil regasm regsvcs hh cmstp": fetchRun,
  "new-object": object,
  "write-output write-host echo": prints,
  "foreach-object": each,
  "get-process": listed("process"),
  "get-service": listed("service"),
  "get-wmiobject get-ciminstance": managed,
  "invoke-cimmethod invoke-wmimethod": job => onPiped(job) && management(job),
  "stop-process stop-service remove-service suspend-service remove-ciminstance remove-wmiobject": onPiped,
  "get-command": commandNamed,
  "get-psdrive": () => items("C:\\", true),
  "resolve-dnsname nslookup": () => unknown(NETWORK),
  "out-string convertto-json convertto-csv convertto-xml select-string get-unique format-list format-table": through,
  "set-alias new-alias": alias,
  "invoke-sqlcmd sqlcmd": query,
  "add-type": compiles,
  "set-variable new-variable": setVariable,
  "get-variable": getVariable,
  setx: sets,
  "set-itemproperty new-itemproperty remove-itemproperty": inHive,
  "import-module": loads,
  "clear-host cls": nothing,
  "set-location push-location cd chdir pushd": job => {
    const to = value(job, "-path", "-literalpath") ?? operands(job)[0];
    const hive = to && /^(hk\w+:|registry::)/i.test(to.text);
    if (hive) job.m.state.set("location:registry", { ...to, text: to.text.replace(/\\$/, "") });
    else if (to) job.m.state.cwd = job.m.place(windowsPath(to.text));
    return EMPTY;
  },
};

const byName = new Map<string, Effect>();
for (const names in table) for (const name of names.split(" ")) byName.set(name, table[names]!);

/** Programs that are the same everywhere, judged by the table of POSIX programs. */
const shared =
  /^(git|docker|podman|kubectl|helm|aws|az|gcloud|gsutil|terraform|tofu|pulumi|ansible|npm|pnpm|yarn|npx|python|python3|node|pip|pip3|ssh|scp|sftp|psql|mysql|sqlite3|ruby|perl|php|bash|sh|nc|ncat|gh|cargo|go|dotnet|redis-cli|mongosh|tar|nmap|openssl|deno|bun|uv|curl|wget|apply_patch|applypatch|chmod|chown|chgrp|crontab|dd|env|mkfs|mkfs\.\w+|nohup|rsync|shred|systemctl|wipefs|xargs)$/;
/** Where PowerShell on Linux and macOS finds programs. */
const posixPlace = /^\/(?:usr\/(?:local\/)?)?s?bin\//;

/** Whether anything is known about a command of this name. */
export const understood = (name: string): boolean => byName.has(name) || shared.test(name);

export function effects(job: WindowsJob): Val {
  const { m, inv } = job;
  const effect = byName.get(inv.program);
  if (effect) return effect(job) ?? unknown();
  if (shared.test(inv.program) || posixPlace.test(inv.path ?? "")) {
    m.subjects.pop();
    return posix(job, [field(literal(inv.program), inv.span!), ...job.words]);
  }
  inBlocks(job);
  return unknown(UNKNOWN | (job.input?.taint ?? 0));
}
