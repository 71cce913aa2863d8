import { createHash } from "node:crypto";
import { join } from "node:path";
import { parseVkey } from "../domain/audit/note.ts";
import { describeError } from "../logger.ts";
import type { VerifyWindow } from "../store/log.ts";
import type { verifyPart } from "../store/open.ts";
import type { Outcome } from "./answer.ts";
import { LongAnswers } from "./long-answers.ts";
import type { Ask, VerifyStart } from "./protocol.ts";
import type { Host, PostBack } from "./thread.ts";

/** What a part of a log is verified by. */
export interface PartQuery {
  org: string;
  /** Of the log. */
  vkey: string;
  window: Pick<VerifyWindow, "from" | "to" | "tables">;
}

/** A thread that verifies parts of logs which others write: it reads their files, and is given no secret. */
export class VerifyHost implements Host {
  readonly #orgs: string;
  readonly #verify: typeof verifyPart;
  readonly #post: PostBack;
  readonly #long: LongAnswers;

  constructor({ orgs }: VerifyStart, verify: typeof verifyPart, post: PostBack) {
    this.#orgs = orgs;
    this.#verify = verify;
    this.#post = post;
    this.#long = new LongAnswers(post, work => void setImmediate(work));
  }

  ask({ id, input }: Ask): void {
    this.#long.begin(id, this.#steps(input as PartQuery), outcome => this.#settle(id, outcome));
  }

  *#steps({ org, vkey, window }: PartQuery): Generator<undefined, number> {
    const key = parseVkey(sha256, vkey);
    return key ? yield* this.#verify(join(this.#orgs, `${org}.sqlite`), key, window) : -1;
  }

  #settle(id: number, outcome: Outcome): void {
    if ("answer" in outcome) this.#post({ kind: "answer", id, answer: outcome.answer });
    else
      this.#post({ kind: "failed", id, cause: describeError("failed" in outcome ? outcome.failed : outcome.refused) });
  }

  taken(): void {}

  cancel(id: number): void {
    this.#long.cancel(id);
  }

  tick(): void {}

  close(): void {}
}

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
