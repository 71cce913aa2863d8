/** Batches of events such as coding agents send, the same for the same numbers. */
const clients = ["claude-code", "codex", "gemini-cli", "copilot", "cursor"];
const commands = [
  "npm test -- --watch=false",
  "git status --short",
  "rg -n 'TODO' src",
  "ls -la node_modules/.bin",
  "bun run build",
];
const folders = ["src/http/routes", "src/domain/policy", "test/store", "docs", "src/actor"];
const servers = ["github", "linear", "postgres", "playwright"];
const startMs = Date.UTC(2026, 5, 1);

/** A small generator (mulberry32), so that two runs see the same events. */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function uuid7(ms: number, n: number, next: () => number): string {
  const hex = (length: number) =>
    Math.floor(next() * 16 ** length)
      .toString(16)
      .padStart(length, "0");
  const time = ms.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${(n % 4096).toString(16).padStart(3, "0")}-8${hex(3)}-${hex(6)}${hex(6)}`;
}

function actionOf(n: number, next: () => number): { type: string; action: object } {
  const cwd = `/home/dev/project-${Math.floor(next() * 7)}`;
  const file = `${folders[n % 5]}/file-${Math.floor(next() * 400)}.ts`;
  if (n % 7 === 0) return { type: "file.write", action: { kind: "file", tool: "Write", args: { path: file }, cwd } };
  if (n % 11 === 0) {
    const args = { query: `issue ${Math.floor(next() * 9000)}`, path: file };
    return { type: "mcp.call", action: { kind: "mcp", server: servers[n % 4], tool: `tool_${n % 13}`, args } };
  }
  if (n % 503 === 0) return { type: "net.fetch", action: { kind: "net", command: `https://registry.example/p/${n}` } };
  return { type: "shell.exec", action: { kind: "shell", command: `${commands[n % 5]} ${file}`, cwd } };
}

export function eventOf(n: number): Record<string, unknown> {
  const next = random(n * 7919 + 1);
  const ms = startMs + n * 40 + Math.floor(next() * 30);
  const blocked = n % 97 === 0 || n % 503 === 0;
  const warned = !blocked && n % 23 === 0;
  const rules =
    n % 50_021 === 0
      ? ["shell.rare"]
      : blocked
        ? ["shell.destructive"]
        : warned
          ? ["net.upload", "git.force"]
          : undefined;
  return {
    id: uuid7(ms, n, next),
    time: new Date(ms).toISOString(),
    ...actionOf(n, next),
    session_id: `ses-${Math.floor(n / 400)}`,
    client: clients[n % 5],
    decision: blocked ? "BLOCK" : warned ? "WARN" : "ALLOW",
    ...(rules ? { rules } : {}),
    exit_code: n % 31 === 0 ? 1 : 0,
    duration_ms: Math.floor(next() * 4000),
  };
}

export const batchOf = (first: number, count: number): string =>
  JSON.stringify(Array.from({ length: count }, (_, i) => eventOf(first + i)));
