declare global {
  // Set by the runtime inside a compiled executable.
  var Bun: { isStandaloneExecutable?: boolean } & typeof import("bun");
}

/** Whether this is the executable rather than the source tree. By itself, so that hooks can ask without loading a module. */
export const compiled = "Bun" in globalThis && (Bun.isStandaloneExecutable ?? false);
