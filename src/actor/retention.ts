import { iso } from "../domain/time.ts";
import type { Context } from "./answer.ts";
import { record, system } from "./record.ts";

const DAY_MS = 86_400_000;
/** How often it is looked whether bodies have become too old. */
const EVERY_MS = 3_600_000;

/** Erases what telemetry said once it is older than the plan keeps it; leaves, columns and counters stay, the chain holds. */
export class Retention {
  #steps: Generator<number, number> | undefined;
  #before_ms = 0;
  #due_ms = 0;

  /** One short step. False when nothing is left to do for now. */
  step(context: Context): boolean {
    if (!this.#steps && !this.#begin(context)) return false;
    const step = this.#steps!.next();
    if (!step.done) return true;
    this.#steps = undefined;
    if (step.value > 0) this.#note(context, step.value);
    return false;
  }

  #begin({ store, standing, now }: Context): boolean {
    const { retention_days } = standing;
    if (retention_days === null || store.frozen !== undefined || now() < this.#due_ms) return false;
    this.#due_ms = now() + EVERY_MS;
    this.#before_ms = now() - retention_days * DAY_MS;
    this.#steps = store.log.eraseBodies({ before_ms: this.#before_ms });
    return true;
  }

  #note(context: Context, erased: number): void {
    const attributes = { before: iso(this.#before_ms), erased, retention_days: context.standing.retention_days };
    context.store.commit(() => record(context, "log.bodies_erased", system, attributes));
  }
}
