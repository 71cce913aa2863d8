/** Addresses in one spelling: the host of a URL or of `user@host:path`, however it is written. */
const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** What most addresses look like: a name in lower case, then nothing or a path. */
const plain = /^(?:https?:\/\/)?([a-z0-9.-]+)(?:\/[^@]*)?$/;

/** The host of a URL or of `[user@]host[:port][/path]`; lower case, no brackets, no port. */
export function hostOf(text: string): string {
  if (text !== latest.text) latest = { text, host: hostIn(text) };
  return latest.host;
}

/** What is asked about one address is asked several times in a row. */
let latest = { text: "", host: "" };

function hostIn(text: string): string {
  const simple = plain.exec(text);
  if (simple !== null) return text === simple[1] ? text : addressOf(simple[1]!);
  let rest = text.replace(scheme, "");
  const slash = rest.search(/[/?#]/);
  if (slash >= 0) rest = rest.slice(0, slash);
  rest = rest.slice(rest.lastIndexOf("@") + 1);
  const bracketed = /^\[([^\]]+)\]/.exec(rest);
  if (bracketed) return addressOf(bracketed[1]!.toLowerCase());
  return addressOf(rest.replace(/:\d*$/, "").toLowerCase());
}

/**
 * A project whose published files only its own people can put there: a branch or a tag by its name, a release. Commits
 * by their number are left out, for those of every fork are served under the same address.
 */
const published =
  /^https:\/\/(raw\.githubusercontent\.com|github\.com)\/([\w-]+\/[\w.-]+)\/(?:(?:raw\/)?(?:refs\/(?:heads|tags)\/)?(?:HEAD|main|master|v?\d[\w-]*\.[\w.-]+)\/|releases\/(?:latest\/)?download\/)[\w./@+-]+$/;

/** Who fills an address: its host, or one project of a host of many (`github.com/owner/name`, lower case). */
export function publisherOf(url: string): string {
  const project = url.includes("github") && !url.includes("..") ? published.exec(url) : null;
  return project ? `${project[1]}/${project[2]}`.toLowerCase() : hostOf(url);
}

/** Names of services that answer with the address in front of them. */
const wildcardDns = /^(?:.*[.-])?(\d{1,3})[.-](\d{1,3})[.-](\d{1,3})[.-](\d{1,3})\.(?:nip|sslip|xip)\.io$/;
const mapped = /^::ffff:(?:(\d[\d.]+)|([\da-f]{1,4}):([\da-f]{1,4}))$/;

/** One spelling of an address: `2852039166`, `0xa9.0xfe.43518`, `::ffff:a9fe:a9fe`, `169-254-169-254.nip.io` (WHATWG URL, IPv4 parser). */
function addressOf(host: string): string {
  if (host.endsWith(".")) return addressOf(host.slice(0, -1));
  if (host.endsWith("p.io")) return wildcardDns.exec(host)?.slice(1, 5).join(".") ?? host;
  if (host.startsWith("::ffff:")) {
    const [, dotted, high, low] = mapped.exec(host) ?? [];
    return dotted ?? (high === undefined ? host : fromNumber(parseInt(high, 16) * 65_536 + parseInt(low!, 16)));
  }
  const first = host.charCodeAt(0);
  if (first < 48 || first > 57) return host;
  if (!/^(0x[\da-f]*|\d+)(\.(0x[\da-f]*|\d+)){0,3}$/.test(host)) return host;
  const parts = host.split(".").map(part => (/^0\d/.test(part) ? parseInt(part, 8) : Number(part || "0")));
  const last = parts.pop()!;
  const before = parts.reduce((sum, part, at) => sum + part * 256 ** (3 - at), 0);
  return Number.isFinite(before + last) ? fromNumber(before + last) : host;
}

const fromNumber = (n: number): string => [24, 16, 8, 0].map(bits => Math.floor(n / 2 ** bits) % 256).join(".");

/** A host that is this machine. */
export const isLocal = (host: string): boolean =>
  /^(localhost|127\.[\d.]+|::1|0\.0\.0\.0|host\.docker\.internal)$/.test(host);
