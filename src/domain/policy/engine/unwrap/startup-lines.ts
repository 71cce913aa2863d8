/** Lines that tools ask to be added to a shell's startup file: folders of one's own for the search path, a tool's set-up. */
const own = /^(?:\$HOME|\$\{HOME\}|~|\/opt\/homebrew|\/usr\/local)(?:\/[\w@+-][\w.@+-]*|\/\.[\w-]+)+$/;
const ofTool = /^\$(?:GOPATH|BUN_INSTALL|PNPM_HOME|PYENV_ROOT|NVM_DIR)(?:\/bin)?$/;
const homes = new Set("GOPATH BUN_INSTALL PNPM_HOME PYENV_ROOT NVM_DIR JAVA_HOME ANDROID_HOME".split(" "));
const tool =
  "direnv hook|(?:py|rb|nod|go|j)env init|starship init|zoxide init|atuin init|fnm env|mise activate|brew shellenv|/opt/homebrew/bin/brew shellenv";

/** `$HOME/bin:$PATH`: folders of one's own beside those that were there. */
function isOwnPath(value: string): boolean {
  const added = value.split(":").filter(folder => folder !== "$PATH" && folder !== "${PATH}");
  return value.split(":").length === added.length + 1 && added.every(folder => own.test(folder) || ofTool.test(folder));
}

const setting = /^(export )?([A-Z_]+)=("?)([^"]*)\3$/;
const setUp = new RegExp(
  `^eval "\\$\\((?:${tool})(?: [\\w-]+)*\\)"$|^(?:\\.|source) ("?)(?:\\$HOME|~)/\\.cargo/env\\1$`,
);

function isStartupLine(line: string): boolean {
  if (line === "" || line.startsWith("#")) return true;
  const [, exported, name, , value] = setting.exec(line) ?? [];
  if (name === undefined) return setUp.test(line);
  return name === "PATH" ? isOwnPath(value!) : exported !== undefined && homes.has(name) && own.test(value!);
}

/** A call that prints the set-up of its tool: `starship init zsh`. */
const prints = new RegExp(`^(?:${tool})(?: (?:bash|zsh|-))?$`);

export const printsSetUp = (words: readonly string[]): boolean => prints.test(words.join(" "));

const lengthMax = 4096;

/** Whether a text that is added holds nothing else. */
export const isStartupLines = (text: string): boolean =>
  text.length < lengthMax && /^[^#\s]/m.test(text) && text.split("\n").every(one => isStartupLine(one.trimEnd()));
