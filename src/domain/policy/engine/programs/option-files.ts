import { contentsOf } from "../run/redirect.ts";
import { type Field, field, literal, type Val } from "../value.ts";
import { file, language } from "./effects.ts";
import { flagValues, type Job } from "./row.ts";

/** Settings of ssh whose value it starts on this machine. */
const starting = /^\s*(?:ProxyCommand|LocalCommand|KnownHostsCommand)(?:\s*=\s*|\s+)(.*)$/is;
const matching = /^\s*Match\s.*\bexec\s+"([^"]*)"/is;
/** Settings that name a library or more settings, and those that name a file ssh writes. */
const naming = /^\s*(Include|PKCS11Provider|SecurityKeyProvider|UserKnownHostsFile)(?:\s*=\s*|\s+)"?(\/[^\s"]+)/i;

function sshSetting(job: Job, line: Field): void {
  const text = starting.exec(line.text)?.[1] ?? matching.exec(line.text)?.[1];
  if (text !== undefined) language(job, "shell", { ...line, text }, "-o");
  const [, name, path] = naming.exec(line.text) ?? [];
  if (path) file(job, { ...line, text: path }, /^User/i.test(name!) ? "write" : "execute");
}

const named = (job: Job, f: Field): Val => (f.text === "-" && job.io.input ? job.io.input.val : contentsOf(job.m, f));

/** `-o ProxyCommand=cmd` and the same in the file of `-F` run on this machine. */
export function sshOptions(job: Job): void {
  for (const f of flagValues(job, "-o")) sshSetting(job, f);
  for (const f of flagValues(job, "-F")) {
    const held = named(job, f);
    if (held.known) for (const text of held.text.split("\n")) sshSetting(job, { ...f, text });
  }
}

const setting = /^-{0,2}(\w[\w-]*)[\s=:]*(.*)$/s;

/** `upload-file = /etc/shadow`: a line of settings is a long option. */
function option(job: Job, line: string, f: Field): void {
  const [, name, given] = setting.exec(line.trim()) ?? [];
  if (name === undefined) return;
  const text = /^".*"$/s.test(given!) ? given!.slice(1, -1) : given!;
  const value = field({ ...literal(text), taint: f.taint, origin: f.origin }, f.span);
  job.inv.flags.push({ name: `--${name.replaceAll("_", "-")}`, value, span: f.span });
}

/** Options of curl in the file of `-K`. */
export function curlOptions(job: Job): void {
  for (const f of flagValues(job, "-K", "--config")) {
    file(job, f, "read");
    const held = named(job, f);
    if (held.known) for (const line of held.text.split("\n")) option(job, line, f);
  }
}

/** Options of wget in the words of `-e`. */
export function wgetOptions(job: Job): void {
  for (const f of flagValues(job, "-e", "--execute")) option(job, f.text, f);
}
