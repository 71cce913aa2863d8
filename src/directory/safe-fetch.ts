import type { BlockList } from "node:net";
import { dns, net } from "../builtin.ts";
import { lazily } from "../domain/lazily.ts";

/** The other side cannot be asked, or must not be; the message is for the operator. */
export class Unreachable extends Error {
  override readonly name = "Unreachable";
}

export type Resolve = (host: string) => Promise<string[]>;
export const resolveHost: Resolve = async host => {
  const literal = host.replace(/^\[(.*)\]$/, "$1");
  return net().isIP(literal) ? [literal] : (await dns().lookup(literal, { all: true })).map(({ address }) => address);
};

const TIMEOUT_MS = 5000;
const BYTES_MAX = 256 * 1024;

/**
 * Fetches what an identity provider points at, without being led elsewhere (OWASP SSRF): https (http only where the operator's
 * own issuer is on this machine), no redirects, 5 s, 256 KiB. The issuer's own origin is the operator's word. Another host must
 * not be this machine or its link (cloud metadata), nor on a private network unless the issuer is on one too.
 */
export async function safeFetch(url: string, issuer: string, resolve: Resolve = resolveHost): Promise<Response> {
  await mayReach(new URL(url), new URL(issuer), resolve);
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await fetch(url, { redirect: "manual", signal, headers: { accept: "application/json" } }).catch(
    error => {
      throw new Unreachable(`${url} cannot be fetched: ${(error as Error).message}`);
    },
  );
  if (response.status !== 200) throw new Unreachable(`${url} answered ${response.status}`);
  return new Response(await bounded(response, url), { status: 200, headers: { "content-type": "application/json" } });
}

async function bounded(response: Response, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > BYTES_MAX) throw new Unreachable(`${url} answered more than ${BYTES_MAX} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

async function mayReach(url: URL, issuer: URL, resolve: Resolve): Promise<void> {
  if (url.origin === issuer.origin) return;
  if (url.protocol !== "https:") throw new Unreachable(`${url.href} is not https`);
  const addresses = await resolve(url.hostname).catch(() => []);
  if (addresses.length === 0) throw new Unreachable(`${url.hostname} has no address`);
  if (addresses.some(address => lists(thisMachine, address)))
    throw new Unreachable(`${url.hostname} points at this machine or its link`);
  if (!addresses.some(address => lists(privateNetworks, address))) return;
  const own = await resolve(issuer.hostname).catch(() => []);
  if (!own.some(address => lists(privateNetworks, address) || lists(thisMachine, address)))
    throw new Unreachable(`${url.hostname} points into a private network`);
}

const family = (address: string) => (net().isIP(address) === 6 ? "ipv6" : "ipv4");
const lists = (list: () => BlockList, address: string) => list().check(address, family(address));

const blockList = (...ranges: string[]) =>
  lazily(() => {
    const list = new (net().BlockList)();
    for (const range of ranges) {
      const [address, bits] = range.split("/") as [string, string];
      list.addSubnet(address, Number(bits), family(address));
    }
    return list;
  });

/** IANA special-purpose registries (RFC 6890). */
const thisMachine = blockList(
  ...["0.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "224.0.0.0/4", "240.0.0.0/4"],
  ...["::/127", "fe80::/10", "ff00::/8"],
);
const privateNetworks = blockList(
  ...["10.0.0.0/8", "100.64.0.0/10", "172.16.0.0/12", "192.0.0.0/24", "192.168.0.0/16", "198.18.0.0/15"],
  ...["fc00::/7", "64:ff9b::/96", "64:ff9b:1::/48"],
);
