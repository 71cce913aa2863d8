/** Scripts that run in a page of the browser. */
import { hostOf, isLocal } from "../hosts.ts";

const keeps = /document\s*\.\s*cookie|\b(local|session)Storage\b|\bindexedDB\b|\bcookieStore\b/;
const sends =
  /\bfetch\b|sendBeacon|XMLHttpRequest|WebSocket|EventSource|\bsrc\s*=|\blocation\b|\baxios\b|\.submit\s*\(/;
const address = /(?:(?:https?|wss?):)?\/\/[\w-]+(?:\.[\w-]+)+/gi;

/** Where a script that runs in a page sends what the user is signed in with; `undefined` when it sends none of it. */
export function takesSession(text: string): string | undefined {
  if (!keeps.test(text) || !sends.test(text)) return undefined;
  const hosts = (text.match(address) ?? []).map(url => hostOf(url.replace(/^\/\//, "https://")));
  return hosts.find(host => !isLocal(host));
}
