import type { TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { lazily } from "./lazily.ts";

const checks: (() => unknown)[] = [];

/** The check of a schema, written as code when it is first asked for: that takes 10 ms, which a thread's start does not wait for. */
export function checkOf<S extends TSchema>(schema: S): () => TypeCheck<S> {
  const check = lazily(() => TypeCompiler.Compile(schema));
  checks.push(check);
  return check;
}

/** All of them now: for a thread in which text is no longer code afterwards (actor/seal.ts). */
export function writeChecks(): void {
  for (const check of checks) check();
}
