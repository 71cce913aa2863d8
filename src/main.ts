#!/usr/bin/env bun
import type { Run } from "./cli/io.ts";

/** argv → verb. Every verb is loaded on its own, so that a hook process never pays for the server. */
const verbs: Record<string, () => Promise<{ run: Run }>> = {
  serve: () => import("./cli/serve.ts"),
  account: () => import("./cli/account.ts"),
  org: () => import("./cli/org.ts"),
  backup: () => import("./cli/backup.ts"),
  restore: () => import("./cli/restore.ts"),
  rebuild: () => import("./cli/rebuild.ts"),
  login: () => import("./cli/login.ts"),
  logout: () => import("./cli/logout.ts"),
  status: () => import("./cli/status.ts"),
  install: () => import("./cli/install.ts"),
  uninstall: () => import("./cli/uninstall.ts"),
  doctor: () => import("./cli/doctor.ts"),
  hook: () => import("./cli/hook.ts"),
  heartbeat: () => import("./cli/heartbeat.ts"),
  check: () => import("./cli/check.ts"),
  policy: () => import("./cli/policy.ts"),
  comply: () => import("./cli/comply.ts"),
  verify: () => import("./cli/verify.ts"),
  completions: () => import("./cli/completions.ts"),
  version: () => import("./cli/version.ts"),
  help: () => import("./cli/help.ts"),
};

const argv = process.argv.slice(2);
const spoken: Record<string, string> = { "--version": "version", "--help": "help", "-h": "help" };
if (argv[0] !== undefined && Object.hasOwn(spoken, argv[0])) argv[0] = spoken[argv[0]]!;
if (argv[0] === "help" && argv[1] !== undefined && !argv[1].startsWith("-")) argv.splice(0, 2, argv[1], "--help");
const verb = argv[0] === undefined || argv[0].startsWith("-") ? "serve" : argv.shift()!;
const load = Object.hasOwn(verbs, verb) ? verbs[verb] : undefined;
if (load) {
  const [{ run }, { processIo }] = await Promise.all([load(), import("./cli/io.ts")]);
  const exit = await run(argv, processIo());
  // Taking the runtime down costs a hook as much as what it does itself.
  if (verb === "hook") process.exit(exit);
  process.exitCode = exit;
} else {
  const { didYouMean } = await import("./cli/closest.ts");
  const meant = didYouMean(verb, Object.keys(verbs));
  console.error(`gatehouse: there is no command "${verb.slice(0, 40)}".${meant} \`gatehouse help\` lists them.`);
  process.exitCode = 2;
}
