/** One file a patch touches. */
export interface PatchStep {
  does: "write" | "delete" | "move";
  path: string;
  to?: string;
}

const header = /^\s*\*\*\* (Add|Update|Delete) File: (.+)$/;
const moved = /^\s*\*\*\* Move to: (.+)$/;

/**
 * The files a Codex `apply_patch` text writes, deletes or moves. Lenient on purpose: a header anywhere counts,
 * since showing a rule one file too many is safe and one too few is not.
 */
export function patchSteps(patch: string): PatchStep[] {
  const steps: PatchStep[] = [];
  for (const one of patch.split("\n")) {
    const line = one.trimEnd();
    const file = header.exec(line);
    if (file) steps.push({ does: file[1] === "Delete" ? "delete" : "write", path: file[2]! });
    const target = moved.exec(line)?.[1];
    const last = steps.at(-1);
    if (target && last) Object.assign(last, { does: "move", to: target });
  }
  return steps;
}
