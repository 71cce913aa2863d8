/**
 * The spellings under which a path argument is judged: `file:` URIs decoded, backslashes turned, drives and profile
 * variables replaced; and in lower case, where a file system that ignores case would reach a known place.
 */
export function localPath(text: string): string[] {
  let path = text.trim();
  if (/^file:/i.test(path)) path = decode(path.replace(/^file:(\/\/(localhost)?)?/i, "")) || "/";
  else if (/%[0-9a-f]{2}/i.test(path)) path = decode(path);
  path = windowsPath(path);
  const lower = path.toLowerCase();
  const folded =
    lower !== path &&
    /^(\/(etc|root|proc|usr|var|bin|boot|dev|system|library|private)(\/|$)|~\/\.|\/(users|home)\/[^/]+\/\.)/.test(
      lower,
    );
  return folded ? [path, lower] : [path];
}

/** Decoded until nothing changes: `%252e` is `%2e` is `.`. */
export function decode(text: string, rounds = 3): string {
  try {
    const plain = decodeURIComponent(text);
    return plain === text || rounds === 0 ? plain : decode(plain, rounds - 1);
  } catch {
    return text;
  }
}

const profile = /^(%USERPROFILE%|%HOMEPATH%|%HOME%|\$env:(USERPROFILE|HOME|HOMEPATH)|\$\{?HOME\}?)(?=[\\/]|$)/i;
const users = /^[A-Za-z]:[\\/]+(Users|Documents and Settings)[\\/]+[^\\/*?]+(?=[\\/]|$)/i;

/** `C:\Users\x\.ssh` is `~/.ssh`, `C:\` is `/`, `C:\Windows` is `/c:/windows`. Other paths stay as they are. */
export function windowsPath(text: string): string {
  const home = profile.exec(text) ?? users.exec(text);
  if (home) return `~${text.slice(home[0].length).replaceAll("\\", "/")}`;
  const system = /^(%(SystemRoot|windir)%|\$env:(SystemRoot|windir))/i.exec(text);
  const plain = system
    ? `C:\\Windows${text.slice(system[0].length)}`
    : text.replace(/^(%SystemDrive%|\$env:SystemDrive)/i, "C:");
  // `\Users` lies on the drive that is in use, `\\.\PhysicalDrive0` is a disk.
  if (/^\\(?![\\?.])/.test(plain)) return windowsPath(`C:${plain}`);
  if (/^\\\\[.?]\\(physicaldrive|[A-Za-z]:|harddisk)/i.test(plain)) return "/dev/disk0";
  const share = /^\\\\([^\\?.].*)/s.exec(plain);
  if (share) return `/unc:/${share[1]!.replaceAll("\\", "/")}`;
  const drive = /^([A-Za-z]):(?=[\\/]|$)/.exec(plain);
  if (drive) {
    const rest = plain
      .slice(2)
      .replaceAll("\\", "/")
      .replace(/(?<!\/)\/+$/, "");
    return rest === "" || rest === "/*" || rest === "/*.*"
      ? `/${rest.replace(/^\//, "").replace("*.*", "*")}`
      : `/${drive[1]}:${rest}`.toLowerCase();
  }
  if (/^\/tmp\\/.test(plain)) return plain.replaceAll("\\", "/");
  return /^(\.\.?\\|~\\|[\w.-]+\\)/.test(plain) && !plain.includes("/") ? plain.replaceAll("\\", "/") : plain;
}
