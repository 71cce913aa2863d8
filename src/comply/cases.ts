import type { Check, FileKind } from "./check.ts";
import { type CheckResult, evaluate } from "./evaluate.ts";
import { openSource, type SourceFile } from "./source.ts";

/** Runs one of a check's own examples: paths with content, `~/` for the home; objects are written as JSON. */
export function runCase(check: Check, example: Record<string, unknown>, kinds: Record<string, FileKind>): CheckResult {
  const files = Object.entries(example).map(([path, content]): SourceFile => {
    const home = path.startsWith("~/");
    const text = typeof content === "string" ? content : JSON.stringify(content, null, 2);
    const mode = (content as { $mode?: number } | null)?.$mode;
    return {
      scope: home ? "home" : "project",
      path: home ? path.slice(2) : path,
      ...(mode === undefined ? {} : { mode }),
      read: () => text,
    };
  });
  return evaluate([check], openSource(files, kinds, new Set(["project", "home"])))[0]!;
}
