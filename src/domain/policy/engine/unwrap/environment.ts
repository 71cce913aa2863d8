/** Variables that make programs start something: by their name, by options they hold, by the function they carry. */
import { limits } from "../limits.ts";
import { type Machine, TERMINAL } from "../run/machine.ts";
import { runSubscripts } from "../fold/arithmetic.ts";
import { baseName } from "../paths.ts";
import { UNKNOWN } from "../taint.ts";
import { type Field, word } from "../value.ts";
import { isSink } from "../paths.ts";
import { isShell } from "../run/files.ts";
import { runCode, runText } from "./text.ts";

/** Variables whose value some program runs, and the language it is in. */
const running = new Map<string, string>();
const named = (language: string, names: string): void => {
  for (const name of names.split(/\s+/)) running.set(name, language);
};
named(
  "shell",
  `PAGER MANPAGER GIT_PAGER SYSTEMD_PAGER AWS_PAGER BAT_PAGER DELTA_PAGER PSQL_PAGER GH_PAGER ACK_PAGER EDITOR VISUAL
  GIT_EDITOR GIT_SEQUENCE_EDITOR SVN_EDITOR HGEDITOR KUBE_EDITOR SUDO_EDITOR SYSTEMD_EDITOR PSQL_EDITOR GH_EDITOR FCEDIT LESSEDIT
  BROWSER GIT_BROWSER GH_BROWSER GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS
  LESSOPEN LESSCLOSE RSYNC_RSH RSYNC_CONNECT_PROG CVS_RSH SVN_SSH HGRCPATH BORG_RSH BORG_PASSCOMMAND RESTIC_PASSWORD_COMMAND
  RCLONE_PASSWORD_COMMAND PROMPT_COMMAND AUTOM4TE TAR_RSH MAKE_SHELL DOCKER_CREDENTIAL_HELPER FZF_DEFAULT_COMMAND
  FZF_CTRL_T_COMMAND FZF_ALT_C_COMMAND KUBECTL_EXTERNAL_DIFF CC CXX CPP LD AR CONFIG_SHELL MAKE CC_FOR_TARGET CC_FOR_BUILD HOSTCC PKG_CONFIG RUSTC RUSTC_WRAPPER
  RUSTC_WORKSPACE_WRAPPER CARGO_BUILD_RUSTC_WRAPPER NPM_CONFIG_EDITOR NPM_CONFIG_GIT NPM_CONFIG_SCRIPT_SHELL NPM_CONFIG_VIEWER`,
);
named("prompt", "PS0 PS1 PS2 PS4 PROMPT ENV BASH_ENV");
named("ex", "EXINIT VIMINIT");
named("lua", "LUA_INIT");
named("erl", "ERL_AFLAGS ERL_FLAGS ERL_ZFLAGS ELIXIR_ERL_OPTIONS");
named("perl", "PERL5DB");
named("dbus", "DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS");

/** Variables that name a file some program writes: a trace, a log of keys. */
const written =
  /^(?:GIT_TRACE\w*|SSLKEYLOGFILE|MALLOC_TRACE|LD_DEBUG_OUTPUT|NODE_V8_COVERAGE|GCOV_PREFIX|PYTHONPYCACHEPREFIX|GIT_INDEX_FILE)$/;

/** Variables that hold options for a program: judged as that program given those options. */
const options = new Map(
  Object.entries({
    TAR_OPTIONS: "tar -c",
    MAKEFLAGS: "make",
    GNUMAKEFLAGS: "make",
    MANOPT: "man",
    LESS: "less",
    ZIPOPT: "zip",
    FZF_DEFAULT_OPTS: "fzf",
    GOFLAGS: "go build",
    JAVA_TOOL_OPTIONS: "java",
    _JAVA_OPTIONS: "java",
    JDK_JAVA_OPTIONS: "java",
    MAVEN_OPTS: "java",
    GRADLE_OPTS: "java",
    SBT_OPTS: "java",
    JAVA_OPTS: "java",
    CATALINA_OPTS: "java",
    MAVEN_ARGS: "mvn",
    CARGO_ENCODED_RUSTFLAGS: "rustc",
    PYTEST_ADDOPTS: "pytest",
    RUSTFLAGS: "rustc",
    RUSTDOCFLAGS: "rustdoc",
    CARGO_BUILD_RUSTFLAGS: "rustc",
    CFLAGS: "gcc",
    CXXFLAGS: "gcc",
    CPPFLAGS: "gcc",
    LDFLAGS: "gcc",
  }),
);

/** Options of compilers that name a program or a library; the others are everyday. */
const loads = /-(?:B|specs|fplugin|wrapper)/;

/** `CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER`, `npm_config_git`: names that are made up of others. */
function languageOf(name: string): string | undefined {
  if (name.startsWith("CARGO_TARGET_") && /_(RUNNER|LINKER)$/.test(name)) return "shell";
  const found = running.get(name.startsWith("npm_config_") ? name.toUpperCase() : name);
  return found ?? (startsWhat.test(name) ? "shell" : undefined);
}

/** Variables named after what they start: `CRASHPAGER`, `GIT_SEQUENCE_EDITOR`. */
const startsWhat = /(?:PAGER|EDITOR|BROWSER|ASKPASS|SSH_COMMAND)$/;

/** Values that are only the name of a pager or an editor. */
function isPlain(text: string): boolean {
  const [program, ...rest] = text.split(/\s+/);
  return /^[\w.+/-]*$/.test(program!) && rest.every(word => option.test(word));
}
const option = /^-(?:[\w=.:+-]+|-[\w-]+=[\w./-]+)$/;

/** Tells that a variable is set, and does what its value makes a program do. */
export function setVariable(m: Machine, of: number, name: string, value: Field, span = value.span): void {
  m.facts.push({ kind: "env", of, name, value: word(value), span });
  if (value.text.startsWith("/") && written.test(name) && !isSink(value.text))
    m.file(of, "write", { text: m.place(value.text), known: value.known });
  // A value that grew by doubling is not looked into: that alone would build it.
  if (value.text.length <= limits.chars && value.text.startsWith("() {")) return carried(m, of, name, value);
  // `LESS='+!cmd'`: what the pager is told to do first.
  const first = name.endsWith("LESS") ? /^\s*\+!(.*)$/s.exec(value.text)?.[1] : undefined;
  if (first !== undefined) return runValue(m, of, name, "shell", { ...value, text: first });
  const program = options.get(name) ?? /^TF_CLI_ARGS_(\w+)$/.exec(name)?.[0].replace("TF_CLI_ARGS_", "terraform ");
  if (program !== undefined && (program === "gcc" ? loads : /[-@]/).test(value.text)) {
    if (value.text.length <= limits.chars) m.subshell(() => runText(m, optioned(program, value), name, TERMINAL));
    return;
  }
  const language = languageOf(name);
  if (language !== undefined && value.text !== "") runValue(m, of, name, language, value);
}

/** `tar -c <value> .`: the operand keeps a program that reads from a terminal from seeming to open a session. */
const optioned = (program: string, value: Field): Field => ({ ...value, text: `${program} ${value.text} .` });

/** `PAGER='sh -c …' man ls`: the value runs when the program that follows asks for it. */
function runValue(m: Machine, of: number, name: string, language: string, value: Field): void {
  const first = value.text.trim().split(/[\s;|]/)[0]!;
  if (language === "shell" && isPlain(value.text) && !isShell(baseName(first)) && !m.files.has(m.place(first))) return;
  if (language === "prompt") {
    runSubscripts(m, value.text);
    return;
  }
  if (language === "dbus" && !value.text.startsWith("unixexec:")) return;
  m.flow(of, value, "shell");
  const before = m.spawned;
  m.spawned = true;
  m.subshell(() => {
    if (language === "shell") runText(m, value, name, TERMINAL);
    else if (language === "dbus") runText(m, { ...value, text: started(value.text) }, name, TERMINAL);
    else runCode(m, language, value, name, TERMINAL);
  });
  m.spawned = before;
}

/** `unixexec:path=/bin/sh,argv1=-c,argv2=text`: the words of the program that a bus client starts. */
const started = (address: string): string =>
  [...address.matchAll(/(?:path|argv\d+)=([^,]*)/g)].map(([, text]) => `'${text!.replaceAll("'", "'\\''")}'`).join(" ");

/** `BASH_FUNC_ls%%=() { …; }`: a function that the next bash takes over; old ones run what follows it at once. */
function carried(m: Machine, of: number, name: string, value: Field): void {
  const called = /^BASH_FUNC_([\w.-]+)(?:%%|\(\))$/.exec(name)?.[1] ?? name;
  m.flow(of, { ...value, taint: UNKNOWN }, "shell");
  const text = /^[A-Za-z_][\w.-]*$/.test(called) ? `${called} ${value.text}` : value.text;
  m.subshell(() => runText(m, { ...value, text }, name, TERMINAL));
}
