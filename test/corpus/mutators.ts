/**
 * Transforms that change how a command is written and not what it does. Stacked on a dangerous command the verdict must not
 * weaken; stacked on a benign one it must not alarm. `arbitrary` gives fast-check stacks of them.
 */
import fc from "fast-check";

export interface Mutator {
  name: string;
  /** Undefined where the transform does not fit the command. */
  apply(command: string, n: number): string | undefined;
  /** Hides what runs from a reader (encoding, decoding): fair on dangerous commands, an alarm of its own on benign ones. */
  hides: boolean;
}

const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");
const hex = (text: string): string => Buffer.from(text, "utf8").toString("hex");

/** One simple command of plain words: the transforms of single words apply to it. */
const simple = /^[\w./~-]+( [\w./~@:=*,+-]+)*$/;
const wordwise = (change: (words: string[], n: number) => string | undefined) => (command: string, n: number) =>
  simple.test(command) && !/^(if|for|while|case|until|select|function|time)\b/.test(command)
    ? change(command.split(" "), n)
    : undefined;

const first = (change: (program: string, n: number) => string | undefined) =>
  wordwise((words, n) => {
    const changed = change(words[0]!, n);
    return changed === undefined ? undefined : [changed, ...words.slice(1)].join(" ");
  });

/** Words that mean nothing but themselves, wherever they stand. */
const listed = (change: (words: string[], n: number) => string) =>
  wordwise((words, n) => (words.some(w => /[~*,=@]/.test(w)) ? undefined : change(words, n)));

const ownLines = (command: string): boolean =>
  !command.includes("\n") && !command.includes("<<") && !command.trimEnd().endsWith("\\");

const before =
  (prefix: string): Mutator["apply"] =>
  command =>
    simple.test(command) ? `${prefix} ${command}` : undefined;

const make = (name: string, apply: Mutator["apply"], hides = false): Mutator => ({ name, apply, hides });

const pick = (list: readonly string[], n: number): string => list[n % list.length]!;

export const mutators: readonly Mutator[] = [
  // wrappers
  make("env assignment", before("FOO=bar")),
  make("env", (c, n) => before(pick(["env", "env A=1", "env -i", "env -u X"], n))(c, n)),
  make("exec wrapper", (c, n) =>
    before(
      pick(
        [
          "nohup",
          "nice",
          "nice -n 5",
          "setsid",
          "ionice -c3",
          "stdbuf -oL",
          "timeout 5",
          "timeout -k 1 5",
          "command",
          "time",
          "chrt -i 0",
          "taskset 1",
          "flock /tmp/l",
          "strace -f",
          "busybox",
        ],
        n,
      ),
    )(c, n),
  ),
  make("exec builtin", before("exec")),
  // The terminal is opened anew, so that what waits for somebody typing still does.
  make(
    "xargs",
    wordwise(words =>
      words.length > 1 ? `printf '%s\\n' ${words.slice(1).join(" ")} | xargs -o ${words[0]}` : undefined,
    ),
  ),
  // shells
  make(
    "sh -c",
    (c, n) =>
      `${pick(["sh", "bash", "dash", "zsh", "/bin/bash", "bash --norc", "bash -l", "bash -e"], n)} -c ${quote(c)}`,
  ),
  make("eval", c => `eval ${quote(c)}`),
  make("here-string", c => (c.includes("\n") ? undefined : `bash <<< ${quote(c)}`)),
  make("heredoc", c => (c.includes("EOF_1") ? undefined : `bash <<'EOF_1'\n${c}\nEOF_1`)),
  make("echo to shell", c =>
    `echo ${quote(c)} | ${c.includes("\\") ? "cat | bash" : "sh"}`.replace(
      /^echo (.*\\.*) \| cat/s,
      "printf '%s' $1 | cat",
    ),
  ),
  make("source", c => `source <(printf '%s' ${quote(c)})`),
  make("substitution", c => `: "$(${c}\n)"`),
  // structure
  make("subshell", c => `( ${c}\n)`),
  make("group", c => `{ ${c}\n}`),
  make("after true", c => (ownLines(c) ? `true && ${c}` : undefined)),
  make("after a statement", c => `echo start; ${c}`),
  make("background", c => (ownLines(c) && !c.endsWith("&") ? `${c} &` : undefined)),
  make("if", c => `if true; then ${c}\nfi`),
  make("for", c => `for i in 1; do ${c}\ndone`),
  make("function", (c, n) => `f${n % 10}() { ${c}\n}; f${n % 10}`),
  make("comment", c => `# note\n${c}`),
  make("not", c => (ownLines(c) && !c.startsWith("!") ? `! ${c}` : undefined)),
  // quoting
  make(
    "quoted program",
    first(p => (p.includes("~") ? undefined : `"${p}"`)),
  ),
  make(
    "split quotes",
    first(p => (p.length > 1 && !p.includes("~") ? `${p.slice(0, 1)}''${p.slice(1)}` : undefined)),
  ),
  make(
    "backslash",
    first(p => (/^[a-z]/.test(p) ? `\\${p}` : undefined)),
  ),
  make(
    "inner backslash",
    first(p => (/^[a-z]{2}/.test(p) ? `${p[0]}\\${p.slice(1)}` : undefined)),
  ),
  make(
    "ansi-c",
    first(p => `$'${[...p].map(c => `\\x${c.charCodeAt(0).toString(16).padStart(2, "0")}`).join("")}'`),
    true,
  ),
  make(
    "ansi-c braces",
    first(p => `$'${[...p].map(c => `\\x{${c.charCodeAt(0).toString(16)}}`).join("")}'`),
    true,
  ),
  make(
    "ansi-c octal",
    first(p => `$'${[...p].map(c => `\\${c.charCodeAt(0).toString(8).padStart(3, "0")}`).join("")}'`),
    true,
  ),
  make(
    "line continuation",
    wordwise(words => words.join(" \\\n ")),
  ),
  make(
    "extra blanks",
    wordwise(words => words.join("  \t ")),
  ),
  make(
    "path",
    first((p, n) =>
      /^(rm|cat|cp|mv|ls|grep|chmod|bash|sh|curl|git|tar|find|dd)$/.test(p)
        ? pick(["/bin/", "/usr/bin/", "/usr/local/bin/", "/bin/../bin/"], n) + p
        : undefined,
    ),
  ),
  // expansion
  make(
    "variable program",
    first((p, n) => (p.includes("~") ? undefined : `v${n % 7}=${p}; $v${n % 7}`)),
  ),
  make(
    "variables",
    wordwise((words, n) =>
      words.some(w => /[~*=]/.test(w))
        ? undefined
        : `${words.map((w, i) => `w${n % 5}${i}=${quote(w)}`).join("; ")}; ${words.map((_, i) => `$w${n % 5}${i}`).join(" ")}`,
    ),
  ),
  make(
    "array",
    wordwise(words => (words.some(w => /[~*]/.test(w)) ? undefined : `a=(${words.join(" ")}); "\${a[@]}"`)),
  ),
  make(
    "positionals",
    wordwise(words => (words.some(w => /[~*]/.test(w)) ? undefined : `set -- ${words.join(" ")}; "$@"`)),
  ),
  make(
    "indirection",
    first((p, n) => (p.includes("~") ? undefined : `r${n % 3}=${p}; q${n % 3}=r${n % 3}; \${!q${n % 3}}`)),
  ),
  make(
    "default value",
    first(p => (p.includes("~") ? undefined : `\${nothing_here:-${p}}`)),
  ),
  make(
    "empty expansion",
    first(p => (/^[a-z]{2}/.test(p) ? `${p[0]}$@${p.slice(1)}` : undefined)),
  ),
  make(
    "substring",
    first(p => (p.includes("~") ? undefined : `s=xx${p}; \${s:2}`)),
  ),
  make(
    "replacement",
    first(p => (p.includes("~") || p.length < 2 || /[/.]/.test(p) ? undefined : `s=${p[0]}_${p.slice(1)}; \${s/_/}`)),
  ),
  make(
    "prefix removal",
    first(p => (/^[a-z]+$/.test(p) ? `s=zz:${p}; \${s#*:}` : undefined)),
  ),
  make(
    "ifs",
    wordwise(words => (words.some(w => /[~*]/.test(w)) ? undefined : words.join("${IFS}"))),
  ),
  make(
    "braces",
    wordwise(words => (words.length > 1 && !words.some(w => /[,~*=]/.test(w)) ? `{${words.join(",")}}` : undefined)),
  ),
  make(
    "printf program",
    first(p => (p.includes("~") ? undefined : `$(printf '%s' ${p})`)),
  ),
  make(
    "echo program",
    first(p => (p.includes("~") ? undefined : `$(echo ${p})`)),
  ),
  make("alias", (c, n) =>
    simple.test(c) ? `shopt -s expand_aliases\nalias g${n % 9}=${quote(c)}\ng${n % 9}` : undefined,
  ),
  make(
    "printf -v",
    first(p => (p.includes("~") ? undefined : `printf -v z %s ${p}; $z`)),
  ),
  make(
    "read",
    first(p => (p.includes("~") ? undefined : `read -r z <<< ${p}; $z`)),
  ),
  // state: arrays, functions with words, loops that read, cases, traps
  make(
    "array by numbers",
    listed(
      words =>
        `a=(${words
          .map((w, i) => `[${i * 3 + 1}]=${w}`)
          .reverse()
          .join(" ")}); "\${a[@]}"`,
    ),
  ),
  make(
    "array appended",
    listed((words, n) => `l${n % 4}=(); ${words.map(w => `l${n % 4}+=(${w}); `).join("")}"\${l${n % 4}[@]}"`),
  ),
  make(
    "array sliced",
    listed(words => `a=(x y ${words.join(" ")} z); "\${a[@]:2:${words.length}}"`),
  ),
  make(
    "array read",
    listed(words => `mapfile -t m < <(printf '%s\\n' ${words.join(" ")}); "\${m[@]}"`),
  ),
  make(
    "table",
    listed(
      words =>
        `declare -A t=(${words.map((w, i) => `[k${i}]=${w}`).join(" ")}); ${words.map((_, i) => `"\${t[k${i}]}"`).join(" ")}`,
    ),
  ),
  make(
    "function of words",
    listed((words, n) => `g${n % 6}() { "$@"; }; g${n % 6} ${words.join(" ")}`),
  ),
  make(
    "function that shifts",
    listed((words, n) => `h${n % 6}() { local c=$2; shift 2; $c "$@"; }; h${n % 6} x ${words.join(" ")}`),
  ),
  make(
    "words of sh -c",
    listed(words => `bash -c '"$@"' _ ${words.join(" ")}`),
  ),
  make(
    "reading loop",
    listed(words => `while read -r p q; do $p $q; done <<< ${quote(words.join(" "))}`),
  ),
  make(
    "reading array",
    listed(words => `IFS=, read -ra r <<< ${words.join(",")}; "\${r[@]}"`),
  ),
  make(
    "words put together",
    listed(words => `c=; for w in ${words.join(" ")}; do c="$c $w"; done; $c`),
  ),
  make("case", (c, n) => `case ${pick(["x", "yes", "a-b"], n)} in ${pick(["*", "?*", "x|yes|a-b"], n)}) ${c}\n;; esac`),
  make("case falling through", c => `case x in x) : ;& y) ${c}\n;; esac`),
  make("trap", c => (ownLines(c) ? `trap ${quote(c)} EXIT` : undefined)),
  make("trap of a function", (c, n) => `e${n % 3}() { ${c}\n}; trap e${n % 3} EXIT`),
  // encoding
  make("base64", c => `echo ${base64(c)} | base64 -d | bash`, true),
  make("base64 eval", c => `eval "$(echo ${base64(c)} | base64 --decode)"`, true),
  make("hex", c => `echo ${hex(c)} | xxd -r -p | sh`, true),
  make(
    "printf escapes",
    c => `printf '${[...Buffer.from(c)].map(b => `\\x${b.toString(16).padStart(2, "0")}`).join("")}' | bash`,
    true,
  ),
  make("reversed", c => (c.includes("\n") ? undefined : `echo ${quote([...c].reverse().join(""))} | rev | bash`), true),
  make(
    "rot13",
    c =>
      c.includes("\n") || c.includes("\\")
        ? undefined
        : `echo ${quote(c.replace(/[A-Za-z]/g, l => String.fromCharCode((l <= "Z" ? 90 : 122) >= l.charCodeAt(0) + 13 ? l.charCodeAt(0) + 13 : l.charCodeAt(0) - 13)))} | tr 'A-Za-z' 'N-ZA-Mn-za-m' | bash`,
    true,
  ),
  make(
    "python",
    c => (c.includes("\\") ? undefined : `python3 -c ${quote(`import os; os.system(${JSON.stringify(c)})`)}`),
    true,
  ),
  make("perl", c => (/[\\$@"]/.test(c) ? undefined : `perl -e ${quote(`system("${c}")`)}`), true),
  make("write then run", (c, n) => `printf '%s\\n' ${quote(c)} > /tmp/t${n % 9}.sh; bash /tmp/t${n % 9}.sh`, true),
  make(
    "write, chmod, run",
    (c, n) =>
      c.includes("EOF_2")
        ? undefined
        : `cat > /tmp/u${n % 9} <<'EOF_2'\n${c}\nEOF_2\nchmod +x /tmp/u${n % 9}; /tmp/u${n % 9}`,
    true,
  ),
];

/** Applies `count` of the mutators, chosen by the numbers; those that do not fit are passed over. */
export function mutate(
  command: string,
  choices: readonly [which: number, n: number][],
  set = mutators,
): { text: string; names: string[] } {
  let text = command;
  const names: string[] = [];
  for (const [which, n] of choices) {
    const mutator = set[which % set.length]!;
    const changed = mutator.apply(text, n);
    if (changed === undefined || changed.length > 8000) continue;
    text = changed;
    names.push(mutator.name);
  }
  return { text, names };
}

/** One to `most` transforms, as numbers for `mutate`. */
export const stacks = (most = 4): fc.Arbitrary<[number, number][]> =>
  fc.array(fc.tuple(fc.nat(10_000), fc.nat(1000)), { minLength: 1, maxLength: most });

/** The transforms that are everyday shell: for commands that must not alarm. */
export const plainMutators: readonly Mutator[] = mutators.filter(m => !m.hides);
