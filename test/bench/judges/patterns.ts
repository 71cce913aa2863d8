/** What most guards do: one alternation of regular expressions over the text as it was written. */
import type { Judge } from "./judge.ts";

export const patterns: readonly string[] = [
  "rm\\s+-[a-z]*r[a-z]*f?\\s+(/|~)",
  "mkfs",
  "dd\\s+.*of=/dev/",
  "curl[^|]*\\|\\s*(ba)?sh",
  "wget[^|]*\\|\\s*(ba)?sh",
  "git\\s+push\\s+.*(-f|--force)",
  "git\\s+reset\\s+--hard",
  "chmod\\s+.*777",
  "DROP\\s+TABLE",
  "terraform\\s+destroy",
  "kubectl\\s+delete\\s+ns",
  "shutdown",
  "reboot",
  ":\\(\\)\\{",
  "nc\\s+.*-e",
  "/dev/tcp/",
  "base64\\s+-d.*\\|",
  "npm\\s+publish",
  "sudo\\s+su",
  "authorized_keys",
  "\\.bashrc",
  "crontab",
  "LD_PRELOAD",
  "docker\\s+run.*--privileged",
  "aws\\s+s3\\s+rb",
];

export function regexOnly(): Judge {
  const alternation = new RegExp(patterns.join("|"), "i");
  return { name: `${patterns.length} regular expressions`, ask: command => alternation.test(command) };
}
