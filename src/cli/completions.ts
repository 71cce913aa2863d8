import { clients } from "../hooks/dialect.ts";
import { readArguments } from "./arguments.ts";
import { command } from "./command.ts";
import { UsageError } from "./io.ts";

const USAGE = `Usage: gatehouse completions bash|zsh|fish|powershell

Prints a completion script. bash: eval "$(gatehouse completions bash)"; zsh: gatehouse completions zsh > "\${fpath[1]}/_gatehouse";
fish: gatehouse completions fish > ~/.config/fish/completions/gatehouse.fish; PowerShell: gatehouse completions powershell >> $PROFILE`;

const flags: Record<string, string[]> = {
  serve: ["--host", "--port", "--data", "--help"],
  login: ["--name", "--key", "--insecure", "--json"],
  logout: ["--json"],
  status: ["--offline", "--json"],
  install: ["--scope", "--dry-run", "--json"],
  uninstall: ["--scope", "--dry-run", "--json"],
  doctor: ["--json"],
  hook: [],
  heartbeat: ["--watch", "--json"],
  check: ["--mcp", "--args", "--cwd", "--json"],
  policy: ["test", "facts", "--json"],
  comply: ["scan", "import", "--no-home", "--format", "--output", "--fail-on", "--upload", "--project", "--json"],
  verify: ["--leaves", "--checkpoint", "--vkey", "--json"],
  account: ["add", "reset", "--org", "--role", "--name", "--two-factor", "--password-stdin", "--json"],
  org: ["add", "list", "export", "delete", "--admin", "--plan", "--confirm", "--password-stdin", "--json"],
  backup: ["--data", "--json"],
  restore: ["--data", "--json"],
  rebuild: ["--data", "--json"],
  completions: ["bash", "zsh", "fish", "powershell"],
  version: ["--json"],
  help: [],
};
const withAgent = ["install", "uninstall", "hook"];
const words = (verb: string): string => [...(withAgent.includes(verb) ? clients : []), ...flags[verb]!].join(" ");
const verbs = Object.keys(flags);

const bash = (): string => `_gatehouse() {
  local cur=\${COMP_WORDS[COMP_CWORD]}
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W "${verbs.join(" ")}" -- "$cur")); return; fi
  case \${COMP_WORDS[1]} in
${verbs.map(verb => `    ${verb}) COMPREPLY=($(compgen -W "${words(verb)}" -- "$cur"));;`).join("\n")}
  esac
}
complete -o default -F _gatehouse gatehouse`;

const zsh = (): string => `#compdef gatehouse
if (( CURRENT == 2 )); then compadd ${verbs.join(" ")}; return; fi
case $words[2] in
${verbs.map(verb => `  ${verb}) compadd -- ${words(verb)};;`).join("\n")}
esac
_files`;

const fish = (): string =>
  [
    `complete -c gatehouse -f -n __fish_use_subcommand -a "${verbs.join(" ")}"`,
    ...verbs.map(verb => `complete -c gatehouse -n "__fish_seen_subcommand_from ${verb}" -a "${words(verb)}"`),
  ].join("\n");

const powershell = (): string => `Register-ArgumentCompleter -Native -CommandName gatehouse -ScriptBlock {
  param($word, $line, $position)
  $verbs = @{
${verbs.map(verb => `    '${verb}' = '${words(verb)}'`).join("\n")}
  }
  $typed = @($line.CommandElements | ForEach-Object { "$_" } | Where-Object { $_ -ne $word })
  $offered = if ($typed.Count -gt 1 -and $verbs.ContainsKey($typed[1])) { $verbs[$typed[1]] -split ' ' } else { $verbs.Keys }
  $offered | Where-Object { $_ -like "$word*" } | Sort-Object |
    ForEach-Object { [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_) }
}`;

const shells: Record<string, () => string> = { bash, zsh, fish, powershell };

export const run = command(USAGE, async (argv, io) => {
  const shell = readArguments(argv, {}, [1, 1], USAGE).positionals[0]!;
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (!script) throw new UsageError(`There is no script for ${shell.slice(0, 40)}.\n${USAGE}`);
  io.out(script());
  return 0;
});
