/** Commands of Windows that read, write, copy and delete files. */
import { type FileAct, hole } from "../../facts.ts";
import { shareHost, windowsPath } from "../windows-path.ts";
import { isSecret } from "../paths.ts";
import { SECRET, UNKNOWN } from "../taint.ts";
import { EMPTY, type Field, field, literal, tainted, unknown, type Val, word } from "../value.ts";
import { codeOf, isBlock } from "./blocks.ts";
import { inBlocks } from "./start.ts";
import { isObject } from "./objects.ts";
import {
  type Effect,
  file,
  flag,
  inputField,
  items,
  net,
  operands,
  paths,
  piped,
  value,
  type WindowsJob,
} from "./job.ts";

export const remove: Effect = job => {
  const recursive = flag(job, "-recurse", "/s", "-rf", "-fr") !== undefined;
  const all = paths(job);
  const hive = job.m.state.vars?.get("location:registry")?.val;
  if (hive) for (const f of all) job.inv.args.push({ text: `${hive.text}\\${f.text}`, known: f.known });
  else for (const f of all) file(job, f, "delete", recursive);
  // Objects nobody can tell: what is deleted may be anything.
  if (all.length === 0 && recursive && job.input?.known === false)
    file(job, { ...inputField(job)!, text: hole }, "delete", true);
  return EMPTY;
};

export const writes: Effect = job => {
  const all = paths(job);
  const target = value(job, "-path", "-literalpath", "-filepath") ?? all[0];
  const content = value(job, "-value") ?? job.input ?? all[1];
  if (target) job.m.files.set(file(job, target, "write"), content ?? EMPTY);
  const share = shareHost(target?.text ?? "");
  if (share !== undefined && content) job.m.flow(job.of, content, "network", { text: share, known: true });
  return EMPTY;
};

export const reads: Effect = job => {
  let taint = UNKNOWN;
  let held: Val | undefined;
  for (const f of paths(job)) {
    const path = file(job, f, "read");
    held ??= job.m.files.get(path);
    if (isSecret(path)) taint |= SECRET;
  }
  return held ?? unknown(taint);
};

/** `robocopy /MIR`: what the source does not have is gone from the target. */
export const mirrors: Effect = job => {
  const to = operands(job)[1];
  if (to && flag(job, "/mir", "/purge") && !flag(job, "/l")) file(job, to, "delete", true);
  return copies("read")(job);
};

/** Copies and moves: to `\\host\share` they send what they read. */
export const copies =
  (from: FileAct): Effect =>
  job => {
    const source = value(job, "-path", "-literalpath") ?? piped(job) ?? operands(job)[0];
    const given = value(job, "-destination", "-newname") ?? operands(job).at(-1);
    const to = job.words.some(f => isBlock(f) && codeOf(f).text === given?.text) ? undefined : given;
    const path = source && file(job, source, from, from === "delete");
    if (to && to !== source) file(job, to, "write");
    const drive = /^([a-z]):/i.exec(to?.text ?? "")?.[1]?.toLowerCase();
    const mounted = drive && job.m.state.vars?.get(`drive:${drive}`)?.val.text;
    const share = mounted || shareHost(to?.text ?? "");
    if (share !== undefined && path !== undefined && isSecret(path))
      job.m.flow(job.of, { ...source!, taint: SECRET }, "network", { text: share, known: true });
    return EMPTY;
  };

/** `Join-Path a b`. */
export const joined: Effect = job => {
  const [dir, name] = [value(job, "-path") ?? operands(job)[0], value(job, "-childpath") ?? operands(job)[1]];
  if (!dir || !name) return undefined;
  return { ...dir, text: `${dir.text.replace(/[\\/]$/, "")}\\${name.text}`, known: dir.known && name.known };
};

/** `Split-Path a\b` is `a`; of a home directory it is the folder of all. */
export const parent: Effect = job => {
  const named = value(job, "-path") ?? operands(job)[0];
  if (!named || flag(job, "-leaf", "-extension", "-qualifier")) return undefined;
  const at = Math.max(named.text.lastIndexOf("\\"), named.text.lastIndexOf("/"));
  return { ...named, text: named.text === "~" ? "C:\\Users" : named.text.slice(0, Math.max(at, 0)) || "." };
};

/** Lists files for the next command; with a filter only some of them. */
export const lists: Effect = job => {
  const [dir = field(literal("."), job.inv.span!)] = paths(job);
  // Variables of the environment hold keys.
  if (/^env:/i.test(dir.text)) return unknown(SECRET);
  const text = dir.text.replace(/(?<![\\/])[\\/]+$/, "");
  if (job.inv.program === "get-item" || text.endsWith("*")) return items(dir.text, dir.known);
  const filter = flag(job, "-filter", "-include", "-exclude");
  const some = flag(job, "-recurse", "-r") ? `${hole}\\*` : hole;
  return items(`${text}\\${filter ? some : "*"}`, dir.known && !filter);
};

/** Keeps some of what comes in. */
export const filters: Effect = job => {
  inBlocks(job);
  const files = piped(job);
  // Folders only, or files only, is still all of them.
  if (files && /psiscontainer/i.test(job.words[0]?.text ?? "")) return job.input;
  if (isObject(job.input) && job.inv.program === "where-object")
    return job.input.text.startsWith("wmi:") || /\$pid\b|processname\s+-ne|\bname\s+-ne/i.test(job.words[0]?.text ?? "")
      ? job.input
      : unknown(0);
  if (!files) return job.input;
  return items(files.text.includes(hole) ? files.text : files.text.replace(/\*$/, `${hole}\\*`), false);
};

/** `mklink link target`, `New-Item -ItemType SymbolicLink -Path link -Target target`. */
export function links(job: WindowsJob, link: Field | undefined, target: Field | undefined): Val {
  if (link) file(job, link, "write");
  if (target) file(job, target, "link");
  if (link && target) {
    const { m } = job;
    m.links.set(m.place(windowsPath(link.text)), m.place(windowsPath(target.text)));
  }
  return EMPTY;
}

export const makes: Effect = job =>
  /link|junction/i.test(value(job, "-itemtype", "-type")?.text ?? "")
    ? links(job, value(job, "-path") ?? operands(job)[0], value(job, "-target", "-value"))
    : writes(job);

/** `Compress-Archive a d.zip`, `makecab a d.cab`: the archive holds what was read. */
export const archives: Effect = job => {
  const [source, to] = [
    value(job, "-path", "-literalpath") ?? piped(job) ?? operands(job)[0],
    value(job, "-destinationpath") ?? operands(job)[1],
  ];
  const path = source && file(job, source, "read", true);
  const content = tainted(hole, false, path !== undefined && isSecret(path) ? SECRET : 0, undefined);
  if (to) job.m.files.set(file(job, to, "write"), content);
  return EMPTY;
};

/** Rights and owners of files. */
export const permissions: Effect = job => {
  const named = value(job, "-path", "-literalpath", "/f") ?? operands(job)[0];
  if (named) file(job, named, "permissions", flag(job, "/t", "/r", "-recurse") !== undefined);
  return undefined;
};

/** A drive letter or name for a share of another machine. */
export const mounts: Effect = job => {
  const share = job.words.find(f => /^\\\\[^\\?.]/.test(f.text));
  if (!share) return EMPTY;
  const host = net(job, "connect", { ...share, text: word(share).text.replace(/^\\\\/, "").split("\\")[0]! });
  const name = value(job, "-name") ?? job.words.find(f => /^[a-z]:$/i.test(f.text));
  if (name) job.m.state.set(`drive:${name.text.replace(":", "").toLowerCase()}`, host);
  return EMPTY;
};
