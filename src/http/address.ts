/** The path of an absolute URL without building a URL: this runs on every request. */
export function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  if (start === -1) return "/";
  const query = url.indexOf("?", start);
  const hash = url.indexOf("#", start);
  const end = query === -1 || (hash !== -1 && hash < query) ? hash : query;
  return end === -1 ? url.slice(start) : url.slice(start, end);
}

/** Its parameters. The origin is not looked at: a host that is none names no other resource. */
export function parametersOf(url: string): URLSearchParams {
  const start = url.indexOf("?");
  return new URLSearchParams(start === -1 ? "" : url.slice(start + 1).split("#", 1)[0]);
}

/** Without a Host, as HTTP/1.0 has it, or with one that is none, Bun gives a path alone: it is put below an origin. */
export const withOrigin = (request: Request): Request =>
  request.url.startsWith("/") ? new Request(`http://localhost${request.url}`, request) : request;
