import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { net } from "./builtin.ts";
import { levels } from "./logger.ts";
import { Secret } from "./secret.ts";

/** A setting nobody can start with: one sentence that names it and says what it takes. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Says what the value must be; `readConfig` puts the setting's name in front. */
const wants = (what: string): never => {
  throw new ConfigError(what);
};

type Parse<T> = (text: string) => T;
interface Setting<T> {
  /** As it would be written; a function where it depends on the machine; absent: the setting is off. */
  default?: string | (() => string);
  parse: Parse<T>;
  says: string;
}
const setting = <T>(initial: string | (() => string), parse: Parse<T>, says: string) =>
  ({ default: initial, parse, says }) as const satisfies Setting<T>;
const optional = <T>(parse: Parse<T>, says: string) => ({ parse, says }) as const satisfies Setting<T>;

const settings = {
  host: setting("127.0.0.1", hostname, "Address to listen on."),
  port: setting("8787", integer(0, 65_535), "Port to listen on; 0 picks a free one and prints it."),
  data: setting("./data", text => resolve(text), "Directory of the databases and keys."),
  public_url: optional(origin, "Address people reach the server at, for links. Default: from host and port."),
  admin_email: optional(email, "Email of the first admin, used only while there is no account."),
  admin_password: optional(secret, "Password of the first admin (12 to 256 characters)."),
  org_name: setting("My organisation", line(1, 100), "Name of the first organisation."),
  demo_email: optional(email, "Email of the demo account, an auditor in an organisation of its own."),
  demo_password: optional(secret, "Password of the demo account."),
  plan: setting("team", name, "Plan of a new organisation."),
  oidc_issuer: optional(issuer, "Issuer address of an external OpenID Connect provider."),
  oidc_audience: optional(line(1, 500), "Audience its access tokens carry. Default: the client id."),
  oidc_client_id: optional(line(1, 500), "Client id of the dashboard at that provider."),
  playground_per_minute: setting("30", integer(1, 1_000_000), "Playground calls a minute from one address."),
  trusted_proxies: setting("", ranges, "Addresses or CIDR ranges, comma-separated, whose X-Forwarded-For is believed."),
  requests_per_address: setting(
    "256",
    integer(1, 1_000_000),
    "Requests of one address under way at a time; this machine's are not counted.",
  ),
  demo_capacity: setting("500", integer(1, 100_000), "Demo workspaces kept at a time."),
  demo_idle_s: setting("3600", integer(1, 604_800), "Seconds after which an idle demo workspace ends."),
  heartbeat_s: setting("60", integer(1, 86_400), "Seconds between two heartbeats, as told to agents."),
  workers: setting(
    () => String(Math.max(1, availableParallelism() - 1)),
    integer(1, 256),
    "Threads for organisations.",
  ),
  metrics_token: optional(secret, "Opens /metrics to others than this machine."),
  log_level: setting("info", oneOf(levels), `One of ${levels.join(", ")}.`),
};

type Settings = typeof settings;
type Value<S> = S extends { default: unknown; parse: Parse<infer T> }
  ? T
  : S extends { parse: Parse<infer T> }
    ? T | undefined
    : never;
export type SettingName = keyof Settings;
/** Every setting, parsed. Secrets do not print, so the whole may be logged. */
export type Config = { readonly [K in SettingName]: Value<Settings[K]> };

const variable = (key: string) => `GATEHOUSE_${key.toUpperCase()}`;
const flag = (key: string) => `--${key.replaceAll("_", "-")}`;
const keys = Object.keys(settings) as SettingName[];

/**
 * The settings from the environment, flags of the same name winning (`--port 9000` or `--port=9000` is GATEHOUSE_PORT).
 * An empty variable counts as absent. Throws `ConfigError` for a bad value, an unknown flag or a stray word.
 */
export function readConfig(env: Record<string, string | undefined>, argv: readonly string[] = []): Config {
  const flags = readFlags(argv);
  const values = keys.map(key => {
    const given = flags.get(key);
    return [key, parse(key, given ?? env[variable(key)], given === undefined ? variable(key) : flag(key))];
  });
  return together(Object.fromEntries(values) as Config);
}

function parse(key: SettingName, given: string | undefined, spelling: string): unknown {
  const one: Setting<unknown> = settings[key];
  const initial = typeof one.default === "function" ? one.default() : one.default;
  const text = given?.trim() ? given : initial;
  if (text === undefined) return undefined;
  try {
    return one.parse(text);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ConfigError(`${spelling} ${error.message}.`);
  }
}

/** Not a setting but the command line is at fault. */
export class FlagError extends ConfigError {}

function readFlags(argv: readonly string[]): Map<SettingName, string> {
  const found = new Map<SettingName, string>();
  for (let at = 0; at < argv.length; at++) {
    const [word, inline] = splitOnce(argv[at]!, "=");
    const key = keys.find(one => flag(one) === word);
    if (!word.startsWith("--"))
      throw new FlagError(`"${word}" is not expected here; settings are written --name value.`);
    if (!key) throw new FlagError(`There is no setting ${word}; \`gatehouse serve --help\` lists them.`);
    const value = inline ?? argv[++at];
    if (value === undefined) throw new FlagError(`${word} needs a value.`);
    found.set(key, value);
  }
  return found;
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const at = text.indexOf(mark);
  return at === -1 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

/** What only makes sense together. */
function together(config: Config): Config {
  const pair = (one: SettingName, other: SettingName) => {
    if (config[one] !== undefined && config[other] === undefined)
      throw new ConfigError(`${variable(one)} needs ${variable(other)} as well.`);
  };
  pair("admin_email", "admin_password");
  pair("admin_password", "admin_email");
  pair("demo_email", "demo_password");
  pair("demo_password", "demo_email");
  if (config.admin_email && config.admin_email === config.demo_email)
    throw new ConfigError(`${variable("demo_email")} must not be the admin's address.`);
  if (config.oidc_issuer && !(config.oidc_audience ?? config.oidc_client_id))
    throw new ConfigError(
      `${variable("oidc_issuer")} needs ${variable("oidc_audience")} or ${variable("oidc_client_id")}.`,
    );
  return config;
}

/** The table of settings for `gatehouse serve --help`. */
export function settingsHelp(): string {
  const width = Math.max(...keys.map(key => variable(key).length));
  const lines = keys.map(key => {
    const one: Setting<unknown> = settings[key];
    const initial = typeof one.default === "function" ? one.default() : one.default;
    return `  ${variable(key).padEnd(width)}  ${one.says}${initial ? ` Default: ${initial}.` : ""}`;
  });
  return ["Settings (environment variables; --port 9000 is the same as GATEHOUSE_PORT=9000):", ...lines].join("\n");
}

/** Name and sentence of every setting, so that the README can be held to them. */
export const settingNames = (): string[] => keys.map(variable);

/** Where things lie below the data directory. */
export function dataPaths(config: Pick<Config, "data">) {
  return {
    directory: join(config.data, "directory.sqlite"),
    orgs: join(config.data, "orgs"),
    keys: join(config.data, "keys"),
  };
}

function integer(min: number, max: number): Parse<number> {
  return text => {
    const value = /^\d{1,15}$/.test(text.trim()) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : wants(`must be a whole number from ${min} to ${max}`);
  };
}

function line(min: number, max: number): Parse<string> {
  return text => {
    const value = text.trim();
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
    const plain = !/[\u0000-\u001f\u007f]/.test(value);
    return plain && value.length >= min && value.length <= max
      ? value
      : wants(`must be one line of ${min} to ${max} characters`);
  };
}

function oneOf<const T extends string>(values: readonly T[]): Parse<T> {
  return text => values.find(one => one === text.trim().toLowerCase()) ?? wants(`must be one of ${values.join(", ")}`);
}

function hostname(text: string): string {
  const value = text.trim().replace(/^\[(.*)\]$/, "$1");
  return /^[A-Za-z0-9]([A-Za-z0-9.-]{0,252})$/.test(value) || net().isIP(value)
    ? value
    : wants("must be an address or a host name");
}

function name(text: string): string {
  return /^[a-z][a-z0-9-]{0,63}$/.test(text.trim()) ? text.trim() : wants("must be a name such as team");
}

function email(text: string): string {
  const value = text.trim();
  return /^[^\s@]{1,64}@[^\s@]{1,190}$/.test(value) ? value : wants("must be an email address");
}

/** As written: a password may end in a space. */
function secret(text: string): Secret {
  return new Secret(text);
}

function webAddress(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : wants("must be an http or https address");
  const plain = url.username === "" && url.password === "" && url.search === "" && url.hash === "";
  return plain && /^https?:$/.test(url.protocol)
    ? url
    : wants("must be an http or https address without user, query or fragment");
}

function origin(text: string): string {
  const url = webAddress(text);
  return url.pathname === "/"
    ? url.origin
    : wants("must be an origin without a path, such as https://gatehouse.example");
}

/** Kept as written, because the `iss` of a token is compared character by character (OpenID Connect Core §2). */
function issuer(text: string): string {
  const { protocol, hostname } = webAddress(text);
  const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
  return protocol === "https:" || loopback
    ? text.trim()
    : wants("must be an https address (http only on this machine)");
}

function ranges(text: string): string[] {
  const found = text.split(",").flatMap(one => (one.trim() ? [one.trim()] : []));
  for (const one of found)
    if (!isRange(one)) wants(`must be addresses or CIDR ranges; "${one.slice(0, 60)}" is neither`);
  return found;
}

function isRange(text: string): boolean {
  const [address, bits] = splitOnce(text, "/");
  const { BlockList, isIP } = net();
  const version = isIP(address);
  if (version === 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return false;
  try {
    new BlockList().addSubnet(address, Number(bits ?? 0), version === 6 ? "ipv6" : "ipv4");
    return true;
  } catch {
    return false;
  }
}
