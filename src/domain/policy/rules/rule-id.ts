/** Rules named by a policy: `git.force-push-shared`, or `git.*` for all of a pack. */
const ofPack = (glob: string): string | undefined => (glob.endsWith(".*") ? glob.slice(0, -1) : undefined);

/** Whether one of the globs means the rule of this id. */
export function idTest(globs: readonly string[]): (id: string) => boolean {
  const exact = new Set(globs);
  const packs = globs.flatMap(glob => ofPack(glob) ?? []);
  return id => exact.has(id) || packs.some(pack => id.startsWith(pack));
}
