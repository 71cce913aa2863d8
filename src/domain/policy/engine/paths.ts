/** Places of files: one spelling each (`FileFact.path` says which), and which of them hold credentials. */
import { hole } from "../facts.ts";
import { matches } from "./fold/pattern.ts";
import type { World } from "../verdict.ts";
import { windowsPath } from "./windows-path.ts";

/** No empty segment, no `.`, no `..`. */
function isNormal(path: string): boolean {
  let start = 0;
  for (let i = 0; i <= path.length; i++) {
    if (i < path.length && path.charCodeAt(i) !== 47) continue;
    const length = i - start;
    if (length === 0 && i > 0) return false;
    if (length > 0 && length < 3 && path.charCodeAt(start) === 46 && path.charCodeAt(i - 1) === 46) return false;
    start = i + 1;
  }
  return path !== "";
}

/** Removes `.`, `..` and doubled slashes. `/..` is `/`; a relative path may keep leading `..`. */
export function normalise(path: string): string {
  if (isNormal(path)) return path;
  const root = path.startsWith("/");
  const out: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") out.push(part);
    else if (out.length > 0 && out.at(-1) !== "..") out.pop();
    else if (!root) out.push("..");
  }
  const joined = out.join("/");
  return root ? `/${joined}` : joined || ".";
}

export const withoutSlash = (path: string): string => path.replace(/(?<!\/)\/+$/, "");

/** The last part of a path; all of a name without a slash. */
export const baseName = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

const HOLE = hole.charCodeAt(0);
const [SMALL_D, SMALL_F, SMALL_P] = [100, 102, 112];

const homes = /^\/(?:(?:home|Users|export\/home|usr\/home|var\/home)\/[^/$*?[]+|root|var\/root)(?=\/|$)/;
const user = new RegExp(`^~(?:[A-Za-z_][\\w.-]*|${hole})(?=/|$)`);
/** What the names of such places begin with, behind the slash. */
const homeLetters = new Uint8Array(128);
for (const c of "hUeurv") homeLetters[c.charCodeAt(0)] = 1;
/** Directories too wide to be anybody's repository: there relative paths keep their absolute name. */
const wide = /^(\/|\/(home|Users|etc|usr|var|bin|sbin|lib|lib64|opt|root|boot|dev|proc|sys|tmp|mnt|srv|run))$/;

const drive = /^[A-Za-z]:(?:[\\/]|$)/;
/** Files that have no other place, however few steps up are written. */
const named = /^(?:\.\.\/)+(?:etc\/(?:shadow|passwd|sudoers|cron|ssh)|root\/\.ssh|proc\/self|home\/[^/]+\/\.)/;
const climb = "../../../../..";

let latest: { home: string | undefined; cwd: string | undefined; places: Places } | undefined;

/** The places of a caller; one calls many times from the same directory. */
export function placesOf({ home, cwd }: World): Places {
  if (latest === undefined || latest.home !== home || latest.cwd !== cwd)
    latest = { home, cwd, places: new Places(home, cwd) };
  return latest.places;
}

/** Turns the many spellings of one place into one (see `FileFact.path`). */
export class Places {
  readonly home: string | undefined;
  readonly repo: string | undefined;
  /** Where the call starts, in canonical form. */
  readonly start: string;

  constructor(home: string | undefined, from: string | undefined) {
    this.home = home && home !== "/" ? normalise(home) : undefined;
    const cwd = from?.startsWith("/") ? normalise(from) : undefined;
    this.repo = cwd !== undefined && !wide.test(cwd) && cwd !== this.home && !isWholeHome(cwd) ? cwd : undefined;
    this.start = cwd === undefined ? "$repo" : this.place(cwd);
    this.answer = this.start;
  }

  /** Asked last: what is read is told first and then looked into. */
  private asked = "";
  private from: string | undefined;
  private answer: string;

  /** The canonical form of `text` seen from `cwd` (canonical; undefined: unknown directory). */
  of(text: string, cwd: string | undefined): string {
    if (text === this.asked && cwd === this.from) return this.answer;
    const answer = this.seen(text, cwd);
    this.asked = text;
    this.from = cwd;
    this.answer = answer;
    return answer;
  }

  private seen(text: string, cwd: string | undefined): string {
    if (text === "") return cwd ?? this.start;
    const c = text.charCodeAt(0);
    if (c === 47) return this.place(normalise(text));
    if (c === 126) return this.fromHome(text);
    if (c === 36 && (text === "$repo" || text.startsWith("$repo/"))) return this.fromRepo(text);
    if (c === HOLE) {
      const rest = normalise(text);
      return rest.startsWith("..") ? this.fromRepo(`$repo/${rest}`) : rest;
    }
    if (c === SMALL_F && text.startsWith("file://")) return this.place(normalise(text.slice(text.indexOf("/", 7))));
    // `C:/x` in Git Bash.
    if (text.charCodeAt(1) === 58 && drive.test(text)) return this.of(windowsPath(text), undefined);
    const base = cwd ?? this.start;
    if ((base.charCodeAt(0) === 36 || base === "~") && isNormal(text)) return `${base}/${text}`;
    return this.seen(`${base === "/" ? "" : base}/${text}`, undefined);
  }

  private fromHome(text: string): string {
    const rest = text.replace(user, "~");
    if (rest !== "~" && !rest.startsWith("~/")) return this.seen(`./${text}`, undefined);
    if (this.home !== undefined) return this.place(normalise(this.home + rest.slice(1)));
    const below = normalise(`/h${rest.slice(1)}`);
    if (below === "/h") return "~";
    return below.startsWith("/h/") ? `~${below.slice(2)}` : this.place(normalise(`/home${below}`));
  }

  private fromRepo(text: string): string {
    const rest = normalise(`.${text.slice(5)}`);
    if (rest === ".") return "$repo";
    if (rest !== ".." && !rest.startsWith("../")) return `$repo/${rest}`;
    if (this.repo !== undefined) return this.place(normalise(`${this.repo}/${rest}`));
    // Nobody works this deep: from an unknown directory so many steps up end at the root.
    return rest.startsWith(climb) || (rest.startsWith("../..") && named.test(rest))
      ? this.place(normalise(`/${rest.replace(/^(\.\.(\/|$))+/, "")}`))
      : `$repo/${rest}`;
  }

  /** An absolute normalised path in canonical form. */
  private place(path: string): string {
    const c = path.charCodeAt(1);
    if (this.repo !== undefined && below(path, this.repo)) return `$repo${path.slice(this.repo.length)}`;
    if (this.home !== undefined && below(path, this.home)) return `~${path.slice(this.home.length)}`;
    const home = homeLetters[c & 127] === 1 ? homes.exec(path) : null;
    if (home) return `~${path.slice(home[0].length)}`;
    if (c !== SMALL_P && c !== SMALL_D) return path;
    // The kernel shows every process the root it runs in: `/proc/self/root/etc` is `/etc`.
    const own = path.startsWith("/proc/") || path === "/dev/fd/0" ? descriptor.exec(path) : null;
    if (own) return own[1] === "0" ? "/dev/stdin" : `/dev/fd/${own[1]}`;
    const rooted = path.startsWith("/proc/") ? /^\/proc\/[^/]+\/root(\/|$)/.exec(path) : null;
    if (rooted) return this.place(`/${path.slice(rooted[0].length)}`);
    if (path.startsWith("/private/") && /^\/private\/(tmp|var|etc)(\/|$)/.test(path)) return path.slice(8);
    return path;
  }
}

/** The same descriptor by its other names. */
const descriptor = /^\/(?:proc\/(?:self|thread-self|\$\$)|dev)\/fd\/(\d+)$/;

const below = (path: string, dir: string): boolean =>
  path.charCodeAt(1) === dir.charCodeAt(1) &&
  path.startsWith(dir) &&
  (path.length === dir.length || path.charCodeAt(dir.length) === 47);

const isWholeHome = (path: string): boolean => homes.exec(path)?.[0] === path;

/** Files that are no files: writing to them changes nothing, reading them yields nothing. */
export function isSink(path: string): boolean {
  return (
    path.charCodeAt(1) === SMALL_D && /^\/dev\/(null|zero|full|tty|stdin|stdout|stderr|fd\/\d+|u?random)$/.test(path)
  );
}

/** Files that hold credentials by their name, wherever they are. */
const secretName =
  /^(\.env(\.(?!example|sample|template|dist|schema)[\w.-]+)?|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.npmrc|\.pypirc|\.htpasswd|\.vault-token|id_(rsa|dsa|ecdsa|ed25519)(_sk)?|[^/]+\.(pem|p12|pfx|keystore|jks|kdbx|ppk)|credentials\.json|service-account[^/]*\.json|secrets?\.(ya?ml|json|toml|env)|terraform\.tfstate|wallet\.dat|\.(bash|zsh|mysql|psql|python|node_repl)_history|\.bash_history|Login Data|logins\.json|key4\.db|Cookies)$/;

/** Places below a home directory that hold credentials. */
const secretInHome =
  /^~\/\.(?:ssh|aws)(?:\/(?!config$|known_hosts|[^/]*\.pub$)|$)|^~\/\.(gnupg|azure|kube|docker\/config\.json|config\/(gcloud|gh|hub|op|rclone)|password-store|gem\/credentials|cargo\/credentials(\.toml)?|m2\/settings\.xml|terraform\.d|claude\/\.credentials\.json|codex\/auth\.json|gatehouse)(\/(?!cache)|$)|^~\/Library\/Keychains|^~\/AppData\/Roaming\/(gnupg|gcloud|GitHub CLI)(\/|$)/;

/** Those of the system. */
const secretOfSystem =
  /^\/etc\/(shadow|gshadow|passwd|group|sudoers|master\.passwd|krb5\.keytab|ssh\/ssh_host_\w+_key|ssl\/private)(\/|-?$)|^\/var\/log\/(auth\.log|secure|audit)|^\/proc\/([^/]+)\/(environ|mem|maps)$|^\/var\/run\/secrets(\/|$)|^\/run\/secrets(\/|$)|^\/var\/lib\/(shadow|private)|^\/dev\/(mem|kmem|sd[a-z]\d*|nvme\w+)$/;

const [SLASH, TILDE] = [47, 126];

/** A file whose contents are credentials. `path` in canonical form. */
export function isSecret(path: string): boolean {
  if (path.length < 4) return false;
  const first = path.charCodeAt(0);
  if (first === TILDE ? secretInHome.test(path) : first === SLASH && secretOfSystem.test(path)) return true;
  const name = baseName(path);
  return secretName.test(name) || (/[*?[]/.test(name) && meansSecret(name));
}

const examples = [".env", ".netrc", ".npmrc", ".git-credentials", ".pgpass", "id_rsa", "id_ed25519", "key.pem"];

/** `.e*`, `id_*`: begins like such a name, and can stand for it. */
const meansSecret = (pattern: string): boolean =>
  examples.some(
    name => (pattern.startsWith(name.slice(0, 2)) || pattern.endsWith(name.slice(-4))) && matches(pattern, name),
  );
