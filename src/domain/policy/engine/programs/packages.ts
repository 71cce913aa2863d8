import { NETWORK } from "../taint.ts";
import { field, literal, unknown, type Val } from "../value.ts";
import { language, standardInput, wrapped } from "./effects.ts";
import { flagValue, type Handler, type Job } from "./row.ts";
import { cmake, make } from "./builders.ts";
import type { Table } from "./table.ts";

/** `npm exec -- cmd`, `npx cmd`, `uv run cmd`: what stands after the runner's own words is a command. */
const runs =
  (words: string): Handler =>
  job => {
    const [sub] = job.inv.subcommands;
    if (/^(pkg|set-script)$/.test(sub ?? "")) return scriptSet(job);
    const code = job.inv.flags.find(f => f.name === "-c" || f.name === "--call");
    if (code?.value && /^(npx|npm)$/.test(job.inv.program))
      return language(
        job,
        "shell",
        { ...code.value, taint: 0, origin: undefined, glob: false, span: job.inv.span! },
        "-c",
      );
    if (sub !== undefined && hosted.has(sub) && /^(yarn|pnpm|bun)$/.test(job.inv.program))
      return wrapped(job, job.argv.slice(job.argv.findIndex(f => f.text === sub)));
    return sub !== undefined && words.split(" ").includes(sub) ? inner(job) : undefined;
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
  },
  uv: {
    sub: 1,
    deep: "pip tool python cache",
    valued:
      "-p --python --with --index-url --directory --project -i --index --default-index --extra-index-url --from --find-links -f -r --requirements",
    run: runs("run"),
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
    run: job => {
      if (job.operands.some(f => f.text === "/dev/stdin")) standardInput(job, "go");
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
  "mvn gradle gradlew sbt ant bazel buck lein": { valued: "-f -p -b -P -D", run: executed },
  "make gmake": {
    valued: "-C -f -j -I -o -W -E --file --directory --makefile --eval",
    files: { "-f": "execute", "--file": "execute" },
    run: make,
  },
  "cmake ninja meson": { valued: "-S -B -G -D -P -E -C -j --build --preset --target", run: cmake },
};

/** `mvn exec:exec -Dexec.executable=rm -Dexec.args='-rf x'`. */
function executed(job: Job): Val | undefined {
  const told = (name: string) => job.argv.find(f => f.text.startsWith(`-Dexec.${name}=`));
  const [program, args] = [told("executable"), told("args")];
  if (!program) return undefined;
  const text = [program, args].flatMap(f => (f ? [f.text.slice(f.text.indexOf("=") + 1)] : [])).join(" ");
  return language(job, "shell", { ...program, text }, "-Dexec");
}

/** `cargo watch -s 'text'`. */
function watched(job: Job): Val | undefined {
  const text = job.inv.subcommands[0] === "watch" ? flagValue(job, "-s", "--shell") : undefined;
  return text && language(job, "shell", text, "-s");
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
