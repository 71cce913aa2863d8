import { BlockList, isIP } from "node:net";

/**
 * The address a request came from. `X-Forwarded-For` is believed only as far as trusted proxies wrote it:
 * read from the right, the first address that is not one of them (RFC 7239 §7.4 warns of the rest).
 */
export function clientIp(trusted: readonly string[]) {
  const proxies = new BlockList();
  for (const range of trusted) {
    const [address, bits] = range.split("/") as [string, string?];
    proxies.addSubnet(address, bits === undefined ? (isIP(address) === 6 ? 128 : 32) : Number(bits), family(address));
  }
  const isProxy = (address: string) => isIP(address) !== 0 && proxies.check(address, family(address));
  return (peer: string, headers: Headers): string => {
    const last = plain(peer);
    if (trusted.length === 0 || !isProxy(last)) return last;
    const hops = (headers.get("x-forwarded-for") ?? "").split(",").map(hop => plain(hop.trim()));
    const client = hops.reverse().find(hop => !isProxy(hop));
    return client && isIP(client) ? client : last;
  };
}

const family = (address: string) => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** `::ffff:10.0.0.1` is 10.0.0.1. */
const plain = (address: string) =>
  address.startsWith("::ffff:") && address.includes(".") ? address.slice(7) : address;
