/** Commands of Windows that talk to the network. */
import { DECODED, NETWORK, SECRET } from "../taint.ts";
import { isSecret } from "../paths.ts";
import { type Field, unknown, type Val, word } from "../value.ts";
import { com } from "./objects.ts";
import { type Effect, file, flag, held, items, net, operands, value, type WindowsJob } from "./job.ts";

/** Downloads; with a body or an input file, uploads. */
export const web: Effect = job => {
  const url =
    value(job, "-uri", "-url", "-source") ?? operands(job).find(f => /:\/\//.test(f.text)) ?? operands(job)[0];
  if (!url) return undefined;
  const posts = /post|put|patch|upload/i.test(value(job, "-method", "-transfertype")?.text ?? "");
  if (job.inv.program === "start-bitstransfer" && posts) return given(job);
  const body = value(job, "-body", "-infile", "-form") ?? (posts && job.input ? { ...url, ...job.input } : undefined);
  const host = net(job, body !== undefined || posts ? "upload" : "download", url);
  if (flag(job, "-infile") && body) sends(job, body, host);
  else if (body) job.m.flow(job.of, body, "network", word(host));
  job.m.flow(job.of, url, "network", word(host));
  // Without a certificate nobody vouches for the host.
  const safe = /^https:/i.test(url.text) && !flag(job, "-skipcertificatecheck");
  const from = { ...host, known: host.known && safe };
  return saved(job, from, value(job, "-outfile", "-destination") ?? saving(job, url));
};

/** `Start-BitsTransfer -TransferType Upload`: the source goes out. */
function given(job: WindowsJob): undefined {
  const [from, to] = [value(job, "-source") ?? operands(job)[0], value(job, "-destination") ?? operands(job)[1]];
  if (from && to) sends(job, from, net(job, "upload", to));
}

/** The contents of a file go out. */
function sends(job: WindowsJob, named: Field, host: Field): void {
  const path = file(job, named, "read");
  const taint = (isSecret(path) ? SECRET : 0) | (held(job, named)?.taint ?? 0);
  job.m.flow(job.of, { ...named, taint }, "network", word(host));
}

/** `Start-BitsTransfer url file`. */
const saving = (job: WindowsJob, url: Field): Field | undefined =>
  job.inv.program === "start-bitstransfer" ? operands(job).find(f => f !== url) : undefined;

function saved(job: WindowsJob, host: Field, to: Field | undefined): Val {
  const data = unknown(NETWORK, { host: word(host) });
  if (!to) return data;
  job.m.files.set(file(job, to, "write"), data);
  return { ...data, taint: 0 };
}

export const mail: Effect = job => {
  const host = value(job, "-to") ?? value(job, "-smtpserver");
  if (!host) return undefined;
  const at = net(job, "upload", { ...host, text: host.text.split("@").at(-1)! });
  const attached = value(job, "-attachments");
  if (attached) sends(job, attached, at);
  const body = value(job, "-body") ?? job.input;
  if (body) job.m.flow(job.of, body, "network", word(at));
  return undefined;
};

export const certutil: Effect = job => {
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
export const fetchRun: Effect = job => {
  const url = job.words.find(f => /(https?|ftp):|\\\\[\w.]+\\/i.test(f.text));
  const script = job.words.find(f => /javascript:|vbscript:/i.test(f.text));
  const made = job.words.map(f => held(job, f)).find(Boolean);
  if (made) job.m.flow(job.of, made, "executed");
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

/** `New-Object Net.Sockets.TcpClient(host, port)`; of a COM object the name is kept. */
export const object: Effect = job => {
  const named = value(job, "-comobject", "-com");
  if (named) return com(named.text);
  const type = (value(job, "-typename") ?? operands(job)[0])?.text ?? "";
  const target = operands(job).at(-1);
  if (/^(system\.)?io\.(directory|file)info$/i.test(type) && target) return items(target.text, target.known);
  return socket(job, type, job.words.map(f => f.text).join(" ")) ?? unknown(0);
};

/** A connection to the host named in the text, if the type is one that opens a socket. */
export function socket({ m, of }: Pick<WindowsJob, "m" | "of">, type: string, text: string): Val | undefined {
  if (!/sockets\.(tcpclient|udpclient)|net\.socket/i.test(type)) return undefined;
  const named = /(?:client|socket|^)\W*(\d[\w-]{0,62}\.[\w.-]+|(?<=[\s"'(]|^)\w[\w-]{0,62}\.[\w.-]+|localhost)/i.exec(
    text,
  )?.[1];
  const at = { text: named ?? "", known: named !== undefined };
  m.facts.push({ kind: "net", of, does: "connect", host: at });
  m.socketHost = at;
  return unknown(NETWORK, { host: at });
}
