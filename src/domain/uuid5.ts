/**
 * A name-based UUID (RFC 9562 version 5): the same name in the same namespace is the same UUID. `namespace` is a UUID;
 * `sha1` is given, for this code also runs in browsers.
 */
export function uuid5(sha1: (bytes: Uint8Array) => Uint8Array, namespace: string, name: string): string {
  const space = Uint8Array.fromHex(namespace.replaceAll("-", ""));
  const text = new TextEncoder().encode(name);
  const bytes = new Uint8Array(space.length + text.length);
  bytes.set(space);
  bytes.set(text, space.length);
  const id = sha1(bytes).slice(0, 16);
  id[6] = (id[6]! & 0x0f) | 0x50;
  id[8] = (id[8]! & 0x3f) | 0x80;
  return id.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
