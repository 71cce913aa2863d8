import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ed25519Signer, keyStream } from "../../src/store/crypto.ts";
import type { NewEntry } from "../../src/store/log.ts";
import { openOrgStore, type StoreWorld } from "../../src/store/open.ts";
import type { OrgStore } from "../../src/store/org-store.ts";

export const signer = ed25519Signer(new Uint8Array(32).fill(7));
export const origin = "gatehouse/org_test";
export const startMs = Date.UTC(2026, 0, 1, 12);

/** A world whose clock the test sets and whose chance is the same every time. */
export function storeWorld(): StoreWorld & { clock: { ms: number } } {
  const clock = { ms: startMs };
  let drawn = 0;
  const random = (n: number) => keyStream(new Uint8Array(16).fill(1), (drawn += n)).slice(-n);
  return { origin, signer, now: () => clock.ms, random, redactionKey: new Uint8Array(32).fill(3), clock };
}

export const openMemory = (world: StoreWorld = storeWorld()): OrgStore => openOrgStore({ path: ":memory:" }, world);

/** Runs `work` with the path of a database file that is gone afterwards. */
export function withFile<T>(work: (path: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-"));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  let result: T | undefined;
  try {
    result = work(join(folder, "org.sqlite"));
    return result instanceof Promise ? (result.finally(clean) as T) : result;
  } finally {
    if (!(result instanceof Promise)) clean();
  }
}

/** Runs a generator of slices to its end. */
export function finish<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

export const event = (n: number, change: Partial<NewEntry> = {}): NewEntry => ({
  stream: "telemetry",
  kind: "shell.exec",
  agent: `agt_${n % 3}`,
  id: `evt-${n}`,
  body: JSON.stringify({ id: `evt-${n}`, command: `make target-${n}` }),
  ...change,
});

/** Appends events `[from, to)`, in commits of `batch`. */
export function fill(store: OrgStore, to: number, { from = 0, batch = 100 } = {}): void {
  for (let start = from; start < to; start += batch)
    store.commit(() => {
      for (let n = start; n < Math.min(to, start + batch); n++) store.log.append(event(n));
    });
}
