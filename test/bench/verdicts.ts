/**
 * Time of a verdict on simple and hard commands, beside other ways to get one, all in one run: `npm run bench:verdicts`.
 * Peers are used where they can be found (`npm install --no-save @cedar-policy/cedar-wasm cc-safety-net`), else named as absent.
 */
import { decide } from "../../src/domain/policy/decide.ts";
import { findings } from "../../src/domain/policy/engine/findings.ts";
import { judge } from "../../src/domain/policy/rules/judge.ts";
import { hardCommands } from "../corpus/hard-commands.ts";
import { shippedRulebook } from "./rulebook.ts";

const simpleCommands = [
  "git status",
  "ls -la src",
  "npm test",
  "cat README.md",
  "git diff HEAD~1",
  "rm -rf node_modules",
  "grep -rn TODO src",
  "node build.js --watch",
  "mkdir -p dist/assets",
  "cargo build --release",
];
const rulebook = shippedRulebook();
const rounds = 300;

/** Per command the median of all rounds, so that a busy machine moves the figures little; then over the commands. */
function measure(commands: readonly string[], body: (command: string) => unknown): number[] {
  for (let round = 0; round < 400; round++) for (const command of commands) body(command);
  const took = commands.map(() => [] as number[]);
  for (let round = 0; round < rounds; round++) {
    for (const [at, command] of commands.entries()) {
      const start = performance.now();
      body(command);
      took[at]!.push((performance.now() - start) * 1000);
    }
  }
  return took.map(times => times.sort((a, b) => a - b)[rounds >> 1]!).sort((a, b) => a - b);
}

function report(name: string, body: (command: string) => unknown): void {
  for (const [kind, commands] of [
    ["simple", simpleCommands],
    ["hard", hardCommands],
  ] as const) {
    const us = measure(commands, body);
    const perSecond = Math.round((us.length / us.reduce((sum, one) => sum + one, 0)) * 1e6);
    const p50 = us[us.length >> 1]!.toFixed(1).padStart(8);
    const p99 = us[Math.floor(us.length * 0.99)]!.toFixed(1).padStart(8);
    console.log(`${name.padEnd(28)} ${kind.padEnd(7)} p50 ${p50} µs  p99 ${p99} µs  ${perSecond}/s`);
  }
}

const call = (command: string) => ({ type: "shell" as const, command, cwd: "/home/ann/shop", home: "/home/ann" });

const patterns = [
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
]; // prettier-ignore
const alternation = new RegExp(patterns.join("|"), "i");

console.log(`${rulebook.rules.length} rules; median of ${rounds} runs for each command\n`);
report("gatehouse: decision", command => decide(call(command), rulebook, "enforce"));
report("gatehouse: findings only", command => findings(call(command)));
const found = new Map([...simpleCommands, ...hardCommands].map(command => [command, findings(call(command))]));
report("gatehouse: rules only", command => judge(call(command), found.get(command)!, rulebook, "enforce"));
report(`${patterns.length} regular expressions`, command => alternation.test(command));

const absent: string[] = [];
await peer("@cedar-policy/cedar-wasm/nodejs", cedar => {
  const policies = patterns
    .map(
      (_, at) =>
        `forbid(principal, action, resource) when { context.command like "*${"abcdefghijklmnopqrstuvwxyz"[at] ?? "z"}x${at}*" };`,
    )
    .join("\n");
  const entity = { type: "A", id: "a" };
  const ask = cedar["isAuthorized"] as (request: unknown) => unknown;
  report("cedar-wasm, as many policies", command =>
    ask({
      principal: entity,
      action: { type: "Action", id: "run" },
      resource: entity,
      context: { command },
      policies: { staticPolicies: `permit(principal, action, resource);\n${policies}` },
      entities: [],
    }),
  );
});
await peer("cc-safety-net", net => {
  const analyse = Object.values(net).find(member => typeof member === "function") as
    | ((command: string) => unknown)
    | undefined;
  if (analyse === undefined) absent.push("cc-safety-net (exports no function)");
  else report("cc-safety-net", command => analyse(command));
});
if (absent.length > 0) console.log(`\nnot measured: ${absent.join(", ")}`);

async function peer(name: string, use: (module: Record<string, unknown>) => void): Promise<void> {
  try {
    use((await import(name)) as Record<string, unknown>);
  } catch {
    absent.push(name);
  }
}
