/** Text typed into a terminal, and code by the language it is in. */
import { base64Decode } from "../fold/encodings.ts";
import { split } from "./verbs.ts";

const terminals = /\bterm\b|terminal|tmux|screen|pty|tty|console|iterm|shell|process|session|repl|ssh/;
const typing = /^(send|write|type|input|interact|keys|paste|stdin)$/;

/** `tmux/send-keys {text}`, `interact_with_process {input}`: what is given is typed where a shell reads. */
export const typesInto = (server: string, tool: string): boolean =>
  terminals.test([...split(server), ...split(tool)].join(" ")) && split(tool).some(word => typing.test(word));

export const typedKey = /^(text|bytes|input|keys?|data|content|value|line|lines|chars|string|message)$/i;

/** `browser_type {text}`, `fill {value}`: what is typed into a page goes to whoever keeps it. */
export const fillsPage = (server: string, tool: string): boolean =>
  /browser|puppeteer|playwright|chrome|selenium|webdriver|\bpage\b/i.test(`${server}/${tool}`) &&
  split(tool).some(word => /^(type|fill|press|insert|paste|keys|upload|set|act|agent|task)$/.test(word));

/** What the console of a language takes: `import os`, `print(x)`, `x = 1`. */
export const isCode = (text: string): boolean =>
  /^\s*((\w+ *= *)?[\w.]+\([^)]|\w+ = |import \w|from [\w.]+ import |def \w)/.test(text);

/** `{command: "sh", stdin: "rm -rf /"}`: a command with what it reads. */
export function piped({ command, cmd }: Record<string, unknown>, text: string): string {
  const line = [command ?? cmd ?? "cat"].flat().join(" ");
  return `${line} <<'\u001fEOF'\n${text}\n\u001fEOF`;
}

/** A command that was given in base64. */
export function decodedCommand(text: string): string | undefined {
  if (text.length < 8 || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const plain = base64Decode(text);
  return /^[\x20-\x7e\s]+$/.test(plain) && /\w [\w./~-]/.test(plain) ? plain : undefined;
}

const languages: readonly (readonly [RegExp, string])[] = [
  [/powershell|pwsh/, "powershell"],
  [/applescript|osascript/, "applescript"],
  [/\b(bash|sh|shell|zsh)\b/, "shell"],
  [/node|javascript|\bjs\b|typescript|deno|\bbun\b/, "node"],
  [/ruby/, "ruby"],
  [/\bphp\b/, "php"],
  [/\bperl\b/, "perl"],
];

/** The language code is in, by what is said of it and the names of tool and server. */
export function languageOf(names: string): string {
  const lower = names.toLowerCase();
  return languages.find(([pattern]) => pattern.test(lower))?.[1] ?? "python";
}

/** Lines of a notebook that a shell runs: `!ls`, and a whole cell after `%%bash`. */
export function cellCommands(text: string): string | undefined {
  if (/^\s*%%(bash|sh|script|cmd)\b/.test(text)) return text.slice(text.indexOf("\n") + 1);
  const lines = text.includes("!") ? text.split("\n").filter(line => /^\s*!\S/.test(line)) : [];
  return lines.length === 0 ? undefined : lines.map(line => line.replace(/^\s*!/, "")).join("\n");
}
