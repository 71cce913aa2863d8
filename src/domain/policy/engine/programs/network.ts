import type { NetAct } from "../../facts.ts";
import { hostOf, publisherOf } from "../hosts.ts";
import { baseName } from "../paths.ts";
import { programAt } from "../run/files.ts";
import { contents } from "../run/redirect.ts";
import { filled } from "../run/trees.ts";
import { NETWORK, SECRET, UNKNOWN } from "../taint.ts";
import { runText } from "../unwrap/text.ts";
import { EMPTY, type Field, field, join, literal, unknown, type Val, word } from "../value.ts";
import { file, inputText, readFile, send } from "./effects.ts";
import { inAddress, inHeaders } from "./logins.ts";
import { curlOptions, sshOptions, wgetOptions } from "./option-files.ts";
import { type Handler, hasFlag, type Job, flagValue, flagValues } from "./row.ts";
import { statements } from "./statements.ts";
import type { Table } from "./table.ts";

export const hostField = (f: Field): Field => ({ ...f, text: hostOf(f.text) });

export function net(job: Job, does: NetAct, host: Field): void {
  job.m.facts.push({ kind: "net", of: job.of, does, host: word(host), span: host.span });
}

const isUrl = (text: string): boolean => /^(https?|ftps?|sftp|scp|tftp|gopher|dict|ldap|smb|telnet):\/\//i.test(text);

/** How the name of a file stands in what is sent: `@name`, `field@name`, `field=@name;type=…`, `field:=@name`. */
const [asData, asEncoded, asForm, asItem] = [
  /^@([^;]*)/,
  /^[^=@]*@(.*)$/,
  /(?:^|=)[@<]([^;,]*)/,
  /^[^=:@]*(?::?=)?@([^;]*)/,
] as const;

/** Data that goes out: a file (`@name`), standard input (`@-`) or the text itself. */
function payload(job: Job, f: Field, naming: RegExp): Val {
  const { m } = job;
  const name = naming.exec(f.text)?.[1];
  if (name === undefined) return f;
  if (name === "-") return job.io.input?.val ?? EMPTY;
  const named: Field = { ...f, text: name };
  file(job, named, "read");
  return contents(m, m.place(name), named);
}

/** `-T file`, `-T '{a,b}'`: names, not data. */
const uploaded = (f: Field): Field[] =>
  (/^\{.*\}$/.test(f.text) ? f.text.slice(1, -1).split(",") : [f.text]).map(text => ({ ...f, text: `@${text}` }));

/** Every address gets what is sent: the first in full, each further one the first secret. And each what it carries. */
function leaves(job: Job, sent: readonly Val[], urls: readonly Field[]): void {
  const secret = sent.find(what => (what.taint & SECRET) !== 0);
  for (const [at, url] of urls.entries()) {
    for (const what of at === 0 ? sent : secret ? [secret] : []) send(job, what, hostField(url));
    if (inAddress(url)) send(job, url, hostField(url));
  }
}

const curl: Handler = job => {
  const { m } = job;
  curlOptions(job);
  for (const f of flagValues(job, "--netrc-file")) file(job, f, "read");
  const urls = [...flagValues(job, "--url"), ...job.operands];
  if (!urls[0]) return undefined;
  const sent: Val[] = [
    ...flagValues(job, "-d", "--data", "--data-ascii", "--data-binary", "--json").map(f => payload(job, f, asData)),
    ...flagValues(job, "--data-raw", "--form-string"),
    ...flagValues(job, "--data-urlencode").map(f => payload(job, f, asEncoded)),
    ...flagValues(job, "-F", "--form").map(f => payload(job, f, asForm)),
    ...flagValues(job, "-T", "--upload-file")
      .flatMap(uploaded)
      .map(f => payload(job, f, asData)),
    ...flagValues(job, "-b", "--cookie")
      .filter(f => f.known && !f.text.includes("="))
      .map(f => payload(job, { ...f, text: `@${f.text}` }, asData)),
  ];
  const uploads = sent.length > 0 || /^(POST|PUT|PATCH)$/i.test(flagValue(job, "-X", "--request")?.text ?? "");
  for (const url of urls) net(job, uploads ? "upload" : "download", hostField(url));
  leaves(job, [...sent, ...inHeaders(job)], urls);
  statements(job, sent, urls);
  const folder = flagValue(job, "--output-dir");
  return fetched(
    job,
    urls,
    flagValues(job, "-o", "--output"),
    hasFlag(job, "-O", "--remote-name", "--remote-name-all"),
    folder ? m.place(folder.text) : m.state.cwd,
  );
};

/** What a download leaves: files with the network's taint, or the data itself on standard output. */
function fetched(
  job: Job,
  urls: readonly Field[],
  outputs: readonly Field[],
  named: boolean,
  cwd: string | undefined,
): Val {
  const { m } = job;
  const host = { ...urls[0]!, text: publisherOf(urls[0]!.text) };
  // A host nobody vouched for with a certificate, or one of several, earns no trust.
  host.known &&= urls.every(u => u.text.startsWith("https:") && publisherOf(u.text) === host.text);
  host.known &&= !hasFlag(job, "-k", "--insecure", "--no-check-certificate");
  const data = isFileUrl(urls[0]!.text)
    ? contents(m, m.places.of(urls[0]!.text, cwd), urls[0]!)
    : unknown(NETWORK, { host: word(host) });
  const targets = [...outputs];
  for (const u of urls) if (isFileUrl(u.text)) file(job, { ...u, text: u.text.replace(/^file:\/*(?=\/)/, "") }, "read");
  if (named)
    for (const u of urls)
      targets.push({
        ...u,
        text: savedAs(u.text),
      });
  const files = targets.filter(f => f.text !== "-" && f.text !== "/dev/stdout");
  for (const f of files) {
    const below = cwd === undefined || cwd === m.state.cwd ? f : { ...f, text: m.places.of(f.text, cwd) };
    m.files.set(file(job, below, "write"), data);
  }
  return files.length > 0 ? EMPTY : data;
}

/** The file a page is saved as. */
const savedAs = (url: string): string => baseName(url.replace(/[?#].*$/s, "")) || "index.html";

const isFileUrl = (text: string): boolean => text.startsWith("file:");

/** `wget -i list`: the addresses, one a line. */
const listed = (list: Val, named: Field): Field[] =>
  list.known ? list.text.split("\n").flatMap(text => (text.trim() === "" ? [] : [{ ...named, ...list, text }])) : [];

const wget: Handler = job => {
  const { m } = job;
  wgetOptions(job);
  const list = flagValue(job, "-i", "--input-file");
  const urls = list ? [...job.operands, ...listed(inputText(job, [list]), list)] : job.operands;
  const first = urls[0];
  if (!first) return undefined;
  const posts = [
    ...flagValues(job, "--post-data", "--body-data"),
    ...flagValues(job, "--post-file", "--body-file").map(f => payload(job, { ...f, text: `@${f.text}` }, asData)),
  ];
  for (const u of urls) net(job, posts.length > 0 ? "upload" : "download", hostField(u));
  leaves(job, [...posts, ...inHeaders(job)], urls);
  statements(job, posts, urls);
  const output =
    flagValue(job, "-O", "--output-document") ??
    (job.inv.program === "wget" ? undefined : flagValue(job, "-o", "--out"));
  if (output && (output.text === "-" || output.text === "/dev/stdout"))
    return fetched(job, urls, [], false, m.state.cwd);
  const folder = flagValue(job, "-P", "--directory-prefix");
  if (folder) file(job, { ...folder, text: `${folder.text}/${savedAs(first.text)}` }, "write");
  if (folder) filled(m, m.place(folder.text), unknown(NETWORK, { host: word(hostField(first)) }));
  const into = job.inv.program === "wget" ? undefined : flagValue(job, "-d", "--dir");
  const cwd = into ? m.place(into.text) : m.state.cwd;
  fetched(job, urls, output ? [output] : [], !output && !folder, cwd);
  // `wget https://… | sh` lacks its `-O-`; what was meant is plain.
  return output || folder ? EMPTY : unknown(NETWORK, { host: word(hostField(first)) });
};

/** `ssh host command`: the words after the host are joined to one text for the remote shell. */
const ssh: Handler = job => {
  const { m } = job;
  sshOptions(job);
  const host = job.operands[0];
  if (!host) return undefined;
  net(job, "connect", hostField(host));
  // Options may follow the host; from the first word of the command on, everything is the command's.
  const rest = job.argv.slice(job.argv.indexOf(host) + 1);
  const first = rest[0]?.text === "--" ? rest[1] : job.operands[1];
  const words = first ? rest.slice(rest.indexOf(first)) : [];
  if (job.io.input) send(job, job.io.input.val, hostField(host));
  if (words.length === 0) {
    if (job.io.input?.val.known) return m.subshell(() => remoteText(job, job.io.input!.val, host));
    job.inv.interactive =
      !hasFlag(job, "-N", "-O", "-T", "-V", "-f", "-Q") && !hasFlag(job, "-W") && job.io.input === undefined;
    return unknown(NETWORK, { host: word(hostField(host)) });
  }
  job.inv.args = [host];
  const text = join(words, " ");
  return m.subshell(() => remoteText(job, { ...text, span: words[0]!.span } as Field, host));
};

/** Output of what ran on the other machine came over the network. */
function remoteText(job: Job, text: Val | Field, host: Field): Val {
  const printed = runText(job.m, text, `${job.inv.program} ${host.text}`, { input: job.io.input, socket: undefined });
  return { ...printed, taint: printed.taint | NETWORK, origin: printed.origin ?? { host: word(hostField(host)) } };
}

/** `rsync://host/module`, `host::module`. */
const daemon = /^(?:rsync:\/\/([^/:]+)|([\w.-]+)::)/;
const remotePath = /^(?:[\w.-]+@)?([\w.-]+|\[[0-9a-f:]+\]):(.*)$/i;

/** `scp a host:b`, `rsync -e cmd a host:b`; `-M option` is one for the rsync of the other machine. */
const scp: Handler = job => {
  const { m } = job;
  sshOptions(job);
  for (const f of flagValues(job, "-M", "--remote-option"))
    m.subshell(() => remoteText(job, { ...f, text: `rsync ${f.text} . .` }, f));
  const to = job.operands.at(-1);
  const served = to && daemon.exec(to.text);
  const target = served
    ? ([served[0], (served[1] ?? served[2])!] as const)
    : to && remotePath.exec(to.text.replace(/^(rsync|scp|sftp):\/\//, ""));
  const recursive = hasFlag(job, "-r", "-a", "--archive", "--recursive");
  for (const f of job.operands.slice(0, -1)) {
    const source = remotePath.exec(f.text.replace(/^(rsync|scp):\/\//, ""));
    if (source) net(job, "download", { ...f, text: source[1]! });
    else {
      const path = file(job, f, "read", recursive);
      const held = target ? undefined : programAt(path);
      if (held && to) m.files.set(m.place(to.text), held);
      if (target) send(job, contents(m, path, f), { ...to!, text: target[1]! });
    }
  }
  if (target) net(job, "upload", { ...to!, text: target[1]! });
  else if (to) {
    const path = file(job, to, "write", recursive);
    const from = job.operands.slice(0, -1).find(f => remotePath.test(f.text));
    const brought = from && unknown(NETWORK, { host: word({ ...from, text: remotePath.exec(from.text)![1]! }) });
    if (brought) filled(m, path, brought);
  }
  if (hasFlag(job, "--delete", "--delete-after", "--delete-before", "--del") && to && !target)
    file(job, to, "delete", true);
  return EMPTY;
};

/** Anything that opens a connection to its first operand and passes data both ways. */
export const client: Handler = job => {
  const host =
    flagValue(job, "-connect", "--connect", "-h", "--host") ?? job.operands.find(f => !f.text.startsWith("s_"));
  if (!host) return undefined;
  net(job, "connect", hostField(host));
  if (job.io.input) send(job, job.io.input.val, hostField(host));
  return unknown(NETWORK, { host: word(hostField(host)) });
};

const uploads: Handler = job => {
  const host = job.operands.find(f => isUrl(f.text)) ?? flagValue(job, "-h", "--host") ?? job.operands[0];
  if (host) net(job, "connect", hostField(host));
  if (job.io.input && host) send(job, job.io.input.val, hostField(host));
  return unknown(NETWORK | UNKNOWN);
};

const mail: Handler = job => {
  const to = flagValue(job, "--to", "-t") ?? job.operands.at(-1);
  if (!to) return undefined;
  const host = { ...to, text: to.text.split("@").at(-1)! };
  net(job, "upload", host);
  for (const f of flagValues(job, "-a", "-A", "--attach")) send(job, readFile(job, f), host);
  if (job.io.input) send(job, job.io.input.val, host);
  return EMPTY;
};

export const network: Table = {
  "curl curlie": {
    valued:
      "-A -b -c -C -d -D -e -E -F -h -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --url --data --data-ascii --data-binary --data-raw --data-urlencode --json --form --form-string --upload-file --output --output-dir --request --header --user --user-agent --proxy --config --cookie --cookie-jar --max-time --connect-timeout --retry --retry-delay --retry-max-time --resolve --cacert --cert --key --netrc-file --write-out --referer --range --unix-socket --interface --limit-rate --dns-servers --tls-max --proto --stderr --trace --dump-header --max-redirs --oauth2-bearer --aws-sigv4 --create-file-mode --connect-to",
    files: {
      "--dump-header": "write",
      "-D": "write",
      "--stderr": "write",
      "--trace": "write",
      "-c": "write",
      "--cookie-jar": "write",
    },
    run: curl,
  },
  wget: {
    valued:
      "-O -o -P -t -T -U -e -i -a -w -Q -D -A -R -l -B --output-document --output-file --directory-prefix --post-data --post-file --body-data --body-file --header --user-agent --tries --timeout --execute --input-file --use-askpass --user --password --level --accept --reject --domains --wait --limit-rate --method --load-cookies --save-cookies --ca-certificate --certificate --private-key --referer --waitretry",
    files: { "-i": "read", "--input-file": "read", "-o": "write", "-a": "write", "--output-file": "write" },
    runs: { "--use-askpass": "exec" },
    run: wget,
  },
  "aria2c axel": {
    valued:
      "-d -o -i -x -s -j -k --dir --out --input-file --on-download-complete --on-download-error --on-download-start --on-download-stop --gid",
    runs: {
      "--on-download-complete": "exec",
      "--on-download-error": "exec",
      "--on-download-start": "exec",
      "--on-download-stop": "exec",
    },
    run: wget,
  },
  "http https xh httpie": {
    valued: "-a -o --auth --output --timeout",
    run: job => {
      const url = job.operands.find(f => isUrl(f.text)) ?? job.operands.find(f => !/^[A-Z]+$/.test(f.text));
      if (!url) return undefined;
      const sent = job.operands.filter(f => f !== url && asItem.test(f.text));
      const uploads = sent.length > 0 || job.operands.some(f => /^(POST|PUT|PATCH)$/.test(f.text));
      net(job, uploads || job.io.input ? "upload" : "download", hostField(url));
      for (const f of sent) send(job, payload(job, f, asItem), hostField(url));
      if (job.io.input) send(job, job.io.input.val, hostField(url));
      return fetched(job, [url], flagValues(job, "-o", "--output"), false, job.m.state.cwd);
    },
  },
  "lynx w3m links elinks": {
    valued: "",
    spawner: true,
    run: job => (job.operands[0] ? fetched(job, job.operands, [], false, undefined) : undefined),
  },
  "ssh autossh mosh slogin dbclient rsh rlogin rexec": {
    valued: "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -p -Q -R -S -W -w --server",
    files: { "-E": "write" },
    runs: { "--server": "shell" },
    spawner: true,
    session: true,
    run: ssh,
  },
  sshpass: { valued: "-p -f -d -P", wraps: 0 },
  "scp pscp": { valued: "-c -F -i -J -l -o -P -S -D -X", runs: { "-S": "exec" }, run: scp },
  rsync: {
    valued:
      "-e -f -T -B -M --rsh --rsync-path --filter --exclude --include --exclude-from --include-from --files-from --backup-dir --password-file --log-file --port --chmod --chown --remote-option --write-batch --only-write-batch --early-input --log-file-format",
    files: {
      "--log-file": "write",
      "--write-batch": "write",
      "--only-write-batch": "write",
      "--password-file": "read",
      "--early-input": "read",
    },
    runs: { "-e": "exec", "--rsh": "exec", "--rsync-path": "shell" },
    run: scp,
  },
  "telnet socket": { valued: "-l -e -p", spawner: true, session: true, run: client },
  nmap: { valued: "-p -oN -oX -oG -oA -iL -e -S -D --script --script-args --interactive", spawner: true, run: uploads },
  "mail mailx mutt sendmail swaks msmtp": {
    valued: "-s -a -A -b -c -r -S --attach --to --from --server",
    spawner: true,
    run: mail,
  },
  "ngrok cloudflared localtunnel lt bore frpc chisel": {
    run: job => {
      net(job, "listen", job.operands[0] ?? field(literal("tunnel"), job.inv.span!));
      return undefined;
    },
  },
};
