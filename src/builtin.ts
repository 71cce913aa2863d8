/**
 * Modules of the runtime that few runs need, loaded when one does. Imported by name they would load at every start, and lie in the
 * executable once more as bytecode (0.4 MB).
 */
export const childProcess = () => process.getBuiltinModule("node:child_process");
export const dns = () => process.getBuiltinModule("node:dns/promises");
export const net = () => process.getBuiltinModule("node:net");
