import { createHash } from "node:crypto";
import { compileRulebook, type Rulebook } from "../domain/policy/rules/compile.ts";
import { parsePolicy } from "../domain/policy/rules/parse.ts";
import type { Pack, Policy } from "../domain/policy/rules/schema.ts";
import { iso } from "../domain/time.ts";
import { refusal } from "../errors.ts";
import type { Seed } from "../seeds.ts";
import type { Context } from "./answer.ts";

export interface PolicyTag {
  version: number;
  /** Strong, of the reply body of `GET /policy`. */
  etag: string;
  document: string;
}

/** Compiled rulebooks: one per organisation and policy version (and day, for dated exceptions), one for the playground. */
export class Rulebooks {
  readonly #packs: Pack[];
  readonly #sums: { name: string; version: string; sha256: string }[];
  readonly #today: () => string;
  readonly #own = new Map<string, { key: string; rulebook: Rulebook; version: number }>();
  readonly #tags = new Map<string, { key: string; tag: PolicyTag }>();
  #community: Rulebook | undefined;

  constructor(seeds: Seed<Pack>[], now: () => number) {
    this.#packs = seeds.map(seed => seed.value);
    this.#sums = seeds.map(({ name, text, value }) => ({ name, version: value.version, sha256: this.hash(text) }));
    this.#today = () => iso(now()).slice(0, 10);
  }

  community(): Rulebook {
    return (this.#community ??= compileRulebook({ packs: this.#packs.filter(pack => pack.plan !== "entitled") }));
  }

  /** The rulebook of the organisation's newest policy. */
  own(context: Context): { rulebook: Rulebook; version: number } {
    const version = context.store.policies.newest();
    const key = `${version} ${this.#today()}`;
    const known = this.#own.get(context.org);
    if (known?.key === key) return known;
    const policy = parsed(parsePolicy(context.store.policies.version(version)!.yaml), "the policy in force");
    const rulebook = compileRulebook({ packs: this.#packs, policy, today: this.#today(), entitled: true });
    const compiled = { key, rulebook, version };
    this.#own.set(context.org, compiled);
    return compiled;
  }

  /** `GET /policy` as text with its ETag; changes with the version and with the mode. */
  policyTag(context: Context): PolicyTag {
    const version = context.store.policies.newest();
    const { mode } = context.store.settings.mode();
    const key = `${version} ${mode}`;
    const known = this.#tags.get(context.org);
    if (known?.key === key) return known.tag;
    const { yaml, hash } = context.store.policies.version(version)!;
    const policy = parsed(parsePolicy(yaml), "the policy in force") as Policy;
    const signature = context.sign(`${version}\n${hash}\n`);
    const document = JSON.stringify({ version, hash, enforcement_mode: mode, policy, signature });
    const tag = { version, etag: this.hash(document), document };
    this.#tags.set(context.org, { key, tag });
    return tag;
  }

  packs() {
    return this.#sums;
  }

  /** Throws `invalid` with line and column of every problem. */
  validate(yaml: string): Policy {
    const result = parsePolicy(yaml);
    if (result.ok) return result.value;
    const details = result.problems.map(({ path, message, line, column }) => ({ path, message, line, column }));
    throw refusal("invalid", { message: "The policy is not valid. The one before stays in force.", details });
  }

  forget(org: string): void {
    this.#own.delete(org);
    this.#tags.delete(org);
  }

  hash(text: string): string {
    return createHash("sha256").update(text).digest("hex");
  }
}

function parsed<T>(
  result: { ok: true; value: T } | { ok: false; problems: { line: number; message: string }[] },
  name: string,
): T {
  if (result.ok) return result.value;
  const first = result.problems[0];
  throw new Error(`${name} is not valid: line ${first?.line}: ${first?.message}`);
}
