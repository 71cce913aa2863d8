/** Paths as Windows writes them, in the one spelling of `Places`. */
const profile = /^(%USERPROFILE%|%HOMEPATH%|%HOME%|\$env:(USERPROFILE|HOME|HOMEPATH)|\$\{?HOME\}?)(?=[\\/]|$)/i;
const users = /^[A-Za-z]:[\\/]+(Users|Documents and Settings)[\\/]+[^\\/*?]+(?=[\\/]|$)/i;

/** `%HOMEDRIVE%%HOMEPATH%`, a path with its provider, without limits of length, or by the share of its drive. */
const elsewise =
  /^(?:[A-Za-z]:(?=~)|(?:microsoft\.powershell\.core\\)?filesystem::|\\\\\?\\(?=[A-Za-z]:\\)|\\\\(?:localhost|127\.0\.0\.1)\\([A-Za-z])\$(?=\\|$))/i;

/** `C:\Users\x\.ssh` is `~/.ssh`, `C:\` is `/`, `C:\Windows` is `/c:/windows`. Other paths stay as they are. */
export function windowsPath(text: string): string {
  const spelled = elsewise.exec(text);
  if (spelled) return windowsPath((spelled[1] ? `${spelled[1]}:` : "") + text.slice(spelled[0].length));
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

/** `srv` of `\\srv\dir\file`: the machine that shares it. */
export const shareHost = (text: string): string | undefined => /^\\\\([^\\?.][^\\]*)\\/.exec(text)?.[1];
