import { limits } from "../limits.ts";
import type { Machine } from "../run/machine.ts";
import { runSubscripts } from "../fold/arithmetic.ts";
import { UNKNOWN } from "../taint.ts";
import type { Field } from "../value.ts";
import { isShell } from "../run/files.ts";
import { runCode, runText } from "./text.ts";

/** Variables whose value some program runs, and the language it is in. */
const running: Record<string, string> = {
  PERL5DB: "perl",
  PYTHONSTARTUP: "file",
  RUBYOPT: "ruby",
  NODE_OPTIONS: "node",
};
for (const name of "PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER AWS_PAGER BAT_PAGER DELTA_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR SVN_EDITOR HGEDITOR KUBE_EDITOR SUDO_EDITOR FCEDIT BROWSER GIT_BROWSER GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS LESSOPEN LESSCLOSE RSYNC_RSH CVS_RSH SVN_SSH HGRCPATH RESTIC_PASSWORD_COMMAND BORG_PASSCOMMAND BORG_RSH PROMPT_COMMAND AUTOM4TE TAR_RSH MAKE_SHELL RCLONE_PASSWORD_COMMAND GH_PAGER GH_EDITOR DOCKER_CREDENTIAL_HELPER EXINIT VIMINIT FZF_DEFAULT_COMMAND FZF_CTRL_T_COMMAND RSYNC_CONNECT_PROG".split(
  " ",
)) {
  running[name] = name === "EXINIT" || name === "VIMINIT" ? "ex" : "shell";
}

for (const name of ["PS0", "PS1", "PS2", "PS4", "PROMPT"]) running[name] = "prompt";

/** Values that are only the name of a pager or an editor. */
const plain = /^[\w.+/-]*(?:\s+(?:-[\w=.:+-]+|--[\w-]+(?:=[\w./-]+)?))*$/;

/** `PAGER='sh -c …' man ls`: the value runs when the program that follows asks for it. */
export function runEnvironment(m: Machine, of: number, name: string, value: Field): void {
  // A value that grew by doubling is not looked into: that alone would build it.
  if (value.text.length <= limits.chars && value.text.startsWith("() {")) return carried(m, of, name, value);
  const language = running[name];
  if (language === undefined || value.text === "") return;
  const first = value.text.trim().split(/[\s;|]/)[0]!;
  const base = first.slice(first.lastIndexOf("/") + 1);
  if (language === "shell" && plain.test(value.text) && !isShell(base) && !m.files.has(m.places.of(first, m.state.cwd)))
    return;
  if (language === "prompt") {
    runSubscripts(m, value.text);
    return;
  }
  if (language === "node" || language === "ruby" || language === "file") return;
  m.flow(of, value, "shell");
  const before = m.spawned;
  m.spawned = true;
  const io = { input: undefined, socket: undefined };
  m.subshell(() => (language === "shell" ? runText(m, value, name, io) : runCode(m, language, value, name, io)));
  m.spawned = before;
}

/** `BASH_FUNC_ls%%=() { …; }`: a function that the next bash takes over; old ones run what follows it at once. */
function carried(m: Machine, of: number, name: string, value: Field): void {
  const called = /^BASH_FUNC_([\w.-]+)(?:%%|\(\))$/.exec(name)?.[1] ?? name;
  m.flow(of, { ...value, taint: UNKNOWN }, "shell");
  const text = /^[A-Za-z_][\w.-]*$/.test(called) ? `${called} ${value.text}` : value.text;
  m.subshell(() => runText(m, { ...value, text }, name, { input: undefined, socket: undefined }));
}
