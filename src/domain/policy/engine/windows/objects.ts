/** Objects of PowerShell that are no files: processes, services, what WMI and COM hand out. Their text says what they are. */
import { matches } from "../fold/pattern.ts";
import { aliases } from "./cmdlets.ts";
import { NETWORK, UNKNOWN } from "../taint.ts";
import { EMPTY, literal, unknown, type Val } from "../value.ts";
import { type Effect, operands, value } from "./job.ts";

/** `process:node`, `service:*`, `wmi:win32_shadowcopy`, `com:wscript.shell`. */
const described = /^(process|service|wmi|com|adsi):/;
export const isObject = <T extends { text: string }>(v: T | undefined): v is T =>
  v !== undefined && described.test(v.text);

const object = (kind: string, name: string, taint = 0): Val => ({
  ...unknown(taint),
  text: `${kind}:${name.toLowerCase()}`,
});

/** `Get-Process node`, `Get-Service`: all of them without a name. */
export const listed =
  (kind: string): Effect =>
  job => {
    if (value(job, "-id", "-inputobject")) return unknown(0);
    return object(kind, (value(job, "-name", "-displayname") ?? operands(job)[0])?.text ?? "*");
  };

/** `Get-CimInstance Win32_ShadowCopy`, `Get-WmiObject -Query "select * from …"`. */
export const managed: Effect = job => {
  const query = value(job, "-query")?.text ?? "";
  const named = value(job, "-class", "-classname")?.text ?? operands(job)[0]?.text;
  return object("wmi", /\bfrom\s+(\w+)/i.exec(query)?.[1] ?? named ?? "");
};

/** `[ADSI]'WinNT://./Administrators,group'`: accounts and groups of this machine or a domain. */
export const directory = (path: string): Val => object("adsi", path);

const fetching = /xmlhttp|winhttp|internetexplorer/;

/** `New-Object -ComObject name`: what some of them yield comes from the network. */
export const com = (name: string): Val => object("com", name, fetching.test(name.toLowerCase()) ? NETWORK : 0);

/** What a command without operands is given by the pipe: `Get-Process node | Stop-Process`. */
export const onPiped: Effect = job => {
  for (const f of operands(job).filter(isObject)) f.text = f.text.replace(/^(process|service):/, "");
  const given = operands(job).length > 0 || value(job, "-name", "-id", "-inputobject") ? undefined : job.input;
  if (isObject(given))
    for (const text of given.text.replace(/^(process|service):/, "").split(" "))
      job.inv.args.push({ text, known: true });
  return job.input?.known === false && job.input.taint === UNKNOWN ? unknown() : EMPTY;
};

/** `.AddCommand('x').AddParameter('Path', 'C:\')` of a PowerShell that is made by hand: the command so far. */
export function built(on: Val, method: string, [first, second]: readonly Val[]): Val | undefined {
  if (first === undefined || !first.known) return undefined;
  if (method === "addcommand") return literal(first.text);
  if (method === "addargument") return { ...on, text: `${on.text} '${first.text}'` };
  if (method !== "addparameter") return undefined;
  return { ...on, text: `${on.text} -${first.text}${second ? ` '${second.text}'` : ""}` };
}

/** Methods of such objects that are a command by another name. */
const commands: Record<string, Record<string, string>> = {
  process: { kill: "stop-process", closemainwindow: "stop-process" },
  service: { stop: "stop-service", delete: "remove-service" },
};

/** The command a method of an object stands for, and what it is given. */
export function commandOf(on: Val, method: string): { program: string; given: Val } | undefined {
  if (!isObject(on)) return undefined;
  const [kind = "", name = ""] = on.text.split(":", 2);
  const program = commands[kind]?.[method];
  return program === undefined ? undefined : { program, given: literal(name) };
}

const short = [...aliases.keys()].filter(name => /^[a-z]/.test(name));

/** `Get-Alias ie?`: the command an alias, or a pattern of one, stands for. */
export function aliasNamed(text: string): Val {
  const lower = text.toLowerCase();
  const name = /[*?]/.test(lower) ? short.find(one => matches(lower, one)) : lower;
  const meant = name === undefined ? undefined : aliases.get(name);
  return meant === undefined ? unknown() : literal(meant);
}

/** Names of commands a pattern stands for: `Get-Command Remov*-It?m`. */
const usual =
  "remove-item invoke-expression invoke-webrequest invoke-restmethod invoke-command start-process new-object stop-process".split(
    " ",
  );

export const commandNamed: Effect = job => {
  const text = (value(job, "-name") ?? operands(job)[0])?.text.toLowerCase() ?? "";
  if (!/[*?]/.test(text)) return text === "" ? unknown() : literal(text);
  const found = usual.find(name => matches(text, name));
  return found === undefined ? unknown() : literal(found);
};
