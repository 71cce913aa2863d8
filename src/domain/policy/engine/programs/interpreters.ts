import { executed } from "../run/files.ts";
import { contents, contentsOf } from "../run/redirect.ts";
import { DECODED, NETWORK, SECRET, UNKNOWN, WRITTEN } from "../taint.ts";
import { printedBy } from "../unwrap/printed.ts";
import { addressed } from "../unwrap/data-address.ts";
import { runCode } from "../unwrap/text.ts";
import { EMPTY, type Field, field, join, type Val } from "../value.ts";
import { serve } from "./file-servers.ts";
import { filtered } from "./filtering.ts";
import { file, inputText, isStandardInput, language, outputOf, standardInput, withWords, wrapped } from "./effects.ts";
import { flagValue, flagValues, hasFlag, type Job, type Row } from "./row.ts";
import type { Table } from "./table.ts";

/** A script named as operand: `python3 x.py`, `node - < x`, `ruby <(curl …)`. */
function script(job: Job, language: string): Val | undefined {
  const named = job.operands[0];
  if (!named || job.inv.flags.some(f => job.spec.runs?.has(f.name))) return undefined;
  if (isStandardInput(named.text)) {
    // Options behind it are the script's.
    withWords(job, named, () => standardInput(job, language, false));
    return undefined;
  }
  // `bb '(code)'`
  if (language === "lisp" && named.text.startsWith("(")) return runCode(job.m, language, named, "code", job.io);
  started(job, language, named);
  return undefined;
}

/** The file that holds the script: code, where this very command wrote it. */
function started(job: Job, language: string, named: Field): void {
  const { m } = job;
  const path = file(job, named, "execute");
  const short = m.files.size > 0 && language === "node" && !m.files.has(path) ? `${path}.js` : path;
  const held = contents(m, m.files.has(short) ? short : path, named);
  if (held.known) {
    executed(m, job.of, held, path, named);
    withWords(job, named, () =>
      runCode(m, language, field(held, named.span), `${job.inv.program} ${named.text}`, job.io),
    );
  } else
    m.flow(
      job.of,
      {
        ...held,
        taint: m.files.has(path) ? (held.taint & ~(SECRET | UNKNOWN)) | WRITTEN : held.taint & (NETWORK | WRITTEN),
      },
      "interpreter",
    );
}

/** `python3 -m timeit -s code code`. */
function timed(job: Job): undefined {
  for (const f of [...flagValues(job, "-s"), ...job.operands]) runCode(job.m, "python", f, "timeit", job.io);
}

/** `python3 -m http.server -d folder`. */
const module = (job: Job): undefined =>
  sessions.test(flagValue(job, "-m")?.text ?? "") && job.io.input === undefined
    ? opens(job)
    : /^(http\.server|SimpleHTTPServer|uploadserver|pyftpdlib)$/.test(flagValue(job, "-m")?.text ?? "")
      ? serve(job, flagValue(job, "-d", "--directory"))
      : ownModule(job);

function opens(job: Job): undefined {
  job.inv.interactive = true;
}

/** Modules that are programs of their own: `python3 -m pip install …` does what `pip install …` does. */
const programs =
  /^(IPython|bpython|ptpython|pip|pipx|uv|poetry|pdm|hatch|conda|twine|flit|ansible|awscli|virtualenv|pytest|tox|nox|mypy|pylint)$/;

/** `python3 -m name`: the module this very command wrote. */
function ownModule(job: Job): undefined {
  const given = flagValue(job, "-m");
  if (given && programs.test(given.text)) {
    const at = job.argv.findIndex(f => f.text === `-m${given.text}` || f === given);
    wrapped(job, [given, ...job.argv.slice(at + 1)], job.io, false);
    return;
  }
  if (given && runners.test(given.text))
    for (const f of job.operands) if (f.text.endsWith(".py")) started(job, "python", f);
  if (given && /^(zipfile|tarfile)$/.test(given.text)) packed(job, flagValue(job, "-c"));
  const name = given?.text.replaceAll(".", "/");
  const held = name === undefined ? undefined : job.m.files.get(job.m.place(`${name}.py`));
  if (held?.known) runCode(job.m, "python", held, "python -m", job.io);
}

/** `python3 -m zipfile -c archive files`: it holds what they hold. */
function packed(job: Job, archive: Field | undefined): void {
  if (!archive) return;
  for (const f of job.operands) file(job, f, "read", true);
  job.m.files.set(file(job, archive, "write"), outputOf(job, job.operands));
}

/** What the code on the line prints. */
function told(job: Job): Val | undefined {
  const code = job.inv.flags.find(f => f.value !== undefined && job.spec.runs?.has(f.name))?.value;
  if (hasFlag(job, "-i") && /^(perl|ruby)$/.test(job.inv.program)) for (const f of job.operands) file(job, f, "write");
  const printed = code?.known ? printedBy(code.text, job.io.input?.val) : undefined;
  if (printed) return printed;
  // `perl -pe 's/a/b/'` does to its lines what sed does.
  if (code?.known && hasFlag(job, "-p", "-pe") && /^\s*s\W/.test(code.text))
    return filtered(job, "sed", inputText(job), 0, ["-E", code.text]);
  // `perl -pe code file`: the lines of the file, changed or not.
  if (job.operands.length > 0 && hasFlag(job, "-p", "-n", "-pe", "-ne", "-lane")) return outputOf(job, job.operands);
  return job.shown && job.shown !== EMPTY ? job.shown : undefined;
}

/** Flags with which a session opens although there is code or a script. */
const staying: Record<string, string> = { python: "-i", node: "-i", lua: "-i", php: "-a", perl: "-d" };

/** Modules that open a session: `python3 -m pdb x.py`. */
const sessions = /^(pdb|ipdb|pudb|code|asyncio)$/;

/** Modules that run the script they are given: `python3 -m trace -t x.py`. */
const runners = /^(trace|cProfile|profile|pdb|ipdb|doctest|unittest|runpy|coverage)$/;

/** What is read from a terminal or standard input after the code is code too; `perl -d:Module` only loads a module. */
function stays(job: Job, language: string): void {
  const flag = staying[language];
  if (flag === undefined || !hasFlag(job, flag, language === "node" ? "--interactive" : flag)) return;
  if (flagValue(job, flag)?.text.startsWith(":") !== true) standardInput(job, language, false);
}

const interpreter = (language: string, row: Omit<Row, "run" | "repl">): Row => ({
  ...row,
  repl: language,
  run: job => {
    stays(job, language);
    return opened(job, language);
  },
});

const asks = /^(--version|-V|--help|-h|-v)$/;

const opened = (job: Job, language: string): Val | undefined =>
  flagValue(job, "-m")?.text === "timeit"
    ? timed(job)
    : hasFlag(job, "-m")
      ? module(job)
      : language !== "perl" && asks.test(job.argv[1]?.text ?? "")
        ? undefined
        : (script(job, language) ?? told(job));

const javascript = interpreter("node", {
  valued: "-e --eval -p --print -r --require --import --loader -c --input-type --env-file -C --run",
  runs: { "-e": "node", "--eval": "node", "-p": "node -p", "--print": "node -p" },
});

/** `data:text/javascript,code` in the place of a file. */
function inAddress(job: Job, f: Field): undefined {
  const text = addressed(f.text);
  if (text !== undefined) language(job, "node", { ...f, text }, "data:");
}

/** `node -pe code` is `node -p -e code`; `node --test` and `node --run name` find what to run themselves. */
const node: Row = {
  ...javascript,
  run: job => {
    if (job.operands.length === 0 && hasFlag(job, "--test", "--run")) job.inv.interactive = false;
    for (const f of flagValues(job, "-r", "--require", "--import", "--loader", "--experimental-loader"))
      inAddress(job, f);
    const code = flagValue(job, "-p")?.text === "e" ? job.operands.shift() : undefined;
    return code ? runCode(job.m, "node -p", code, "-pe", job.io) : javascript.run!(job);
  },
};

/** `php -S 0.0.0.0:80 -t folder` serves the folder. */
const phpServer = (row: Row): Row => ({
  ...row,
  run: job => {
    if (!hasFlag(job, "-S")) return row.run!(job);
    job.inv.interactive = false;
    return serve(job, flagValue(job, "-t"));
  },
});

/** `ruby -run -e rm -- -rf folder`: the module `un` holds `rm`, `cp`, `mv` and others as they are elsewhere. */
const un = (row: Row): Row => ({
  ...row,
  run: job => {
    const name = flagValue(job, "-r")?.text === "un" ? flagValue(job, "-e") : undefined;
    const at = name ? job.argv.findIndex(f => f.text === "--") : -1;
    return name && at > 0 ? wrapped(job, [name, ...job.argv.slice(at + 1)]) : row.run!(job);
  },
});

/** A script in a language of its own row that the first operand names: `nim e script`, `go run <(…)`. */
const scriptOperand =
  (language: string): NonNullable<Row["run"]> =>
  job => {
    const [named] = job.operands;
    const held = named && contentsOf(job.m, named);
    if (held?.known) runCode(job.m, language, field(held, named!.span), named!.text, job.io);
    return undefined;
  };

/** `gcc -xc -`: what is compiled is most likely run next. */
const compiler = (language: string): Row => ({
  spawner: true,
  run: job => {
    if (job.operands.some(f => isStandardInput(f.text))) standardInput(job, language);
    // `gcc -wrapper sh,-c,text`: one word holds the words of the program that starts each step.
    const at = job.argv.findIndex(f => f.text === "-wrapper");
    const wrapper = at > 0 ? job.argv[at + 1] : undefined;
    return (
      wrapper &&
      wrapped(
        job,
        wrapper.text.split(",").map(text => ({ ...wrapper, text })),
      )
    );
  },
});

/** Code flags and names of interpreters; what their calls do stands in `unwrap/dialects.ts`. */
export const interpreters: Table = {
  ipython: interpreter("ipython", { valued: "-c -m", runs: { "-c": "ipython" } }),
  "python python2 python3 pypy pypy3 bpython ptpython sage pythonw micropython jython graalpy": interpreter("python", {
    valued: "-c -m -d --directory --bind -W -X -Q --check-hash-based-pycs",
    runs: { "-c": "python" },
  }),
  "node nodejs iojs tsx ts-node qjs": node,
  bun: {
    valued: "-e --eval -p --print --cwd --filter --preload -r -c",
    sub: 0,
    runs: { "-e": "node", "--eval": "node", "-p": "node", "--print": "node" },
    spawner: true,
    session: true,
    run: job => {
      const [sub, text] = job.operands;
      if (sub?.text === "exec" && text) return language(job, "shell", text, "exec");
      if (sub?.text === "run" && text?.text === "-") standardInput(job, "node");
      return packageRunner(job, "x run exec");
    },
  },
  "nim go-run": { sub: 1, valued: "-o --out", spawner: true, run: scriptOperand("go") },
  "crystal v zig": {
    valued: "-o",
    sub: 1,
    spawner: true,
    run: job => {
      const [code] = job.operands;
      if (job.inv.subcommands[0] === "eval" && code) runCode(job.m, "crystal", code, "eval", job.io);
      return undefined;
    },
  },
  deno: {
    valued: "-c --config --import-map --ext --eval",
    sub: 1,
    spawner: true,
    session: true,
    run: job => denoRun(job),
  },
  perl: interpreter("perl", { valued: "-e -E -I -M -m -C -D -F", runs: { "-e": "perl", "-E": "perl" } }),
  "ruby jruby": un(interpreter("ruby", { valued: "-e -I -r -C -E -F -K -x", runs: { "-e": "ruby" } })),
  "irb pry byebug": { valued: "-r -I -e -x", runs: { "-e": "ruby", "-x": "@ruby" }, repl: "ruby" },
  php: phpServer(
    interpreter("php", {
      valued: "-r -f -c -d -B -R -E -F -S -t -z",
      runs: { "-r": "php", "-B": "php", "-R": "php", "-E": "php" },
      files: { "-f": "execute" },
    }),
  ),
  "lua luajit texlua": interpreter("lua", { valued: "-e -l", runs: { "-e": "lua" } }),
  "tclsh wish jimsh": interpreter("tcl", { valued: "-e", runs: { "-e": "tcl" } }),
  expect: interpreter("tcl", { valued: "-c -f -d", runs: { "-c": "tcl", "-f": "@tcl" } }),
  "R Rscript radian": interpreter("R", { valued: "-e -f", runs: { "-e": "R", "-f": "@R", "--file": "@R" } }),
  julia: interpreter("julia", {
    valued: "-e -E -L -J -p -t --eval --print",
    runs: { "-e": "julia", "-E": "julia", "--eval": "julia" },
  }),
  "octave octave-cli scilab": interpreter("octave", {
    valued: "--eval -p -e",
    runs: { "--eval": "octave", "-e": "octave" },
  }),
  "elixir iex": interpreter("elixir", { valued: "-e -r -S --eval", runs: { "-e": "elixir", "--eval": "elixir" } }),
  erl: { single: true, valued: "-eval -run -s", runs: { "-eval": "erl" }, repl: "erl" },
  "groovy groovysh scala kotlinc swift amm ammonite spark-shell": interpreter("groovy", {
    valued: "-e",
    runs: { "-e": "groovy" },
  }),
  "jshell jjs jrunscript": interpreter("jrunscript", {
    valued: "-e -f -l -cp",
    runs: { "-e": "jrunscript", "-f": "@jrunscript" },
  }),
  "clisp sbcl ecl guile gosh chicken-csi csi evcxr racket clojure clj bb": interpreter("lisp", {
    valued: "-x -c -e -s --eval --load --script -l",
    runs: { "-x": "lisp", "-c": "lisp", "-e": "lisp", "--eval": "lisp" },
  }),
  osascript: interpreter("applescript", { valued: "-e -l", runs: { "-e": "applescript" } }),
  "raku perl6 rakudo": { valued: "-e -I -M", runs: { "-e": "raku" }, repl: "raku" },
  "kotlin kscript": { valued: "-e -cp", runs: { "-e": "groovy" } },
  "swipl yap gprolog": {
    repl: "groovy",
    valued: "-g -t -f -s -c --goal --query-goal --entry-goal",
    runs: { "-g": "groovy", "-t": "groovy", "--goal": "groovy", "--query-goal": "groovy", "--entry-goal": "groovy" },
  },
  slsh: interpreter("slsh", { valued: "-e", runs: { "-e": "slsh" } }),
  "ghc ghci runghc runhaskell": interpreter("haskell", { valued: "-e", runs: { "-e": "haskell" } }),
  "ocaml utop": interpreter("ocaml", { valued: "-e", runs: { "-e": "ocaml" } }),
  "bpftrace stap": { valued: "-e -c -p -o", runs: { "-e": "awk", "-c": "exec" } },
  dtrace: { valued: "-n -s -c -p -o", runs: { "-n": "awk", "-c": "exec" } },
  rake: { valued: "-e -f -I -r -C", runs: { "-e": "ruby" }, spawner: true },
  gimp: { valued: "-b", runs: { "-b": "python" }, spawner: true },
  exiftool: { single: true, valued: "-if -p -api -userParam -filename -o -@", runs: { "-if": "perl" } },
  knife: { sub: 1, valued: "-E --exec -c", runs: { "-E": "ruby", "--exec": "ruby" } },
  sqlmap: { valued: "-u --url --eval --data -r", runs: { "--eval": "python" } },
  pylint: { valued: "--init-hook --rcfile", runs: { "--init-hook": "python" } },
  scanmem: { valued: "-c -p --command --pid", runs: { "-c": "ex", "--command": "ex" } },
  gnuplot: interpreter("gnuplot", { valued: "-e", runs: { "-e": "gnuplot" } }),
  "tcc gcc g++ cc c++ clang clang++": compiler("c"),
  m4: { valued: "-D -I", runs: { "-D": "m4" }, operands: "read", repl: "m4" },
  coverage: {
    sub: 1,
    valued: "-m --source --rcfile --omit --include --data-file",
    run: job => (job.inv.subcommands[0] === "run" ? opened(job, "python") : undefined),
  },
  dotnet: {
    sub: 1,
    valued: "--exec --use -c -f -o -r --configuration --framework --output --project",
    runs: { "--exec": "@groovy", "--use": "@groovy" },
    spawner: true,
    run: job => {
      if (/^(fsi|script|repl)$/.test(job.inv.subcommands[0] ?? "") && !hasFlag(job, "--exec")) {
        if (job.operands.length === 0) standardInput(job, "groovy", false);
        else return script(job, "groovy");
      }
      return undefined;
    },
  },
  dc: { valued: "-e -f", runs: { "-e": "ex" }, repl: "ex", run: job => calculated(job) },
  bc: { valued: "", operands: "read" },
  "latex pdflatex tex pdftex xelatex luatex lualatex": { valued: "", single: true, code: "latex" },
};

/** What `dc` prints for the programs it is given or reads. */
function calculated(job: Job): Val | undefined {
  const given = flagValues(job, "-e", "--expression");
  const source = given.length > 0 ? join(given, "\n") : inputText(job);
  return filtered(job, "dc", source, source.known ? DECODED : 0);
}

/** `bun x pkg`, `bun script.ts`. */
function packageRunner(job: Job, own: string): Val | undefined {
  const first = job.operands[0]?.text;
  if (first === "repl") job.inv.interactive = true;
  const address = job.operands.slice(0, 2).find(f => /^https?:/.test(f.text));
  if (address) return remote(job, address.text);
  if (first !== undefined && own.split(" ").includes(first)) return undefined;
  return first !== undefined && /\.\w+$/.test(first) ? script(job, "node") : undefined;
}

/** `deno eval code`, `deno run https://…`. */
function denoRun(job: Job): Val | undefined {
  const [sub] = job.inv.subcommands;
  const first = job.operands[0];
  if (sub === "eval" && first) runCode(job.m, "node", first, "deno eval", job.io);
  if (sub === "repl") for (const f of flagValues(job, "--eval")) runCode(job.m, "node", f, "deno repl", job.io);
  if (sub === "run" && first?.text.startsWith("data:")) return inAddress(job, first);
  if (sub === "run" && first) return /^https?:/.test(first.text) ? remote(job, first.text) : script(job, "node");
  if (sub === undefined || sub === "repl") standardInput(job, "node");
  return undefined;
}

/** A script the interpreter fetches itself. */
function remote(job: Job, url: string): undefined {
  const host = { text: url.replace(/^https?:\/\//, "").replace(/[/:].*$/s, ""), known: true };
  job.m.facts.push({ kind: "net", of: job.of, does: "download", host });
  job.m.facts.push({ kind: "flow", of: job.of, from: "network", to: "interpreter", host });
}
