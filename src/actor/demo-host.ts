import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { WorkspaceFacts } from "../domain/demo/workspace.ts";
import type { Member } from "../domain/org/members.ts";
import type { MakeId } from "../domain/identity/ids.ts";
import { makeToken } from "../domain/identity/tokens.ts";
import { Refusal, refusal } from "../errors.ts";
import { describeError } from "../logger.ts";
import type { Context } from "./answer.ts";
import type { Seed } from "./demo-seed.ts";
import { OrgHost } from "./org-host.ts";
import type { Ask } from "./protocol.ts";
import type { Host, PostBack } from "./thread.ts";

export interface DemoParts {
  now(): number;
  id: MakeId;
  random(bytes: number): Uint8Array;
  capacity: number;
  idle_s: number;
  post: PostBack;
  soon(work: () => void, pause_ms?: number): void;
  nowhere: Context;
  /** Builds the company as of now, in slices. */
  seed(): Generator<undefined, Seed>;
  /** A private copy of it in memory. */
  clone(org: string, seed: Seed): Context;
}

/** What the demo's thread answers besides the questions of an organisation; `org` is empty. */
export interface DemoQuestions {
  "demo.warm": { input: null; output: null };
  "demo.open": { input: null; output: { session: string; expires_in: number } };
  "demo.enter": { input: { session: string }; output: WorkspaceFacts };
  "demo.reset": { input: { session: string }; output: { session: string; expires_in: number } };
  "demo.end": { input: { session: string }; output: null };
  "demo.count": { input: null; output: { workspaces: number; bytes: number } };
}

interface Workspace {
  org: string;
  seed: Seed;
  name: string;
  /** Undefined until it is first entered: a handle that is never used costs nothing. */
  context?: Context;
  alive_ms: number;
  bytes: number;
}

/** All workspaces together, beyond their number. */
const BYTES_MAX = 512 * 1024 * 1024;
/** A handle that has not been used. */
const HANDLE_BYTES = 1024;
/** Older companies are built anew, so that "the last day" stays the last day. */
const SEED_MS_MAX = 30 * 60_000;
const SLICE_MS = 8;
/** Between two slices while nobody waits: a start leaves the processor to those who ask. */
const REST_MS = 24;
/** Agents of the story that never sleep report in so often. */
const ALIVE_MS = 30_000;

/** Disposable copies of one company, one per handle: by count and bytes the least recently used goes, after an idle hour any. */
export class DemoHost implements Host {
  readonly #parts: DemoParts;
  readonly #host: OrgHost;
  /** By the hash of the handle. */
  readonly #workspaces: LRUCache<string, Workspace>;
  readonly #byOrg = new Map<string, string>();
  #seed: Seed | undefined;
  #building = false;
  #waiting: { ask: Ask; run(): void }[] = [];

  constructor(parts: DemoParts) {
    this.#parts = parts;
    const { capacity, idle_s, now, nowhere, post, soon } = parts;
    this.#workspaces = new LRUCache<string, Workspace>({
      max: capacity,
      maxSize: BYTES_MAX,
      sizeCalculation: workspace => workspace.bytes,
      ttl: idle_s * 1000,
      ttlResolution: 0,
      updateAgeOnGet: true,
      noDisposeOnSet: true,
      perf: { now },
      dispose: workspace => this.#dispose(workspace),
    });
    const open = (org: string) => this.#byOrgId(org).context!;
    this.#host = new OrgHost({ open, nowhere, post, soon, stores_max: capacity + 1 });
  }

  ask(ask: Ask): void {
    try {
      if (ask.org === "") return this.#own(ask);
      const workspace = this.#byOrgId(ask.org);
      this.#keepAlive(workspace);
      this.#host.ask(ask);
      this.#followName(workspace, ask);
    } catch (error) {
      this.#fail(ask, error);
    }
  }

  taken(id: number, count: number): void {
    this.#host.taken(id, count);
  }

  cancel(id: number): void {
    this.#host.cancel(id);
  }

  /** Ends what has been idle too long, weighs the others again, and keeps the company fresh, so that no visitor waits for it. */
  tick(): void {
    if (this.#seed && !this.#isFresh() && !this.#building) this.#build(this.#parts.seed());
    this.#workspaces.purgeStale();
    for (const [key, workspace] of [...this.#workspaces.entries()] as [string, Workspace][])
      if (workspace.context) this.#weigh(key, workspace);
    this.#host.tick();
  }

  close(): void {
    this.#host.close();
  }

  #own(ask: Ask): void {
    const { question, input } = ask;
    const { session } = (input ?? {}) as { session?: string };
    if (question === "demo.warm") this.#withSeed(ask, () => null);
    else if (question === "demo.open") this.#withSeed(ask, seed => this.#open(seed));
    else if (question === "demo.enter") this.#answer(ask, this.#enter(session!));
    else if (question === "demo.reset") this.#withSeed(ask, seed => this.#reset(session!, seed));
    else if (question === "demo.end") this.#answer(ask, this.#end(session!));
    else if (question === "demo.count")
      this.#answer(ask, { workspaces: this.#workspaces.size, bytes: this.#workspaces.calculatedSize });
    else this.#host.ask(ask);
  }

  #open(seed: Seed) {
    const { id, random, idle_s } = this.#parts;
    const session = makeToken("demo", random);
    this.#begin(keyOf(session), { org: id("org"), seed, name: seed.name, alive_ms: 0, bytes: HANDLE_BYTES });
    return { session, expires_in: idle_s };
  }

  #begin(key: string, workspace: Workspace): void {
    this.#byOrg.set(workspace.org, key);
    this.#workspaces.set(key, workspace);
  }

  #enter(session: string): WorkspaceFacts {
    const workspace = this.#known(session);
    const { org, name, seed } = workspace;
    if (!workspace.context) {
      workspace.context = this.#parts.clone(org, seed);
      this.#weigh(keyOf(session), workspace);
    }
    const { plan, created_ms, members, agents, alive } = seed;
    const visitor = members.find((one: Member) => one.id === seed.visitor)!;
    return { org, name, plan, created_at: created_ms, visitor, agent: alive[0]!, members, agents };
  }

  /** The same handle over the company as it was. */
  #reset(session: string, seed: Seed) {
    this.#known(session);
    const key = keyOf(session);
    this.#workspaces.delete(key);
    this.#begin(key, { org: this.#parts.id("org"), seed, name: seed.name, alive_ms: 0, bytes: HANDLE_BYTES });
    return { session, expires_in: this.#parts.idle_s };
  }

  #end(session: string): null {
    this.#known(session);
    this.#workspaces.delete(keyOf(session));
    return null;
  }

  #known(session: string): Workspace {
    const workspace = this.#workspaces.get(keyOf(session));
    if (!workspace) throw refusal("demo_expired");
    return workspace;
  }

  #byOrgId(org: string): Workspace {
    const workspace = this.#workspaces.get(this.#byOrg.get(org) ?? "");
    if (!workspace?.context) throw refusal("demo_expired");
    return workspace;
  }

  #dispose({ org, context }: Workspace): void {
    this.#byOrg.delete(org);
    if (!context) return;
    if (!this.#host.release(org)) context.store.close();
    context.rulebooks.forget(org);
  }

  #weigh(key: string, workspace: Workspace): void {
    const bytes = workspace.context!.store.sizeBytes();
    if (bytes === workspace.bytes) return;
    // The cache weighs an entry again only when it is another object.
    this.#workspaces.set(key, { ...workspace, bytes }, { noUpdateTTL: true });
  }

  /** Liveness is state of the moment: the story's machines go on reporting in. */
  #keepAlive(workspace: Workspace): void {
    const now = this.#parts.now();
    const { context, seed } = workspace;
    if (now - workspace.alive_ms < ALIVE_MS) return;
    workspace.alive_ms = now;
    for (const agent of seed.alive) context!.store.agents.touch(agent, now, 0);
  }

  /** A renaming is an entry of the log like any other; here it also takes the place of the directory. */
  #followName(workspace: Workspace, { question, input }: Ask): void {
    if (question !== "org.note") return;
    const { kind, attributes } = input as { kind: string; attributes: { name?: unknown } };
    if (kind === "org.renamed" && typeof attributes.name === "string") workspace.name = attributes.name;
  }

  #withSeed(ask: Ask, work: (seed: Seed) => unknown): void {
    const run = () => {
      try {
        this.#answer(ask, work(this.#seed!));
      } catch (error) {
        this.#fail(ask, error);
      }
    };
    if (this.#isFresh()) return run();
    this.#waiting.push({ ask, run });
    if (!this.#building) this.#build(this.#parts.seed());
  }

  #isFresh(): boolean {
    return this.#seed !== undefined && this.#parts.now() - this.#seed.built_ms < SEED_MS_MAX;
  }

  #build(steps: Generator<undefined, Seed>): void {
    this.#building = true;
    try {
      const until = performance.now() + SLICE_MS;
      let step = steps.next();
      while (!step.done && performance.now() < until) step = steps.next();
      const awaited = this.#waiting.some(({ ask }) => ask.question !== "demo.warm");
      if (!step.done) return this.#parts.soon(() => this.#build(steps), awaited ? 0 : REST_MS);
      this.#seed = step.value;
      this.#building = false;
      for (const { run } of this.#waiting.splice(0)) run();
    } catch (error) {
      this.#building = false;
      for (const { ask } of this.#waiting.splice(0)) this.#fail(ask, error);
    }
  }

  #answer({ id }: Ask, answer: unknown): void {
    this.#parts.post({ kind: "answer", id, answer });
  }

  #fail({ id }: Ask, error: unknown): void {
    if (error instanceof Refusal)
      this.#parts.post({ kind: "refused", id, code: error.code, extra: { ...error.extra, message: error.message } });
    else this.#parts.post({ kind: "failed", id, cause: describeError(error) });
  }
}

/** The handle itself is kept nowhere. */
const keyOf = (session: string): string => createHash("sha256").update(session).digest("base64url");
