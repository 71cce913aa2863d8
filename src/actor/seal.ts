/**
 * Takes from a thread, before its first message, what its scope offers to reach beyond it: network, processes, further threads,
 * files by way of the runtime's own object, of which only the members named here stay. Modules that it imports by name cannot
 * be taken; test/demo-thread.test.ts holds which those are. Under Deno it has no permission for any of it besides (spawn.ts).
 */
const TAKEN = ["fetch", "WebSocket", "WebSocketStream", "EventSource", "XMLHttpRequest", "Worker", "BroadcastChannel"];
/** What the store, the seeds and the assets ask of it. */
const KEPT_OF_BUN = new Set([
  "isStandaloneExecutable",
  "version",
  "zstdCompressSync",
  "zstdDecompressSync",
  "SHA256",
  "YAML",
]);

export function seal(scope: object): void {
  for (const name of TAKEN) take(scope, name);
  const runtime = (scope as Record<string, unknown>)["Bun"];
  if (typeof runtime !== "object" || runtime === null) return;
  for (const name of Object.getOwnPropertyNames(runtime)) if (!KEPT_OF_BUN.has(name)) take(runtime, name);
}

/** A few the runtime lets nobody change: they stay, and the test names them. */
function take(owner: object, name: string): void {
  const { enumerable = false } = Object.getOwnPropertyDescriptor(owner, name) ?? {};
  const fixed = { value: undefined, configurable: false, writable: false, enumerable };
  if (!Reflect.defineProperty(owner, name, fixed)) Reflect.set(owner, name, undefined);
}
