import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { formatVkey } from "../domain/audit/note.ts";
import { decide } from "../domain/policy/decide.ts";
import { signable } from "../domain/policy/rules/digest.ts";
import { policyMessage } from "../domain/policy/signed.ts";
import { compileRulebook, type Rulebook } from "../domain/policy/rules/compile.ts";
import { parsePolicy } from "../domain/policy/rules/parse.ts";
import type { Pack, Policy } from "../domain/policy/rules/schema.ts";
import { validatePolicy } from "../domain/policy/rules/validate.ts";
import type { Call, Mode, Verdict } from "../domain/policy/verdict.ts";
import { iso } from "../domain/time.ts";
import { refusal } from "../errors.ts";
import type { Signer } from "../keys.ts";
import { lazily } from "../domain/lazily.ts";
import type { Seed } from "../seeds.ts";
import type { Context } from "./answer.ts";

export interface SignedPack {
  name: string;
  version: string;
  title: string;
  description: string;
  plan: "community" | "entitled";
  rules: number;
  sha256: string;
  signature: string;
  content: string;
}

export interface PolicyTag {
  version: number;
  /** Strong, of the reply body of `GET /policy`. */
  etag: string;
  document: string;
}

/** A rulebook takes 3 MB: organisations beyond so many, each with a policy of its own, compile theirs again. */
const COMPILED_MAX = 32;
/** Organisations whose policy is known by its hash, and characters of documents ready to be sent. */
const OWN_MAX = 1_000;
const TAGS_LENGTH_MAX = 8 << 20;
/** Verdicts remembered of one rulebook: agents repeat themselves. Long calls are not worth their memory. */
const JUDGED_MAX = 500;
const CALL_LENGTH_MAX = 1024;

interface Own {
  /** What it holds for. */
  key: string;
  version: number;
  /** The rulebook's key. */
  compiled: string;
}

/** Compiled rulebooks: one per organisation and policy version (and day, for dated exceptions), one for the playground. */
export class Rulebooks {
  /** Read with the first question that needs them: a thread starts without. */
  readonly #seeds: () => Seed<Pack>[];
  readonly #signer: Signer;
  readonly #today: () => string;
  readonly #busy: () => void;
  /** By the policy's text and the day: whoever has the same policy shares one. */
  readonly #compiled = new LRUCache<string, Rulebook>({ max: COMPILED_MAX });
  /** Which of them an organisation has; never the rulebook itself, which would outlive its place among the compiled. */
  readonly #own = new LRUCache<string, Own>({ max: OWN_MAX });
  readonly #tags = new LRUCache<string, { key: string; tag: PolicyTag }>({
    maxSize: TAGS_LENGTH_MAX,
    sizeCalculation: ({ tag }) => tag.document.length,
  });
  /** Verdicts by rulebook, mode and call: the same question has the same answer. */
  readonly #judged = new WeakMap<Rulebook, LRUCache<string, Verdict>>();
  #community: Rulebook | undefined;
  #signed: SignedPack[] | undefined;

  /** `busy`: told before what takes long. */
  constructor(seeds: () => Seed<Pack>[], signer: Signer, now: () => number, busy: () => void) {
    this.#seeds = lazily(seeds);
    this.#signer = signer;
    this.#today = () => iso(now()).slice(0, 10);
    this.#busy = busy;
  }

  get #packs(): Pack[] {
    return this.#seeds().map(seed => seed.value);
  }

  community(): Rulebook {
    if (this.#community) return this.#community;
    this.#busy();
    return (this.#community = compileRulebook({ packs: this.#packs.filter(pack => pack.plan !== "entitled") }));
  }

  /** The rulebook of the organisation's newest policy. */
  own(context: Context): { rulebook: Rulebook; version: number } {
    const version = context.store.policies.newest();
    const { entitled } = context.standing;
    const key = `${version} ${this.#today()} ${entitled}`;
    let known = this.#own.get(context.org);
    if (known?.key !== key) {
      const { hash } = context.store.policies.version(version)!;
      this.#own.set(context.org, (known = { key, version, compiled: `${hash} ${this.#today()} ${entitled}` }));
    }
    return { rulebook: this.#shared(context, known), version };
  }

  judge(call: Call, rulebook: Rulebook, mode: Mode): Verdict {
    const key = `${mode} ${JSON.stringify(call)}`;
    const judged = this.#judgedBy(rulebook);
    const known = judged.get(key);
    if (known) return known;
    const verdict = decide(call, rulebook, mode);
    if (key.length <= CALL_LENGTH_MAX) judged.set(key, verdict);
    return verdict;
  }

  #judgedBy(rulebook: Rulebook): LRUCache<string, Verdict> {
    const known = this.#judged.get(rulebook);
    if (known) return known;
    const judged = new LRUCache<string, Verdict>({ max: JUDGED_MAX });
    this.#judged.set(rulebook, judged);
    return judged;
  }

  /** Of a policy that is not in force: a draft. */
  compile({ standing }: Context, policy: Policy): Rulebook {
    this.#busy();
    return compileRulebook({ packs: this.#packs, policy, today: this.#today(), entitled: standing.entitled });
  }

  #shared(context: Context, { version, compiled }: Own): Rulebook {
    const known = this.#compiled.get(compiled);
    if (known) return known;
    const { yaml } = context.store.policies.version(version)!;
    const rulebook = this.compile(context, parsed(parsePolicy(yaml), "the policy in force"));
    this.#compiled.set(compiled, rulebook);
    return rulebook;
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
    const signature = context.sign(policyMessage(version, hash, mode));
    const document = JSON.stringify({ version, hash, enforcement_mode: mode, policy, signature });
    const tag = { version, etag: this.hash(document), document };
    this.#tags.set(context.org, { key, tag });
    return tag;
  }

  /** Every pack, signed for checking offline. `sha256` is of the content, `signature` over `signable(pack)`. */
  packs(): SignedPack[] {
    return (this.#signed ??= this.#sign());
  }

  #sign(): SignedPack[] {
    this.#busy();
    return this.#seeds().map(({ name, text, value }) => ({
      name,
      version: value.version,
      title: value.title,
      description: value.description ?? value.title,
      plan: value.plan ?? "community",
      rules: value.rules.length,
      sha256: this.hash(text),
      signature: this.#signer.sign(signable(value)).toBase64(),
      content: text,
    }));
  }

  /** The key of the packs' signatures, in the form of the logs' keys. */
  get packVkey(): string {
    return formatVkey(sha256, { name: "gatehouse/packs", publicKey: this.#signer.publicKey });
  }

  /** What is wrong with a text, and what its author should look at again. */
  examine({ standing }: Context, yaml: string) {
    this.#busy();
    const { ok, problems, lints } = validatePolicy(yaml, this.#packs, {
      today: this.#today(),
      entitled: standing.entitled,
    });
    return { valid: ok, problems, hints: lints };
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

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
