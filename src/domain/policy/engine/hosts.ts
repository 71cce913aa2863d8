const scheme = /^[a-z][a-z0-9+.-]*:\/\//i;

/** What most addresses look like: a name in lower case, then nothing or a path. */
const plain = /^(?:https?:\/\/)?([a-z0-9.-]+)(?:\/[^@]*)?$/;

/** The host of a URL or of `[user@]host[:port][/path]`; lower case, no brackets, no port. */
export function hostOf(text: string): string {
  const simple = plain.exec(text);
  if (simple !== null) return simple[1]!;
  let rest = text.replace(scheme, "");
  const slash = rest.search(/[/?#]/);
  if (slash >= 0) rest = rest.slice(0, slash);
  rest = rest.slice(rest.lastIndexOf("@") + 1);
  const bracketed = /^\[([^\]]+)\]/.exec(rest);
  if (bracketed) return bracketed[1]!.toLowerCase();
  return rest.replace(/:\d*$/, "").toLowerCase();
}

/** A host that is this machine. */
export const isLocal = (host: string): boolean =>
  /^(localhost|127\.[\d.]+|::1|0\.0\.0\.0|host\.docker\.internal)$/.test(host);
