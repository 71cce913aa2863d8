import { net } from "../builtin.ts";

/**
 * The address a request came from. `X-Forwarded-For` is believed only as far as trusted proxies wrote it:
 * read from the right, the first address that is not one of them (RFC 7239 §7.4 warns of the rest).
 */
export function clientIp(trusted: readonly string[]) {
  if (trusted.length === 0) return (peer: string) => plain(peer);
  const { BlockList, isIP } = net();
  const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");
  const proxies = new BlockList();
  for (const range of trusted) {
    const [address, bits] = range.split("/") as [string, string?];
    proxies.addSubnet(address, bits === undefined ? (isIP(address) === 6 ? 128 : 32) : Number(bits), family(address));
  }
  const isProxy = (address: string) => isIP(address) !== 0 && proxies.check(address, family(address));
  return (peer: string, headers: Headers): string => {
    const last = plain(peer);
    if (!isProxy(last)) return last;
    const hops = (headers.get("x-forwarded-for") ?? "").split(",").map(hop => plain(hop.trim()));
    const client = hops.reverse().find(hop => !isProxy(hop));
    return client && isIP(client) ? client : last;
  };
}

/**
 * Under which name an address is counted: IPv4 as it is, IPv6 by its /64, because one subscriber has at least that many
 * addresses (RFC 6177).
 */
export function rateKey(ip: string): string {
  if (!ip.includes(":")) return ip;
  const [head = "", tail] = ip.split("%")[0]!.split("::") as [string?, string?];
  const groups = (text: string | undefined) => (text ? text.split(":") : []);
  const zeros = tail === undefined ? 0 : 8 - groups(head).length - groups(tail).length;
  const all = [...groups(head), ...Array<string>(Math.max(0, zeros)).fill("0"), ...groups(tail)];
  return `${all
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** `::ffff:10.0.0.1` is 10.0.0.1. */
const plain = (address: string) =>
  address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
