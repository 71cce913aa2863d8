import { type Grant, hole } from "../../facts.ts";
import { baseName, isSecret, withoutSlash } from "../paths.ts";
import { programAt } from "../run/files.ts";
import { contents } from "../run/redirect.ts";
import { DECODED, UNKNOWN } from "../taint.ts";
import { EMPTY, type Field, join, literal, merged, tainted, unknown, type Val } from "../value.ts";
import { file, inputText, language } from "./effects.ts";
import { filtered } from "./filtering.ts";
import { type Handler, hasFlag, type Job, flagValue } from "./row.ts";
import type { Table } from "./table.ts";

/** A filter whose operands name files, like `cat`, `head` and `rev`. */
const filter =
  (name: string, taint = 0, skip = 0): Handler =>
  job =>
    filtered(job, name, inputText(job, job.operands.slice(skip)), taint);

/** `base64 -d`: decoded text is tainted whether or not the engine can decode it too. */
const base64: Handler = job => {
  const decodes =
    job.inv.program === "b64decode" ||
    hasFlag(job, "-d", "-D", "-di", "-id") ||
    job.inv.flags.some(f => /^--d(e(c\w*)?)?$/.test(f.name));
  return filtered(job, job.inv.program, inputText(job), decodes ? DECODED : 0);
};

const xxd: Handler = job => {
  const [from, to] = job.operands;
  const printed = filtered(job, "xxd", inputText(job, from ? [from] : []), hasFlag(job, "-r", "-revert") ? DECODED : 0);
  if (!to) return printed;
  job.m.files.set(job.m.place(to.text), printed);
  return EMPTY;
};

/** `paste a b`: their lines side by side. */
const paste: Handler = job => {
  const given = flagValue(job, "-d", "--delimiters")?.text;
  if (job.operands.length < 2 || hasFlag(job, "-s")) return filtered(job, "paste", inputText(job), 0);
  const texts = job.operands.map(f => inputText(job, [f]));
  const { taint, origin } = merged(texts);
  if (!texts.every(t => t.known)) return unknown(taint | UNKNOWN, origin);
  const columns = texts.map(t => t.text.replace(/\n$/, "").split("\n"));
  const by = given === undefined ? "\t" : given === "\\0" ? "" : given.slice(0, 1);
  const rows = columns.reduce((most, c) => Math.max(most, c.length), 0);
  job.m.work(rows * columns.length * 8);
  const text = Array.from({ length: rows }, (_, i) => `${columns.map(c => c[i] ?? "").join(by)}\n`).join("");
  return tainted(text, true, taint, origin);
};

/** `envsubst`: the values of the variables a text names. */
const substituted: Handler = job => {
  const input = job.io.input?.val ?? EMPTY;
  const text = input.text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (_, bare?: string, braced?: string) => {
    const held = job.m.state.get(bare ?? braced!);
    return held?.known ? held.text : hole;
  });
  const known = input.known && !text.includes(hole);
  return tainted(text, known, known ? input.taint : input.taint | UNKNOWN, input.origin);
};

/** `tr`, `rev` and the like hide as base64 does, but are everyday tools: the text is folded, no taint added. */
const tr: Handler = job => filtered(job, "tr", job.io.input?.val ?? EMPTY, 0);

const tee: Handler = job => {
  const input = job.io.input?.val ?? unknown();
  for (const f of job.operands) {
    const path = file(job, f, "write");
    job.m.files.set(path, input);
  }
  return input;
};

const rm: Handler = job => {
  // GNU takes every unambiguous beginning of a long option: `--rec`.
  const recursive = hasFlag(job, "-r", "-R") || job.inv.flags.some(f => /^--r(e(c\w*)?)?$/.test(f.name));
  for (const f of job.operands) file(job, f, "delete", recursive);
  return EMPTY;
};

/** `cp a b`, `mv a b`, `-t dir`: contents written on this line move along. */
const copy =
  (from: "read" | "delete"): Handler =>
  job => {
    const { m } = job;
    const target = flagValue(job, "-t", "--target-directory");
    const to = target ?? job.operands.at(-1);
    const sources = target ? job.operands : job.operands.slice(0, -1);
    const recursive = hasFlag(job, "-r", "-R", "-a", "--recursive", "--archive");
    if (!to || sources.length === 0) return EMPTY;
    const path = file(job, to, "write", recursive);
    for (const f of sources) {
      const source = file(job, f, from, from === "delete" || recursive);
      const piped = source === "/dev/stdin" ? job.io.input?.val : undefined;
      const held =
        piped ?? m.files.get(source) ?? programAt(source) ?? (isSecret(source) ? contents(m, source, f) : undefined);
      if (held) m.files.set(path, held);
      if (held) m.files.set(`${path}/${baseName(source)}`, held);
    }
    return EMPTY;
  };

const link: Handler = job => {
  const { m, operands } = job;
  const target = flagValue(job, "-t", "--target-directory") ?? operands.at(-1);
  if (operands.length > 0 && target) {
    const path = file(job, target, "link");
    const source = m.place(operands[0]!.text);
    m.file(job.of, "read", { text: source, known: operands[0]!.known, span: operands[0]!.span });
    const held = m.files.get(source) ?? programAt(source);
    if (held) m.files.set(path, held);
    m.links.set(path, source);
  }
  return EMPTY;
};

const symbolic = /(^|,)([ugoa]*)([+=])([rwxXstugo]*)/g;

/** What a mode gives away: write to everybody, set-user-id. */
function grants(mode: string): Grant[] {
  const out: Grant[] = [];
  if (/^[0-7]{3,5}$/.test(mode)) {
    const n = Number.parseInt(mode, 8);
    if ((n & 0o002) !== 0 && (n & 0o1000) === 0) out.push("world_write");
    if ((n & 0o6000) !== 0) out.push("setuid");
    return out;
  }
  for (const [, , who, , what] of mode.matchAll(symbolic)) {
    if (what!.includes("w") && /[oa]/.test(who!)) out.push("world_write");
    if (what!.includes("s")) out.push("setuid");
  }
  return out;
}

const world: Grant[] = ["world_write"];

const chmod: Handler = job => {
  const recursive = hasFlag(job, "-R", "--recursive");
  const reference = hasFlag(job, "--reference");
  // `chmod -x file`: the mode looks like an option.
  const minus = reference ? undefined : job.argv.find(f => /^-[rwxXst]+$/.test(f.text));
  const [mode, ...rest] = minus ? [minus, ...job.operands] : job.operands;
  // `chmod -R /`: where the mode was forgotten, any may have been meant.
  const lacking = mode !== undefined && rest.length === 0 && !reference;
  const given = lacking ? world : mode ? grants(mode.text) : [];
  for (const f of reference || lacking ? job.operands : rest) {
    const before = job.m.facts.length;
    file(job, f, "permissions", recursive);
    const fact = job.m.facts[before];
    if (given.length > 0 && fact?.kind === "file") fact.grants = given;
  }
  return EMPTY;
};

const chown: Handler = job => {
  const recursive = hasFlag(job, "-R", "--recursive");
  for (const f of hasFlag(job, "--reference") ? job.operands : job.operands.slice(1))
    file(job, f, "permissions", recursive);
  return EMPTY;
};

/** `setfacl -m u:me:rw file`: the entry is a flag's value. */
const setfacl: Handler = job => {
  for (const f of job.operands) file(job, f, "permissions", hasFlag(job, "-R", "--recursive"));
  return EMPTY;
};

/** `dd if= of=`: words of the form `key=value`. */
const dd: Handler = job => {
  const { m } = job;
  const get = (key: string): Field | undefined => {
    const f = job.operands.find(o => o.text.startsWith(`${key}=`));
    return f && { ...f, text: f.text.slice(key.length + 1) };
  };
  const from = get("if");
  const to = get("of") ?? get("wipe");
  if (from) file(job, from, "read");
  const whole = from ? inputText(job, [from]) : (job.io.input?.val ?? EMPTY);
  // Carved out of another file.
  const what = get("skip") ? unknown(whole.taint | DECODED | UNKNOWN, whole.origin) : whole;
  if (!to) return what;
  const path = file(job, to, "write");
  m.files.set(path, what);
  if (path.startsWith("/dev/")) m.flow(job.of, { ...what, taint: what.taint | UNKNOWN }, "device");
  return EMPTY;
};

/** `split file prefix`: the first piece, which holds all that is short. */
const pieces: Handler = job => {
  const [from, prefix] = job.operands;
  const input = from && from.text !== "-" ? inputText(job, [from]) : (job.io.input?.val ?? EMPTY);
  job.m.files.set(job.m.place(`${prefix?.text ?? "x"}aa`), input);
  return EMPTY;
};

/** `mkfifo a`, `mknod a p`: pipes with a name. */
const pipes: Handler = ({ m, operands }) => {
  m.pipes ??= new Set();
  for (const f of operands) m.pipes.add(m.place(f.text));
  return EMPTY;
};

const mktemp: Handler = job => {
  const template = job.operands[0]?.text ?? "tmp.XXXXXXXXXX";
  return literal(`${template.startsWith("/") ? "" : "/tmp/"}${template}\n`);
};

/** Its words are printed: `basename /a/b`, `dirname`, `realpath`, `seq`. */
const printed =
  (change: (texts: readonly string[]) => string): Handler =>
  job => {
    const { taint, origin } = merged(job.operands);
    if (!job.operands.every(f => f.known)) return unknown(taint, origin);
    return tainted(change(job.operands.map(f => f.text)), true, taint, origin);
  };

const base = ([path = "", suffix = ""]: readonly string[]): string => baseName(withoutSlash(path)).replace(suffix, "");

/** The folder above; of a home and of the working directory, whose names nobody knows, by `..`. */
const parent = (path: string): string => {
  if (path === "~" || path === "$repo" || path.endsWith("/..")) return `${path}/..`;
  const plain = withoutSlash(path);
  const at = plain.lastIndexOf("/");
  if (at > 0) return plain.slice(0, at);
  return path.startsWith("/") ? "/" : ".";
};

function seq(t: readonly string[]): string {
  const [from, by, to] =
    t.length === 1 ? [1, 1, Number(t[0])] : t.length === 2 ? [Number(t[0]), 1, Number(t[1])] : t.map(Number);
  const out: number[] = [];
  for (let n = from!; by! > 0 ? n <= to! : n >= to!; n += by!) {
    if (out.length > 200 || !by) break;
    out.push(n);
  }
  return `${out.join("\n")}\n`;
}

const unreadable: Handler = job => {
  for (const f of job.operands) file(job, f, "delete", false);
  return EMPTY;
};

const truncate: Handler = job => {
  for (const f of job.operands) file(job, f, "write");
  return EMPTY;
};

/** `install`: copies like `cp`, with a mode. */
const install: Handler = job => {
  const mode = flagValue(job, "-m", "--mode");
  const before = job.m.facts.length;
  if (hasFlag(job, "-d", "--directory")) {
    for (const f of job.operands) file(job, f, "write");
    return EMPTY;
  }
  copy("read")(job);
  const given = mode ? grants(mode.text) : [];
  const fact = job.m.facts[before];
  if (given.length > 0 && fact?.kind === "file") job.m.facts.push({ ...fact, does: "permissions", grants: given });
  return EMPTY;
};

/** `shuf -e a b`: the words, one a line. */
const words = (job: Job): Val =>
  join(
    job.operands.map(f => ({ ...f, text: `${f.text}\n` })),
    "",
  );

/** `yes text`: some lines of what never ends. */
function repeated(job: Job): Val {
  const all = join(job.operands.length > 0 ? job.operands : [literal("y")], " ");
  return { ...all, text: `${all.text}\n`.repeat(4) };
}

export const coreutils: Table = {
  "cat nl": { valued: "", operands: "read", run: filter("cat") },
  rev: { valued: "", operands: "read", run: filter("rev") },
  tac: { valued: "-s -b -r", operands: "read", run: filter("tac") },
  sort: {
    valued: "-k -t -S -T -o --key --field-separator --output --compress-program --parallel --buffer-size",
    operands: "read",
    files: { "-o": "write", "--output": "write" },
    runs: { "--compress-program": "exec" },
    run: filter("sort"),
  },
  uniq: {
    valued: "-f -s -w",
    operands: "read",
    last: "write",
    run: job => filtered(job, "uniq", inputText(job, job.operands.slice(0, 1)), 0),
  },
  head: { valued: "-n -c --lines --bytes", operands: "read", run: filter("head") },
  tail: { valued: "-n -c --lines --bytes --pid -s", operands: "read", run: filter("tail") },
  cut: {
    valued: "-c -b -f -d --characters --bytes --fields --delimiter --output-delimiter",
    operands: "read",
    run: filter("cut"),
  },
  tr: { valued: "", run: tr },
  "rot13 caesar": { valued: "", run: job => filtered(job, "rot13", job.io.input?.val ?? EMPTY, DECODED) },
  "fold fmt": { valued: "-w -b", operands: "read", run: filter("fold") },
  // Commands that lie in what is no text, or in another alphabet, were hidden there.
  iconv: { valued: "-f -t -o", operands: "read", run: filter("iconv", DECODED) },
  strings: { valued: "-n -t -e", operands: "read", run: filter("strings", DECODED) },
  paste: { valued: "-d", operands: "read", run: paste },
  "od hexdump": {
    valued: "-A -t -N -j -w -S -e -f -n -s",
    operands: "read",
    run: job => {
      const input = inputText(job);
      return filtered(job, job.inv.program, input, input.known ? DECODED : 0);
    },
  },
  envsubst: { valued: "", run: substituted },
  column: { valued: "-s -o -c -N -H -R -W -x", operands: "read", run: filter("column") },
  "less more most pg bat batcat view-file": {
    valued: "-p -P -x -b -o -k -t -T -j -y",
    operands: "read",
    spawner: true,
    run: job => {
      for (const f of job.operands)
        if (f.text.startsWith("+!")) language(job, "ex", { ...f, text: f.text.slice(1) }, "+");
      return undefined;
    },
  },
  "expand unexpand": { valued: "-t", operands: "read", run: filter("expand") },
  shuf: {
    valued: "-n -i -o --output",
    operands: "read",
    files: { "-o": "write", "--output": "write" },
    run: job => (hasFlag(job, "-e") ? words(job) : inputText(job)),
  },
  "hd join comm pr look csplit diff diff3 sdiff cmp colordiff zless zmore bzless xzless tsort ptx aspell fx gron dasel xmllint xsltproc file":
    {
      operands: "read",
    },
  "b64encode b64decode gbase64": { valued: "-o", operands: "read", run: base64 },
  base64: { valued: "-w --wrap -i -o -b", operands: "read", run: base64 },
  "base32 basenc": { valued: "-w --wrap", operands: "read", run: base64 },
  xxd: { valued: "-c -g -l -o -s -n", operands: "read", last: "write", run: xxd },
  "uudecode atob": {
    valued: "-o",
    run: job => unknown(DECODED | UNKNOWN | (job.io.input?.val.taint ?? 0)),
  },
  "tee sponge": { valued: "", run: tee },
  "rm grm": { valued: "", run: rm },
  "rimraf del-cli trash trash-put trash-cli gio-trash": {
    valued: "",
    run: job => {
      for (const f of job.operands) file(job, f, "delete", true);
      return EMPTY;
    },
  },
  gio: {
    sub: 1,
    run: job => {
      if (/^(trash|remove)$/.test(job.inv.subcommands[0] ?? ""))
        for (const f of job.operands) file(job, f, "delete", true);
      return undefined;
    },
  },
  rmdir: { valued: "", run: unreadable },
  unlink: { valued: "", run: unreadable },
  truncate: { valued: "-s -r --size --reference", run: truncate },
  "cp gcp": { valued: "-t -S --target-directory --suffix", run: copy("read") },
  "mv gmv": { valued: "-t -S --target-directory --suffix", run: copy("delete") },
  install: { valued: "-m -o -g -t -S --mode --owner --group --target-directory", run: install },
  "ln link": { valued: "-t -S --target-directory --suffix", run: link },
  touch: { valued: "-d -t -r --date --reference --time", operands: "write" },
  split: { valued: "-b -l -n -a -C", run: pieces },
  mkdir: { valued: "-m --mode -Z --context", operands: "write" },
  "mkfifo mknod": { valued: "-m --mode -Z --context", operands: "write", run: pipes },
  chmod: { valued: "--reference", run: chmod },
  "chown chgrp chattr chcon": { valued: "--from --reference -v -p", run: chown },
  setfacl: {
    valued: "-m -x -M -X --modify --remove --modify-file --remove-file --set --set-file --restore",
    run: setfacl,
  },
  setcap: { valued: "", run: chown },
  "dd dcfldd dc3dd sg_dd": { run: dd },
  mktemp: { valued: "-p --tmpdir --suffix", run: mktemp },
  basename: { valued: "-s --suffix", run: printed(t => `${base(t)}\n`) },
  dirname: {
    valued: "",
    run: printed(t => `${parent(t[0] ?? "")}\n`),
  },
  "realpath readlink": { valued: "--relative-to --relative-base", run: printed(t => `${t[0] ?? ""}\n`) },
  seq: { valued: "-s -f -w", run: job => (job.inv.flags.length > 0 ? undefined : printed(seq)(job)) },
  yes: { valued: "", run: job => repeated(job) },
  "sleep true false test": { run: () => EMPTY },
  "df lsblk blkid": { valued: "-o --output -t -x --type --exclude-type -B -b -s -I -e", run: () => undefined },
  "stat date whoami id uname hostname uptime w who groups tty nproc cal": {
    run: () => unknown(0),
  },
};
