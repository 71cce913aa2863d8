import { fileURLToPath } from "node:url";
import type { Program } from "../client/install/recipe.ts";
import { compiled } from "../compiled.ts";

/** What agents have to run: this binary, or the runtime with the source in development. */
export const thisProgram = (): Program =>
  compiled
    ? { path: process.execPath, args: [] }
    : { path: process.execPath, args: [fileURLToPath(new URL("../main.ts", import.meta.url))] };

/** The executable starts with code interpreted for longer than usual; what stays takes this back once it is up. */
export function compileAsUsual(): void {
  if ("Bun" in globalThis) Bun.unsafe.setJITPolicy(1);
}
