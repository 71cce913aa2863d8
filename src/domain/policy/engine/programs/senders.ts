import { hole } from "../../facts.ts";
import { baseName } from "../paths.ts";
import { runCode } from "../unwrap/text.ts";
import { contentsOf } from "../run/redirect.ts";
import { NETWORK, SECRET, UNKNOWN, UNSET } from "../taint.ts";
import { type Field, field, join, literal, unknown, word } from "../value.ts";
import { file, readFile, send, standardInput } from "./effects.ts";
import { hostField, net } from "./network.ts";
import { sshOptions } from "./option-files.ts";
import { flagValue, flagValues, type Handler, hasFlag, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** Files named here leave for `host`. */
function leave(job: Job, files: readonly Field[], host: Field): void {
  if (files.length > 0) net(job, "upload", host);
  for (const f of files) send(job, readFile(job, f), host);
}

const put = /^\s*-?(?:m?put|reput|send|append|mirror\s+(?:-R|--reverse))\s+(.*)$/s;
const get = /^\s*-?(?:m?get|reget|pget|recv)\s+(.*)$/s;
/** What a client removes on the other machine: `rm -r /srv`, `mdelete *`. */
const removes = /^\s*-?(?:glob\s+)?(?:m?rm|rmdir|mdel(?:ete)?|delete)\s+(.*)$/s;
const opens = /^\s*-?open\s+(?:-\S+\s+\S+\s+)*(\S+)/;

/** A file of that name, or of the last part of that address, holds what `host` sent. */
function brought({ m }: Job, named: Field, host: Field): void {
  m.files.set(m.place(baseName(named.text)), unknown(NETWORK, { host: word(hostField(host)) }));
}

/** `put file` among the commands of an FTP client. */
function transferred(job: Job, commands: Field, host: Field | undefined): void {
  let to = host;
  for (const line of commands.text.split(/[\n;]/)) {
    const opened = opens.exec(line)?.[1];
    if (opened) to = hostField({ ...commands, text: opened });
    for (const text of named(removes, line))
      if (/^[~/]/.test(text)) file(job, { ...commands, text }, "delete", /\s-\w*r/.test(line));
    const other = to ?? { ...commands, text: job.inv.program };
    leave(
      job,
      named(put, line).map(text => ({ ...commands, text })),
      other,
    );
    const got = named(get, line).at(-1);
    if (got !== undefined) brought(job, { ...commands, text: got }, other);
  }
}

/** The files that a command names behind its options. */
const named = (command: RegExp, line: string): string[] =>
  (command.exec(line)?.[1] ?? "").split(/\s+/).filter(w => w !== "" && !w.startsWith("-"));

/** `sftp host`, `lftp -e 'put a' host`, `tftp host -c put a`: commands by option, file or standard input. */
function ftp(job: Job): void {
  const { m, operands, io } = job;
  if (io.input?.val.known) standardInput(job, "ex");
  const host = operands[0] && hostField(operands[0]);
  if (host) net(job, "connect", host);
  const output = flagValue(job, "-o") ?? (operands[0]?.text.includes("://") ? operands[0] : undefined);
  if (output && operands[0]) brought(job, output, operands[0]);
  const options = flagValues(job, "-c", "-e");
  const batch = flagValue(job, "-b", "-f");
  if (batch && batch.text !== "-") file(job, batch, "read");
  const read = batch && batch.text !== "-" ? contentsOf(m, batch) : io.input?.val;
  for (const f of options) transferred(job, { ...f, ...join([f, ...operands.slice(1)], " ") }, host);
  if (batch && read?.known) runCode(m, "ex", read, "-f", io);
  if (read?.known) transferred(job, field(read, job.inv.span!), host);
  else if (read && host) send(job, read, host);
}

/** `wormhole send file`, `pastebinit file`: whoever knows the code or address can fetch it. */
const shared =
  (sub?: string): Handler =>
  job => {
    if (sub !== undefined && job.inv.subcommands[0] !== sub) return undefined;
    const relay = field(literal(job.inv.program), job.inv.span!);
    leave(job, [...job.operands, ...flagValues(job, "-i", "--file", "-f")], relay);
    if (job.io.input) send(job, job.io.input.val, relay);
    return undefined;
  };

/** What a command printed below a domain that is written out, such as `$(hostname).x.test`. A variable may well be a name. */
const below = new RegExp(`${hole}\\.[\\w-]+\\.[\\w.-]+$`);

const lookup: Handler = job => {
  for (const f of job.operands) {
    if ((f.taint & ~(UNKNOWN | UNSET)) !== 0) send(job, f, f);
    if (!f.known && (f.taint & UNSET) === 0 && below.test(f.text))
      job.m.facts.push({ kind: "flow", of: job.of, from: "unknown", to: "network", host: word(f) });
  }
  return unknown(NETWORK | UNKNOWN);
};

/** Clients that carry whatever they are given, or read, to the machine they name. */
const carries: Handler = job => {
  const host =
    flagValue(job, "-h", "--host", "-n", "--server", "-H") ??
    job.operands.find(f => /[./@]/.test(f.text) && (f.taint & SECRET) === 0);
  const to = host
    ? hostField({ ...host, text: host.text.split("@").at(-1)! })
    : field(literal(job.inv.program), job.inv.span!);
  for (const f of job.operands) if ((f.taint & SECRET) !== 0) send(job, f, to);
  for (const f of job.inv.flags)
    if (f.value && ((f.value as Field).taint & SECRET) !== 0) send(job, f.value as Field, to);
  for (const f of flagValues(job, "-f", "--file", "-a", "--attach")) send(job, readFile(job, f), to);
  if (job.io.input) send(job, job.io.input.val, to);
  return unknown(NETWORK | UNKNOWN);
};

/** Programs whose one purpose is to hand files to somebody else. */
export const senders: Table = {
  "dig nslookup host drill": { run: lookup },
  "ping ping6 traceroute mtr": { run: lookup },
  "sftp lftp ftp tftp ncftp": {
    valued: "-b -c -D -F -i -J -l -o -P -R -S -e -f -u -p",
    runs: { "-S": "exec", "-e": "ex", "-c": "ex" },
    repl: "ex",
    run: job => {
      sshOptions(job);
      ftp(job);
      return unknown(NETWORK | UNKNOWN);
    },
  },
  smbget: {
    valued: "-U -w -u -p -o",
    run: job => {
      const [url] = job.operands;
      if (!url) return undefined;
      net(job, "download", hostField(url));
      brought(job, flagValue(job, "-o") ?? url, url);
      return undefined;
    },
  },
  "websocat wscat mosquitto_pub mosquitto_sub ntfy slack finger whois mpack sendemail syslog-ng-ctl kcat kafkacat nats-pub amqp-publish":
    {
      valued: "-h -H -t -f -a -s -p -u -n --host --server --file --attach --text --channel --title --topic",
      run: carries,
    },
  "wormhole magic-wormhole wormhole-william croc": {
    sub: 1,
    valued: "--code --relay --pass --text",
    run: shared("send"),
  },
  "transfer ffsend pastebinit wgetpaste nopaste slackcat telegram-send gist termshare": {
    valued: "-i -f --file -b -t -c -d -p --host --config",
    run: shared(),
  },
  "ncftpput ftp-upload tnftp": {
    valued: "-u -p -P -f -d -h --host --user --password",
    run: job => {
      const [first, ...rest] = job.operands;
      const to = flagValue(job, "-h", "--host", "-u") ?? first;
      if (to) leave(job, hasFlag(job, "-h", "--host") ? job.operands : rest, hostField(to));
      return undefined;
    },
  },
};
