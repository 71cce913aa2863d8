/**
 * Takes from a thread, before its first message, every way to reach beyond it: files, network, processes, further threads, the
 * environment, and new code that would look for one. Under Deno such a thread has no permission for any of it (spawn.ts); Bun
 * knows no rights of threads, so there the ways themselves are taken. What a module of the program has in hand already stays with
 * it: assets.ts reads the program's own files, database.ts keeps to memory. test/http/demo-thread.test.ts tries each of them.
 */
const TAKEN = [
  ...["fetch", "WebSocket", "WebSocketStream", "EventSource", "XMLHttpRequest", "Worker", "BroadcastChannel"],
  ...["eval", "ShadowRealm", "alert", "confirm", "prompt"],
];
/** What the store, the seeds and the assets ask of it. */
const KEPT_OF_BUN = [
  ...["isStandaloneExecutable", "version", "zstdCompressSync", "zstdDecompressSync", "SHA256", "YAML"],
];
const KEPT_OF_PROCESS = [
  ...["arch", "argv", "env", "platform", "version", "versions"],
  ...["emitWarning", "hrtime", "nextTick", "memoryUsage", "cpuUsage", "threadCpuUsage", "uptime", "exitCode"],
];
/** Some modules are a function with members; some share one with others. */
const OF_FUNCTIONS = ["prototype", "length", "name"];
/** All other modules of the runtime are emptied; of these none opens anything. */
const KEPT_MODULES =
  /^(assert|async_hooks|buffer|console|constants|crypto|diagnostics_channel|events|path|perf_hooks|punycode|querystring|stream|_stream_\w+|string_decoder|sys|timers|tty|url|util|zlib)(\/|$)/;

export function seal(scope: object): void {
  const { Bun: runtime, process } = scope as { Bun?: typeof Bun; process: NodeJS.Process };
  for (const name of TAKEN) take(scope, name);
  noNewCode(scope);
  if (!runtime) return;
  const { plugin } = runtime;
  const { getBuiltinModule } = process;
  takeAllBut(KEPT_OF_PROCESS, process);
  takeAllBut(KEPT_OF_BUN, runtime);
  noNewModules(plugin);
  emptyModules(getBuiltinModule);
}

function takeAllBut(kept: readonly string[], owner: object): void {
  for (const name of Object.getOwnPropertyNames(owner)) if (!kept.includes(name)) take(owner, name);
}

/** Before anything imports them by name: what they are emptied of is then nowhere to be had. */
function emptyModules(load: typeof process.getBuiltinModule): void {
  // Loading all of them would warn of the old ones among them.
  process.noDeprecation = true;
  const { builtinModules } = load("node:module");
  for (const name of builtinModules) {
    if (KEPT_MODULES.test(name) || name === "process" || name === "bun") continue;
    const module = loaded(() => load(name) as unknown as { default?: object } | undefined);
    for (const owner of [module?.default, module]) if (owner) takeAllBut(OF_FUNCTIONS, owner);
  }
}

/** What does not load in a thread has nothing to take. */
function loaded<M>(load: () => M): M | undefined {
  try {
    return load();
  } catch {
    return undefined;
  }
}

/** Text is no longer code, however one comes by a constructor of functions. */
function noNewCode(scope: object): void {
  const kinds = [() => {}, async () => {}, function* () {}, async function* () {}];
  for (const kind of kinds) {
    const prototype = Object.getPrototypeOf(kind) as object;
    const none = function none() {
      throw new TypeError("not here");
    };
    none.prototype = prototype;
    Object.defineProperty(prototype, "constructor", { value: none, configurable: false, writable: false });
    if (prototype === Function.prototype) Object.assign(scope, { Function: none });
  }
}

const NAMESPACES = [undefined, "file", "data", "node", "bun", "http", "https", "blob"];

/** Every file and address that has a dot or a scheme in its name. */
function noNewModules(plugin: typeof Bun.plugin): void {
  const none = () => {
    throw new Error("not here");
  };
  const filter = /[\s\S]*/;
  plugin({
    name: "seal",
    setup(build) {
      for (const namespace of NAMESPACES) {
        const every = namespace ? { filter, namespace } : { filter };
        build.onResolve(every, none);
        build.onLoad(every, none);
      }
    },
  });
}

/** Without a look at it: streams of the process are made when they are looked at. A few the runtime lets nobody change stay. */
function take(owner: object, name: string): void {
  const fixed = { value: undefined, configurable: false, writable: false };
  if (!Reflect.defineProperty(owner, name, fixed)) Reflect.set(owner, name, undefined);
}
