import { withoutSlash } from "../paths.ts";
import { filled } from "../run/trees.ts";
import { NETWORK } from "../taint.ts";
import { runText } from "../unwrap/text.ts";
import { type Field, field, literal, unknown, type Val, word } from "../value.ts";
import { part } from "./args.ts";
import { file, language, wrapped } from "./effects.ts";
import { serve } from "./file-servers.ts";
import { hostField, net } from "./network.ts";
import { applyPatch } from "./patch.ts";
import { flagValue, flagValues, type Handler, hasFlag, type Job } from "./row.ts";
import type { Table } from "./table.ts";

/** Configuration keys whose value git runs. */
const running =
  /^(core\.(sshcommand|pager|editor|fsmonitor|hookspath|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|diff\..*\.(command|textconv)|merge\..*\.driver|filter\..*\.(clean|smudge|process)|credential\.helper|credential\..*\.helper|gpg\.program|gpg\..*\.program|pager\..*|alias\..*|(browser|man|difftool|mergetool)\..*\.path|browser\..*\.cmd|difftool\..*\.cmd|mergetool\..*\.cmd|protocol\.ext\.allow|uploadpack\.packobjectshook|remote\..*\.(uploadpack|receivepack|vcs|url|pushurl)|url\..*\.(pushinsteadof|insteadof)|sendemail\.(.*cmd|smtpserver)|init\.templatedir|trailer\..*\.(command|cmd)|submodule\..*\.update|guitool\..*\.cmd|man\..*\.cmd|tar\..*\.command|interactive\.difffilter|instaweb\.httpd|gpg\..*\.defaultkeycommand|include(if\..*)?\.path)$/i;

function config(job: Job, f: Field): void {
  const eq = f.text.indexOf("=");
  if (eq < 0) return;
  setting(job, f.text.slice(0, eq), part(f, eq + 1));
}

/** One `key = value` of git's configuration: values that git runs are run here. */
function setting(job: Job, key: string, value: Field): void {
  if (!running.test(key)) return;
  const lower = key.toLowerCase();
  if (lower.startsWith("alias.")) {
    if (value.text.startsWith("!")) language(job, "shell", part(value, 1), key);
    return;
  }
  if (/^(remote|url)\..*url$|insteadof$/.test(lower)) {
    // `remote.x.url=ext::cmd`, `url.ext::cmd.insteadOf=https://…`
    const at = `${key} ${value.text}`.indexOf("ext::");
    if (at >= 0) language(job, "shell", { ...value, text: `${key} ${value.text}`.slice(at + 5) }, key);
    return;
  }
  if (/^(core\.hookspath|init\.templatedir|include(if\..*)?\.path)$/.test(lower)) {
    file(job, value, "execute");
    return;
  }
  if (
    /^(false|true|always|never|cat|less.*|vim?|nano|code.*|manager.*|store|cache( --timeout[= ]\d+)?|checkout|merge|none|osxkeychain|libsecret|gh.*|delta.*|gpg2?|)$/.test(
      value.text,
    )
  )
    return;
  language(job, "shell", value.text.startsWith("!") ? part(value, 1) : value, key);
}

/** Branches and tags a push, branch, checkout or tag command acts on. */
function refs(job: Job, sub: string): void {
  const operands = job.operands;
  if (sub === "push") {
    const named = operands.slice(hasFlag(job, "--repo") ? 0 : 1);
    for (const f of named) addRef(job, f, f.text.replace(/^\+/, "").replace(/^.*:/, ""));
    if (named.length === 0 && !hasFlag(job, "--all", "--mirror", "--tags")) currentBranch(job);
    return;
  }
  if (/^(branch|tag|checkout|switch|merge|rebase|reset|cherry-pick|update-ref)$/.test(sub)) {
    for (const f of operands) addRef(job, f, f.text);
    if (sub === "checkout" || sub === "switch")
      for (const f of flagValues(job, "-B", "-C", "--force-create")) addRef(job, f, f.text);
  }
  if (/^(commit|rebase|reset|merge|pull)$/.test(sub) && operands.length === 0) currentBranch(job);
}

function addRef(job: Job, f: Field, text: string): void {
  const plain = text.replace(/^refs\/(heads|tags)\//, "");
  const named = plain === "HEAD" ? job.m.world.branch : plain;
  if (named !== undefined) job.inv.refs.push({ text: named, known: f.known, span: f.span });
}

function currentBranch(job: Job): void {
  const { branch } = job.m.world;
  if (branch !== undefined) job.inv.refs.push({ text: branch, known: true });
}

const runGit: Handler = job => {
  const { m } = job;
  const [sub = ""] = job.inv.subcommands;
  for (const f of [...flagValues(job, "-c"), ...(sub === "clone" ? flagValues(job, "--config") : [])]) config(job, f);
  for (const f of flagValues(job, "--template")) if (f.text.startsWith("/")) file(job, f, "execute");
  const alias = flagValues(job, "-c").find(f => f.text.startsWith(`alias.${sub}=`));
  if (alias && !alias.text.includes("=!")) return aliased(job, alias.text.slice(alias.text.indexOf("=") + 1));
  for (const f of flagValues(job, "--exec-path")) file(job, f, "execute");
  for (const f of flagValues(job, "--upload-pack", "--receive-pack", "-u", "--exec", "-x", "--extcmd")) {
    if (!/^git[- ](upload|receive)-pack$/.test(f.text) && (sub !== "push" || f.text.length > 0) && runsFlag(job, sub))
      language(job, "shell", f, sub);
  }
  for (const f of job.operands) if (f.text.startsWith("ext::")) language(job, "shell", part(f, 5), "ext::");
  refs(job, sub);
  if (sub === "remote-ext" && job.operands[1]) language(job, "shell", job.operands[1], sub);
  const own = subcommands[sub];
  if (own) return own(job);
  m.step();
  return undefined;
};

/** `-u` is `--upload-pack` for clone and ls-remote, something else elsewhere. */
const runsFlag = (job: Job, sub: string): boolean =>
  /^(clone|fetch|pull|ls-remote|push|archive|rebase|difftool|fetch-pack|send-pack)$/.test(sub) &&
  (sub === "clone" || sub === "ls-remote" || !job.inv.flags.some(f => f.name === "-u" && sub === "push"));

function aliased(job: Job, text: string): Val {
  const rest = job.operands.map(f => f.text).join(" ");
  return runText(job.m, field(literal(`git ${text} ${rest}`), job.inv.span!), "git alias", job.io);
}

/** The host of `https://host/x` or `user@host:x`; undefined: a remote by its name, or a folder. */
function remoteHost(f: Field): Field | undefined {
  const scp = /^[\w.-]+@([\w.-]+):/.exec(f.text);
  if (scp) return { ...f, text: scp[1]! };
  return /^[\w+]+:\/\//.test(f.text) ? hostField(f) : undefined;
}

const remote: Handler = job => {
  for (const f of job.operands) {
    const host = remoteHost(f);
    if (host) net(job, job.inv.subcommands[0] === "push" ? "upload" : "download", host);
  }
  return unknown(NETWORK);
};

/** `clone url dir`: the directory's files come from the network. */
const clone: Handler = job => {
  remote(job);
  const [url, dir] = job.operands;
  if (!url) return undefined;
  const name = dir ?? {
    ...url,
    text: withoutSlash(url.text)
      .replace(/\.git$/, "")
      .split(/[/:]/)
      .at(-1)!,
  };
  const folder = file(job, name, "write");
  const host = remoteHost(url);
  if (host) filled(job.m, folder, unknown(NETWORK, { host: word(host) }));
  return undefined;
};

/** A host and nothing below it, over a protocol that nobody reads along. */
const wholeHost = /^(?:https:\/\/(?:[^@/]+@)?|ssh:\/\/(?:git@)?|git@)([a-z0-9.-]+)[:/]?$/;

/** `url.git@host:.insteadOf https://host/`: the same host by another protocol. */
function sameHost(key: string, value: string): boolean {
  if (!key.startsWith("url.")) return false;
  const base = /^url\.(.*)\.(?:push)?insteadof$/i.exec(key)?.[1] ?? "";
  const host = wholeHost.exec(base)?.[1];
  return host !== undefined && host === /^(?:https?|git|ssh):\/\/(?:git@)?([a-z0-9.-]+)\/?$/.exec(value)?.[1];
}

/** `config key value`, `config set key value`, `config --add key value`. */
const configure: Handler = job => {
  const [key, value] = job.operands[0]?.text === "set" ? job.operands.slice(1) : job.operands;
  if (key && value && !hasFlag(job, "--get", "--unset", "--get-all", "-l", "--list")) {
    setting(job, key.text, value);
    if (sameHost(key.text, value.text)) job.inv.flags.push({ name: "--same-host" });
    const scope = hasFlag(job, "--global")
      ? "~/.gitconfig"
      : hasFlag(job, "--system")
        ? "/etc/gitconfig"
        : ".git/config";
    file(job, field(literal(scope), key.span), "write");
  }
  return undefined;
};

const moves: Handler = job => {
  const sub = job.inv.subcommands[0];
  if (sub === "rm" && !hasFlag(job, "--cached", "-n", "--dry-run"))
    for (const f of job.operands) file(job, f, "delete", hasFlag(job, "-r"));
  if (sub === "mv") for (const f of job.operands) file(job, f, "write");
  return undefined;
};

/** `checkout -- file`, `checkout HEAD~1 file`: files are overwritten, told as the flag `--`. */
const checkout: Handler = job => {
  emptied(job);
  const named = job.argv.findIndex(f => f.text === "--");
  const makes = hasFlag(job, "-b", "-B", "--orphan", "-t", "--track");
  if ((named > 0 && named + 1 < job.argv.length) || (!makes && job.operands.length > 1))
    job.inv.flags.push({ name: "--" });
  return undefined;
};

/** `rebase --exec cmd`, `bisect run cmd`, `submodule foreach cmd`, `filter-branch --tree-filter cmd`. */
const bisect: Handler = job => {
  if (job.operands[0]?.text !== "run") return undefined;
  const words = job.argv.slice(job.argv.indexOf(job.operands[0]) + 1);
  return words[0]
    ? /\s/.test(words[0].text)
      ? language(job, "shell", words[0], "bisect run")
      : wrapped(job, words)
    : undefined;
};

const submodule: Handler = job => {
  const [first, second] = job.operands;
  if (first?.text === "foreach" && second)
    language(job, "shell", joined(job.argv.slice(job.argv.indexOf(second))), "submodule foreach");
  return undefined;
};

const filterBranch: Handler = job => {
  for (const f of job.inv.flags)
    if (f.name.endsWith("-filter") && f.value) language(job, "shell", f.value as Field, f.name);
  return undefined;
};

/** `grep -Opager`, `grep --open-files-in-pager=pager`. */
const grep: Handler = job => {
  for (const f of job.argv) if (/^-O./.test(f.text)) language(job, "shell", part(f, 2), "-O");
  for (const f of job.inv.flags)
    if (f.name === "--open-files-in-pager" && f.value) language(job, "shell", f.value as Field, f.name);
  return undefined;
};

/** `clean -fdx /`, `-C / clean`, `--work-tree=/ checkout -f`: the place is another than where git is started. */
const emptied: Handler = job => {
  const sub = job.inv.subcommands[0];
  if (hasFlag(job, "-n", "--dry-run") || (sub !== "clean" && !hasFlag(job, "-f", "--force", "--hard")))
    return undefined;
  const places = [...flagValues(job, "-C", "--work-tree"), ...(sub === "clean" ? job.operands : [])];
  for (const f of places) file(job, f, "delete", true);
  return undefined;
};

/** Options of mail, web and server commands whose value is a program. */
const started: Handler = job => {
  for (const f of flagValues(job, "--httpd", "--access-hook", "--to-cmd", "--cc-cmd", "--header-cmd", "--sendmail-cmd"))
    language(job, "shell", f, job.inv.subcommands[0]!);
  const server = flagValue(job, "--smtp-server");
  if (server?.text.includes("/")) language(job, "shell", server, "--smtp-server");
  return undefined;
};

/** `diff --no-index a b`: any two files. */
const compared: Handler = job => {
  if (hasFlag(job, "--no-index")) for (const f of job.operands) file(job, f, "read");
  return undefined;
};

/** `daemon --base-path=/`: whatever lies there goes to whoever asks. */
const served: Handler = job => {
  started(job);
  return serve(job, flagValue(job, "--base-path"));
};

const joined = (words: readonly Field[]): Field => ({
  ...words[0]!,
  text: words.map(f => f.text).join(" "),
  known: words.every(f => f.known),
});

/** `branch -M old new` is `--move --force`; with one name it renames the branch one is on, as new repositories do. */
const branch: Handler = job => {
  const own = job.argv.slice(job.argv.findIndex(f => f.text === "branch"));
  if (job.operands.length > 1 && own.some(f => f.text === "-M" || f.text === "-C"))
    job.inv.flags.push({ name: "--force" });
  return undefined;
};

const subcommands: Record<string, Handler> = {
  branch,
  clone,
  fetch: remote,
  pull: remote,
  push: remote,
  "ls-remote": remote,
  remote,
  config: configure,
  rm: moves,
  mv: moves,
  apply: applyPatch,
  am: applyPatch,
  bisect,
  checkout,
  submodule,
  "filter-branch": filterBranch,
  grep,
  clean: emptied,
  reset: emptied,
  instaweb: started,
  daemon: served,
  diff: compared,
  "send-email": started,
};

export const git: Table = {
  git: {
    sub: 1,
    valued: "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source",
    files: { "--output": "write" },
    subs: {
      commit:
        "-m -F -C -c -t --message --file --author --date --template --fixup --squash --reuse-message --trailer --cleanup",
      push: "-o --push-option --receive-pack --exec --repo",
      clone:
        "-b -o -u -c -j --branch --origin --upload-pack --depth --reference --template --config --filter --separate-git-dir --shallow-since",
      fetch: "--depth --upload-pack -o --server-option -j --refmap",
      pull: "-s -X --depth --upload-pack --strategy",
      "ls-remote": "--upload-pack --exec -o --sort",
      log: "-n -L -S -G --author --since --until --grep --format --pretty --max-count",
      tag: "-m -F -u --message --file --sort --format --local-user",
      branch: "-u --set-upstream-to --sort --format --contains --merged",
      checkout: "-b -B --orphan --conflict",
      switch: "-c -C --create --force-create --orphan",
      merge: "-m -s -X -F --strategy --message",
      rebase: "-x -s -X --exec --onto --strategy",
      reset: "--pathspec-from-file",
      clean: "-e --exclude",
      grep: "-e -f -A -B -C -m --threads",
      difftool: "-t -x --tool --extcmd",
      archive: "-o --output --format --prefix --remote --exec",
      instaweb: "--httpd --browser -d -b -p --port",
      daemon: "--access-hook --base-path",
      "send-email":
        "--to --cc --bcc --from --subject --smtp-server --sendmail-cmd --to-cmd --cc-cmd --header-cmd --in-reply-to",
      "filter-branch":
        "--env-filter --tree-filter --index-filter --msg-filter --commit-filter --parent-filter --tag-name-filter --subdirectory-filter -d --setup",
      config: "-f --file --blob --type --default",
      stash: "-m --message",
      "cherry-pick": "-m -s -X",
      remote: "-t -m",
      worktree: "-b -B --reason",
      am: "-p -C --directory",
    },
    spawner: true,
    run: runGit,
  },
};
