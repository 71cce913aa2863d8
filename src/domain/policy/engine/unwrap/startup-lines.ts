/** Lines that tools ask to be added to a shell's startup file: folders of one's own for the search path, a tool's set-up. */
const own = "(?:\\$HOME|\\$\\{HOME\\}|~|/opt/homebrew|/usr/local)(?:/[\\w@+-][\\w.@+-]*|/\\.[\\w-]+)+";
const places = `(?:${own}|\\$(?:GOPATH|BUN_INSTALL|PNPM_HOME|PYENV_ROOT|NVM_DIR)(?:/bin)?)`;
const tool =
  "direnv hook|(?:py|rb|nod|go|j)env init|starship init|zoxide init|atuin init|fnm env|mise activate|brew shellenv|/opt/homebrew/bin/brew shellenv";

const line = new RegExp(
  `^(?:\\s*|#.*|(?:export )?PATH="?(?:${places}:)*\\$(?:PATH|\\{PATH\\})(?::${places})*"?|export (?:GOPATH|BUN_INSTALL|PNPM_HOME|PYENV_ROOT|NVM_DIR|JAVA_HOME|ANDROID_HOME)="?${own}"?|eval "\\$\\((?:${tool})(?: [\\w-]+)*\\)"|(?:\\.|source) "?(?:\\$HOME|~)/\\.cargo/env"?)$`,
);

/** A call that prints the set-up of its tool: `starship init zsh`. */
const prints = new RegExp(`^(?:${tool})(?: (?:bash|zsh|-))?$`);

export const printsSetUp = (words: readonly string[]): boolean => prints.test(words.join(" "));

const lengthMax = 4096;

/** Whether a text that is added holds nothing else. */
export const isStartupLines = (text: string): boolean =>
  text.length < lengthMax && /^[^#\s]/m.test(text) && text.split("\n").every(one => line.test(one.trimEnd()));
