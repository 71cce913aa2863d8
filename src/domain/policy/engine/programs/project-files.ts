/** Files of a project that its tools run of their own accord. */
import { runCode, runText } from "../unwrap/text.ts";
import type { Val } from "../value.ts";
import type { Job } from "./row.ts";

/** Files that tools run of their own accord, and the language they are in. */
const sprung: readonly (readonly [RegExp, readonly string[], string])[] = [
  [/^(npm|pnpm|yarn|bun|npx)$/, ["package.json"], "scripts"],
  [/^(pip3?|uv|python[\d.]*|easy_install)$/, ["setup.py"], "python"],
  [/^(pytest|py\.test|tox)$/, ["conftest.py"], "python"],
  [/^(python[\d.]*)$/, ["sitecustomize.py", "usercustomize.py"], "python"],
  [/^(cargo)$/, ["build.rs"], "go"],
  [/^(rake)$/, ["Rakefile"], "ruby"],
  [/^(bundle|bundler|gem)$/, ["Gemfile"], "ruby"],
  [/^(just)$/, ["justfile", "Justfile"], "recipes"],
];

const anyTool = new RegExp(sprung.map(([tool]) => tool.source).join("|"));

/** Runs what this very command wrote into such a file before it started the tool. */
export function springProject(job: Job): void {
  const { m } = job;
  if (!anyTool.test(job.inv.program)) return;
  for (const [tool, names, language] of sprung) {
    if (!tool.test(job.inv.program)) continue;
    for (const name of names) {
      const held = m.files.get(m.place(name));
      if (held?.known) run(job, held, name, language);
    }
  }
}

function run(job: Job, held: Val, name: string, language: string): void {
  if (language === "scripts") for (const text of scripts(held.text)) runText(job.m, { ...held, text }, name, job.io);
  else if (language === "recipes") runText(job.m, { ...held, text: held.text.replace(/^\S.*$/gm, "") }, name, job.io);
  else runCode(job.m, language, held, name, job.io);
}

/** The commands under `scripts`; any of them may be called by another. */
function scripts(text: string): string[] {
  try {
    const { scripts: found } = JSON.parse(text) as { scripts?: Record<string, unknown> };
    return Object.values(found ?? {}).filter(value => typeof value === "string");
  } catch {
    return [];
  }
}
