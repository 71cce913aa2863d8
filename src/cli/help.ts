import type { Run } from "./io.ts";

/** What each command is for, in one line. */
export const commands: Record<string, string> = {
  login: "enrol this machine with a server",
  logout: "forget the enrolment",
  status: "enrolment, policy, hooks and waiting events",
  install: "put the hook in front of a coding agent",
  uninstall: "take it out again",
  doctor: "check everything between the agents and the verdict",
  check: "judge a command or an MCP call without running it",
  policy: "test a policy or a pack; show what a command does",
  comply: "scan a project for risky agent settings",
  verify: "verify an exported audit log offline",
  heartbeat: "report in, renew the policy, send what waits",
  hook: "what agents run at each tool call",
  serve: "run the server (also without any command)",
  account: "add a person, reset a password",
  org: "add, list, export or delete organisations",
  backup: "copy all data into one file",
  restore: "put a backup into an empty directory",
  rebuild: "rebuild what is derived from the logs",
  completions: "completion scripts for bash, zsh, fish and PowerShell",
  version: "version and platform",
  help: "this list",
};

/** `gatehouse help`. */
export const run: Run = async (_, io) => {
  io.out("Usage: gatehouse <command> [arguments]   (gatehouse <command> --help tells more)\n");
  for (const [name, says] of Object.entries(commands)) io.out(`  ${name.padEnd(12)} ${says}`);
  io.out(
    "\nExit codes: 0 done, 1 could not be done, 2 not understood, 3 the answer is no (blocked, found, not verified).",
  );
  return 0;
};
