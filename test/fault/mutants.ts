import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../target.ts";

/** One change of the source that a harness must notice (or live with). */
export interface Mutation {
  file: string;
  sound: string;
  mutated: string;
}

export interface Copy {
  root: string;
  main: string;
  remove(): void;
}

/** A copy of the product with changes planted. Throws when the source no longer says what is to be changed. */
export function plant(mutations: readonly Mutation[]): Copy {
  const copy = mkdtempSync(join(tmpdir(), "gatehouse-mutant-"));
  for (const part of ["src", "workers", "seeds", "package.json", "tsconfig.json"])
    cpSync(join(root, part), join(copy, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  for (const { file, sound, mutated } of mutations) {
    const text = readFileSync(join(copy, file), "utf8");
    if (!text.includes(sound)) throw new Error(`the mutant could not be planted: ${file} has changed`);
    writeFileSync(
      join(copy, file),
      text.replace(sound, () => mutated),
    );
  }
  return {
    root: copy,
    main: join(copy, "src/main.ts"),
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

/** Loses one event in twenty and acknowledges it all the same. */
export const losesEvents: Mutation = {
  file: "src/actor/events.ts",
  sound: "const { event, body, facets } = read;",
  mutated: 'if (Math.random() < 0.05) return "stored";\n  const { event, body, facets } = read;',
};

/** Acknowledges a commit that has failed. */
export const acknowledgesFailures: Mutation = {
  file: "src/actor/group-commit.ts",
  sound: "outcomes = group.map(() => failure(error));",
  mutated:
    "outcomes = group.map(() => ({ answer: { accepted: 1, duplicates: 0, rejected: [], head: { seq: -1, hash: '' } } }));",
};

/** Leaves it to the system when a commit reaches the disk. */
export const doesNotSync: Mutation = {
  file: "src/store/sqlite/open.ts",
  sound: "PRAGMA synchronous = FULL;",
  mutated: "PRAGMA synchronous = NORMAL;",
};

/** Gives entries the time of the clock, wherever that has gone. */
export const believesTheClock: Mutation = {
  file: "src/store/sqlite/log.ts",
  sound: "this.#now = Math.max(now, this.#chain.ts, 1);",
  mutated: "this.#now = now;",
};
