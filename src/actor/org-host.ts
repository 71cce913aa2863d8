import type { LogHead } from "../domain/audit/leaf.ts";
import { Refusal, refusal } from "../errors.ts";
import { diskRefusal, diskTrouble } from "../store/disk-trouble.ts";
import { describeError } from "../logger.ts";
import type { Answer, Context, Outcome } from "./answer.ts";
import { GroupCommit } from "./group-commit.ts";
import { LongAnswers } from "./long-answers.ts";
import { OpenStores } from "./open-stores.ts";
import { questions } from "./org-actor.ts";
import { Retention } from "./retention.ts";
import type { Ask, FromWorker, HeadReport, Intro } from "./protocol.ts";

export interface HostParts {
  /** Opens an organisation's file; throws when it cannot be read. After a failure its end is looked through first. */
  open(org: string, intro: Intro, after_failure: boolean): Context;
  /** For questions that touch no organisation. */
  nowhere: Context;
  post(message: FromWorker, transfer?: ArrayBuffer[]): void;
  /** Runs work after the messages that have already arrived. */
  soon(work: () => void): void;
  stores_max: number;
}

/** Idle work takes at most so long a second and thread, but for one step. */
const IDLE_MS = 20;

/** So many organisations, the last asked, keep what they have read in memory, and none longer than this without a question. */
const WARM_MAX = 16;
const WARM_MS = 60_000;

/** How long damage may be a disk that fails to read, and when a failure is history. */
const DOUBT_MS = 10_000;
const FORGOTTEN_MS = 60_000;

/** Of an organisation nobody has introduced. */
const unknown: Intro = { recorded: null, standing: { entitled: false, retention_days: null } };

/** One organisation while it is open. */
class Hosted {
  readonly context: Context;
  readonly commits: GroupCommit;
  readonly retention = new Retention();
  /** Questions with a long answer under way. */
  readonly long = new Set<number>();
  /** The newest head already reported to the directory. */
  reported = -1;
  /** When it was asked last; undefined once it rests. */
  asked_ms: number | undefined;

  constructor(context: Context) {
    this.context = context;
    this.commits = new GroupCommit(context);
  }

  get busy(): boolean {
    return this.commits.waiting > 0 || this.long.size > 0;
  }

  close(): void {
    try {
      this.context.store.close();
    } catch (error) {
      this.context.alarm("an organisation's file could not be closed", {
        org: this.context.org,
        cause: describeError(error),
      });
    }
  }
}

/** All organisations of one worker thread: takes questions, commits in groups, answers. */
export class OrgHost {
  readonly #parts: HostParts;
  readonly #stores: OpenStores<Hosted>;
  readonly #intros = new Map<string, Intro>();
  /** Since when the file of an organisation has been failing; forgotten a while after. */
  readonly #failing = new Map<string, number>();
  readonly #dirty = new Set<Hosted>();
  readonly #long: LongAnswers;
  #scheduled = false;

  constructor(parts: HostParts) {
    this.#parts = parts;
    this.#stores = new OpenStores(parts.stores_max, org => this.#open(org));
    this.#long = new LongAnswers(parts.post, parts.soon);
  }

  ask(ask: Ask): void {
    if (ask.intro) this.#meet(ask.org, ask.intro);
    try {
      this.#route(ask, questions[ask.question as keyof typeof questions] as Answer<never, unknown> | undefined);
    } catch (error) {
      this.#settle(ask.id, error instanceof Refusal ? { refused: error } : { failed: error });
    }
  }

  #open(org: string): Hosted {
    const context = this.#parts.open(org, this.#intros.get(org) ?? unknown, this.#failing.has(org));
    if (context.store.frozen === undefined || !this.#failing.has(org) || !this.#inDoubt(org))
      return new Hosted(context);
    context.store.close();
    throw failing();
  }

  /** To SQLite a read that fails looks like damage: for a while after the first one it is not believed. */
  #inDoubt(org: string): boolean {
    const since = this.#failing.get(org);
    return since === undefined || this.#parts.nowhere.now() - since < DOUBT_MS;
  }

  #meet(org: string, intro: Intro): void {
    const own = this.#intros.get(org)?.recorded;
    // What the directory has on record lags behind what is known here.
    const recorded = own && own.seq > (intro.recorded?.seq ?? -1) ? own : intro.recorded;
    this.#intros.set(org, { ...intro, recorded });
    const hosted = this.#stores.peek(org);
    if (hosted) hosted.context.standing = intro.standing;
  }

  /** Commits what waits, one group an organisation; what did not fit is scheduled again. */
  flush(): void {
    this.#scheduled = false;
    for (const hosted of [...this.#dirty]) {
      const error = hosted.commits.flush();
      if (error !== undefined) this.#heed(hosted, error);
      if (hosted.commits.waiting === 0) this.#dirty.delete(hosted);
    }
    if (this.#dirty.size > 0) this.#schedule();
    else this.#stores.sweep();
  }

  taken(id: number, count: number): void {
    this.#long.taken(id, count);
  }

  cancel(id: number): void {
    this.#long.cancel(id);
  }

  /** Once a second: heads that have grown, for the directory; a little idle work where nothing waits. */
  tick(): void {
    this.#stores.sweep();
    this.#forgetFailures();
    const heads = [...this.#stores.all()].flatMap(
      ([org, hosted]) => this.#guarded(hosted, () => this.#grown(org, hosted)) ?? [],
    );
    if (heads.length > 0) this.#parts.post({ kind: "heads", heads });
    this.#rest();
    if (!this.#scheduled) this.#idle();
  }

  /** Memory stays bounded however many organisations are open, and a quiet one is small. */
  #rest(): void {
    let warm = 0;
    for (const [, hosted] of [...this.#stores.all()]) {
      if (hosted.asked_ms === undefined || hosted.busy) continue;
      if (++warm <= WARM_MAX && this.#parts.nowhere.now() - hosted.asked_ms < WARM_MS) continue;
      hosted.asked_ms = undefined;
      this.#guarded(hosted, () => hosted.context.store.rest());
    }
  }

  /** A little work that can wait, where nothing else does. */
  #idle(): void {
    const until = performance.now() + IDLE_MS;
    for (const [, hosted] of [...this.#stores.all()]) {
      const { context, retention } = hosted;
      if (hosted.long.size > 0) continue;
      while (performance.now() < until && this.#guarded(hosted, () => retention.step(context)));
      if (this.#guarded(hosted, () => context.store.log.tidy())) return;
    }
  }

  #grown(org: string, hosted: Hosted): HeadReport | undefined {
    const { seq, hash } = hosted.context.store.log.head();
    if (seq <= hosted.reported) return undefined;
    hosted.reported = seq;
    this.#record(org, { seq, hash });
    return { org, head: { seq, hash } };
  }

  #record(org: string, recorded: LogHead): void {
    this.#intros.set(org, { ...(this.#intros.get(org) ?? unknown), recorded });
  }

  /** Work of our own on an organisation: its failure costs that organisation, never the thread. */
  #guarded<T>(hosted: Hosted, work: () => T): T | undefined {
    if (this.#stores.peek(hosted.context.org) !== hosted) return undefined;
    try {
      return work();
    } catch (error) {
      if (diskTrouble(error)) this.#heed(hosted, error);
      else this.#freeze(hosted, error);
      return undefined;
    }
  }

  #forgetFailures(): void {
    for (const [org, since] of this.#failing) {
      const healthy = this.#stores.peek(org)?.context.store.frozen === undefined;
      if (healthy && Math.abs(this.#parts.nowhere.now() - since) > FORGOTTEN_MS) this.#failing.delete(org);
    }
  }

  /** What an error says of the file below it: full, it waits for room; failing, it is closed; damaged for good, it is kept for reading. */
  #heed(hosted: Hosted, error: unknown): void {
    const { org, alarm } = hosted.context;
    const trouble = diskTrouble(error);
    if (trouble === "full") alarm("there is no room left: writes are refused", { org });
    else if (trouble === "failing" || (trouble === "damaged" && this.#inDoubt(org))) this.#drop(hosted, error);
    else if (trouble === "damaged") this.#freeze(hosted, error);
  }

  #freeze({ context }: Hosted, error: unknown): void {
    if (context.store.frozen === undefined)
      context.alarm("an organisation's file is damaged", { org: context.org, cause: describeError(error) });
    context.store.freeze("its file is damaged");
  }

  /** What is remembered of a file that failed cannot be trusted: closed at once, opened again with the next question. */
  #drop(hosted: Hosted, error: unknown): void {
    const { org, alarm } = hosted.context;
    if (this.#stores.peek(org) !== hosted) return;
    alarm("an organisation's file failed and is opened again", { org, cause: describeError(error) });
    if (hosted.commits.acknowledged) this.#record(org, hosted.commits.acknowledged);
    if (!this.#failing.has(org)) this.#failing.set(org, this.#parts.nowhere.now());
    this.#dirty.delete(hosted);
    hosted.commits.refuse(failing());
    for (const id of hosted.long) this.#long.fail(id, failing());
    this.#stores.drop(org);
  }

  /** Closes an organisation as soon as nothing of it is under way. False when it is not open. */
  release(org: string): boolean {
    this.#intros.delete(org);
    return this.#stores.release(org);
  }

  close(): void {
    while (this.#dirty.size > 0) this.flush();
    this.tick();
    this.#stores.close();
  }

  #route(ask: Ask, answer: Answer<never, unknown> | undefined): void {
    if (!answer) throw refusal("not_found", "There is no such question.");
    if (ask.org === "") return this.#settle(ask.id, run(answer, this.#parts.nowhere, ask.input));
    const hosted = this.#stores.get(ask.org);
    hosted.asked_ms = this.#parts.nowhere.now();
    if (answer.mode === "read") return this.#conclude(ask.id, hosted, run(answer, hosted.context, ask.input));
    if (answer.mode === "long") return this.#begin(ask, hosted, answer);
    hosted.commits.push({
      answer,
      input: ask.input,
      settle: outcome => this.#settle(ask.id, outcome),
    });
    this.#dirty.add(hosted);
    this.#schedule();
  }

  #begin(ask: Ask, hosted: Hosted, answer: Extract<Answer<never, unknown>, { mode: "long" }>): void {
    hosted.long.add(ask.id);
    this.#long.begin(ask.id, answer.run(hosted.context, ask.input as never), outcome => {
      hosted.long.delete(ask.id);
      this.#conclude(ask.id, hosted, outcome);
    });
  }

  #conclude(id: number, hosted: Hosted, outcome: Outcome): void {
    const refused = "failed" in outcome ? diskRefusal(outcome.failed) : undefined;
    this.#settle(id, refused ? { refused } : outcome);
    if (refused && "failed" in outcome) this.#heed(hosted, outcome.failed);
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    this.#parts.soon(() => this.flush());
  }

  #settle(id: number, outcome: Outcome): void {
    const { post } = this.#parts;
    if ("answer" in outcome) post({ kind: "answer", id, answer: outcome.answer });
    else if ("refused" in outcome)
      post({ kind: "refused", id, code: outcome.refused.code, extra: extraOf(outcome.refused) });
    else post({ kind: "failed", id, cause: describeError(outcome.failed) });
  }
}

function run(answer: Answer<never, unknown>, context: Context, input: unknown): Outcome {
  try {
    return { answer: answer.run(context, input as never) };
  } catch (error) {
    return error instanceof Refusal ? { refused: error } : { failed: error };
  }
}

const failing = () => refusal("unavailable", "The organisation's file failed and is opened again. Try again.");
const extraOf = (refused: Refusal) => ({ ...refused.extra, message: refused.message });
