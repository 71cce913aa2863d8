/** Calls in code of a scripting language while they are read, and what the names in them mean everywhere. */
import { base64Decode, hexDecode } from "../fold/encodings.ts";

/** A call being read: its name and the strings seen among its arguments. */
export interface Call {
  name: string;
  strings: string[];
  /** Strings stood in a list, or apart from each other: arguments rather than one text. */
  list: boolean;
  taint: number;
  /** The last thing was a string and an operator that joins came after it. */
  joins: boolean;
  /** Something that is no string was among the arguments. */
  other: boolean;
  /** `recursive: true` was among them. */
  recursive: boolean;
  /** What deletes was among them, to be called with each of the others: `map(os.remove, list)`. */
  hands: "deletes" | "removesTrees" | undefined;
}

export const newCall = (name: string): Call => ({
  name,
  strings: [],
  list: false,
  taint: 0,
  joins: false,
  other: false,
  recursive: false,
  hands: undefined,
});

/** What a call yields: its text where it can be told, and its taint. */
export interface Yield {
  text: string | undefined;
  taint: number;
}

/** Calls that list what is below a place, and calls that only show what they are given. */
export const walks = /^(walk|rglob|i?glob|scandir|listdir|iterdir|children|readdir(Sync)?|find|Find)$/;
export const prints = /^(print\w*|puts|p|echo|log|say|write\w*|info|debug|error|warn|console\.\w+)$/;
export const home = /^(process\.env\.HOME|\$ENV\{HOME\}|\$HOME|Dir\.home)$/;

/** The part of a name behind the last `.`, `:` or `>`; `rm_rf!` is `rm_rf`. */
export function last(name: string): string {
  const end = name.charCodeAt(name.length - 1) === 33 ? name.length - 1 : name.length;
  for (let i = end - 1; i >= 0; i--) {
    const c = name.charCodeAt(i);
    if (c === 46 || c === 58 || c === 62) return name.slice(i + 1, end);
  }
  return end < name.length ? name.slice(0, end) : name;
}

export const isShellName = (text: string): boolean =>
  /^(\/\S*\/)?(ba|da|z|k|a|c|tc|fi)?sh$|^cmd(\.exe)?$|^powershell/.test(text);

export function decoded(name: string, strings: readonly string[]): string | undefined {
  const text = strings[0]!;
  if (name === "from" && !strings.includes("base64") && !strings.includes("hex")) return undefined;
  if (name === "unhexlify" || name === "fromhex" || name === "hex2bin" || strings.includes("hex"))
    return hexDecode(text);
  return base64Decode(text);
}

/** awk: texts that stand side by side are one text. */
export const standsBeside = (list: readonly { kind: string }[], i: number): boolean =>
  list[i - 1]?.kind === "string" || list[i - 1]?.kind === "name";

/** Calls that hand one text to a shell. */
export const shellCalls = /(?:^|[ .:>])(system|popen|execSync|shell_exec|passthru|execute|getoutput)$/;

/** Calls that only say where something is. */
export const namesPlace = /^(expanduser|expand_path|Path|Pathname|File|abspath|realpath|glob|URI|URL)$/;

/** Calls without arguments that leave the text before them as it is: `.decode()`. */
export const keepsText = /\.(decode|strip|toString|encode|to_s|chomp|text|read)$/;
/** The user's home inside a text of perl or ruby. */
export const homeInText = /\$ENV\{["']?HOME["']?\}|#\{(?:Dir\.home|ENV\[["']HOME["']\])\}/g;
