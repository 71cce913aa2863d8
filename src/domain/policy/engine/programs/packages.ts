import { NETWORK } from "../taint.ts";
import { setVariable } from "../unwrap/environment.ts";
import { type Field, field, literal, unknown, type Val } from "../value.ts";
import { part } from "./args.ts";
import { file, language, standardInput, wrapped } from "./effects.ts";
import { flagValue, flagValues, type Handler, hasFlag, type Job } from "./row.ts";
import { cmake, just, make } from "./builders.ts";
import { hostField, net } from "./network.ts";
import type { Table } from "./table.ts";

/** `npm exec -- cmd`, `npx cmd`, `uv run cmd`: what stands after the runner's own words is a command. */
const runs =
  (words: string): Handler =>
  job => {
    const [sub] = job.inv.subcommands;
    if (/^(pkg|set-script)$/.test(sub ?? "")) return scriptSet(job);
    const code = job.inv.flags.find(f => f.name === "-c" || f.name === "--call");
    if (code?.value && /^(npx|npm|pnpx|pnpm)$/.test(job.inv.program) && /\s/.test(code.value.text))
      return language(
        job,
        "shell",
        { ...code.value, taint: 0, origin: undefined, glob: false, span: job.inv.span! },
        "-c",
      );
    const each = sub === "workspaces" ? job.argv.findIndex(f => f.text === "exec") : -1;
    if (each > 0) return wrapped(job, job.argv.slice(each + 1));
    if (sub !== undefined && hosted.has(sub) && /^(yarn|pnpm|bun)$/.test(job.inv.program))
      return wrapped(job, job.argv.slice(job.argv.findIndex(f => f.text === sub)));
    return sub !== undefined && words.split(" ").includes(sub) ? inner(job) : undefined;
  };

const indexFlags = /^(-[if]|--(extra-)?index-url|--find-links|--(default-)?index)$/;

/** Where packages come from: told only where all of it comes over TLS, for rules that trust a registry. */
const registries = (job: Job): undefined => {
  const given = job.inv.flags.flatMap(({ name, value }) => (value && indexFlags.test(name) ? [value] : []));
  if (hasFlag(job, "--trusted-host", "--allow-insecure-host") || !given.every(f => f.text.startsWith("https://")))
    return;
  for (const f of given) net(job, "download", hostField(f as Field));
};

/** Tools of a project that `yarn` and `pnpm` start by their bare name, and that reach beyond it. */
const hosted = new Set(
  "cdk cdktf prisma knex typeorm sequelize sequelize-cli drizzle-kit mikro-orm wrangler vercel netlify firebase supabase serverless sls sst".split(
    " ",
  ),
);

/** `npm pkg set scripts.x='cmd'`, `npm set-script x 'cmd'`: run by the next `npm run x`. */
function scriptSet(job: Job): undefined {
  for (const f of job.operands) {
    const text = /^scripts\.[^=]*=(.*)$/s.exec(f.text)?.[1] ?? (/\s/.test(f.text) ? f.text : undefined);
    if (text !== undefined) language(job, "shell", { ...f, text }, "scripts");
  }
}

function inner(job: Job): Val | undefined {
  const first = job.operands[0];
  if (!first) return undefined;
  const rest = job.argv.slice(job.argv.indexOf(first));
  return rest.length === 1 && /\s/.test(first.text) ? language(job, "shell", first, "exec") : wrapped(job, rest);
}

const npmValued =
  "-w --workspace --prefix --registry --tag --otp --access --loglevel --cache -C --omit --include -c --call -p --package";

export const packages: Table = {
  "npm pnpm": { sub: 1, valued: npmValued, deep: "config dist-tag access team token owner", run: runs("exec x dlx") },
  yarn: {
    sub: 1,
    deep: "npm workspace global config",
    valued: "--cwd --registry --modules-folder --cache-folder",
    run: runs("exec dlx"),
  },
  "npx bunx pnpx": {
    valued: "-p --package -c --call",
    wraps: 0,
    run: job => {
      const first = job.argv[job.rest];
      // A package by its address is no program that could be looked up.
      if (first?.text.includes(":")) job.inv.args = [first];
      return runs("")(job) ?? (job.rest > 0 ? wrapped(job, job.argv.slice(job.rest)) : undefined);
    },
  },
  "pip pip3 pipx": {
    sub: 1,
    valued:
      "-r -c -i -e -t --index-url --extra-index-url --requirement --constraint --target --prefix --find-links --proxy --editor -f",
    runs: { "--editor": "exec" },
    run: registries,
  },
  uv: {
    sub: 1,
    deep: "pip tool python cache",
    valued:
      "-p --python --with --index-url --directory --project -i --index --default-index --extra-index-url --from --find-links -f -r --requirements",
    run: job => {
      registries(job);
      return runs("run")(job);
    },
  },
  "poetry pdm pipenv hatch rye conda mamba micromamba": {
    sub: 1,
    deep: "cache env self config publish",
    valued: "-n -p -C --name --prefix --directory",
    run: runs("run"),
  },
  "bundle bundler": { sub: 1, valued: "--gemfile --path --jobs", run: runs("exec") },
  gem: { sub: 1, valued: "-v -i -n -s -a --version --install-dir --source --add --key --host" },
  cargo: {
    sub: 1,
    subs: { watch: "-s -x -w -i -d --shell --exec --watch --ignore --delay" },
    run: watched,
    valued:
      "-p --package --manifest-path --target --features --bin --example --test --bench -j --config -Z --profile --token --registry --index --git --branch --rev --path --root --vers --version",
  },
  "twine flit maturin": {
    sub: 1,
    valued: "-u -p -r --username --password --repository --repository-url --config-file",
  },
  go: {
    sub: 1,
    single: true,
    deep: "mod tool work",
    valued: "-o -run -tags -ldflags -C -exec -toolexec -p -timeout -count",
    runs: { "-exec": "exec", "-toolexec": "exec" },
    files: { "-o": "write" },
    run: job => {
      if (job.operands.some(f => f.text === "/dev/stdin")) standardInput(job, "go");
      if (job.inv.subcommands[0] === "env" && hasFlag(job, "-w")) for (const f of job.operands) kept(job, f);
      return undefined;
    },
  },
  "composer phing": { sub: 1, valued: "-d --working-dir", run: runs("exec") },
  "apt apt-get aptitude": {
    sub: 1,
    valued: "-o -c -t --option --config-file --target-release",
    runs: {},
    run: aptOption,
  },
  "pacman emerge": { valued: "-c --config --root -r -b --dbpath" },
  "dnf yum zypper apk brew port snap flatpak nix-env xbps-install opkg pkg": {
    sub: 1,
    valued: "-c --config --root --installroot --repo",
  },
  "rpm dpkg rpmquery rpmverify rpmdb": {
    valued: "-p -E --eval --pipe --root --define",
    runs: { "--eval": "rpm-lua", "-E": "rpm-lua", "--define": "rpm-lua", "--pipe": "exec" },
  },
  "mvn gradle gradlew sbt ant bazel bazelisk buck lein": {
    valued: "-f -p -b -P -D -I --init-script",
    runs: { "-I": "@groovy", "--init-script": "@groovy" },
    run: executed,
  },
  mix: { sub: 1, valued: "-e -r --eval --require", runs: { "-e": "elixir", "--eval": "elixir" } },
  "make gmake remake": {
    valued: "-C -f -j -I -o -W -E --file --directory --makefile --eval",
    files: { "-f": "execute", "--file": "execute" },
    run: make,
  },
  just: {
    valued: "-f --justfile -d --working-directory --shell --shell-arg --set --chooser --dotenv-path",
    spawner: true,
    run: just,
  },
  "cmake ninja meson": { valued: "-S -B -G -D -P -E -C -j --build --preset --target", run: cmake },
};

/** `mvn exec:exec -Dexec.executable=rm -Dexec.args='-rf x'`. */
function executed(job: Job): Val | undefined {
  const told = (name: string) => job.argv.find(f => f.text.startsWith(`-Dexec.${name}=`));
  const [program, args] = [told("executable"), told("args")];
  for (const f of job.argv) property(job, f);
  if (job.inv.program === "sbt")
    for (const f of job.operands) if (/["']/.test(f.text)) language(job, "groovy", f, "eval");
  if (!program) return undefined;
  const text = [program, args].flatMap(f => (f ? [f.text.slice(f.text.indexOf("=") + 1)] : [])).join(" ");
  return language(job, "shell", { ...program, text }, "-Dexec");
}

const ofBuild =
  /^(?:-D[\w.]*(jvmargs)=|-Dmaven\.ext\.class\.(path)=|--(?:test|action|host_action|repo)_(env)=|--override_(?:repository|module)=[\w.]*=)/;

/** Options of a build that name a library, another source, or a variable of what it starts. */
function property(job: Job, f: Field): void {
  const [all, jvm, , env] = ofBuild.exec(f.text) ?? [];
  if (all === undefined) return;
  const value = part(f, all.length);
  const eq = value.text.indexOf("=");
  if (jvm) setVariable(job.m, job.of, "JAVA_TOOL_OPTIONS", value);
  else if (!env) file(job, value, "execute");
  else if (eq > 0) setVariable(job.m, job.of, value.text.slice(0, eq), part(value, eq + 1));
}

/** `cargo watch -s 'text'`, `cargo --config 'alias.b="run …"' b`. */
function watched(job: Job): Val | undefined {
  for (const f of flagValues(job, "--config")) {
    const text = /^alias\.[\w-]+\s*=\s*"(.*)"$/s.exec(f.text)?.[1];
    if (text !== undefined) language(job, "shell", { ...f, text: `cargo ${text}` }, "alias");
  }
  const text = job.inv.subcommands[0] === "watch" ? flagValue(job, "-s", "--shell") : undefined;
  return text && language(job, "shell", text, "-s");
}

/** `go env -w NAME=value`: every later call of go takes it. */
function kept(job: Job, f: Field): void {
  const eq = f.text.indexOf("=");
  if (eq > 0) setVariable(job.m, job.of, f.text.slice(0, eq), part(f, eq + 1));
}

/** `apt-get -o APT::Update::Pre-Invoke::=/bin/sh` */
function aptOption(job: Job): Val | undefined {
  for (const f of job.inv.flags) {
    const found = (f.name === "-o" || f.name === "--option") && /^([\w:-]+)=(.*)$/s.exec(f.value?.text ?? "");
    if (found && /invoke|run|command|pager|tool/i.test(found[1]!))
      language(job, "shell", field(literal(found[2]!), job.inv.span!), "-o");
  }
  return /^(update|install|upgrade)$/.test(job.inv.subcommands[0] ?? "") ? unknown(NETWORK) : undefined;
}
