import { afterEach, expect, test } from "bun:test";
import type { Question } from "../../src/actor/org-actor.ts";
import { createDispatch, type Dispatch } from "../../src/dispatch/dispatch.ts";
import { cpuMs } from "../../src/dispatch/processor-time.ts";
import { spawnThread } from "../../src/dispatch/spawn.ts";
import { Refusal } from "../../src/errors.ts";
import { createLogger } from "../../src/logger.ts";

/** Real threads that misbehave. */
const entry = new URL("./unruly.ts", import.meta.url);
const lines: string[] = [];
let dispatch: Dispatch;
afterEach(() => dispatch.close());

async function start(threads: number) {
  lines.length = 0;
  dispatch = createDispatch(threads, {
    spawn: events => spawnThread(entry, { kind: "start" } as never, events),
    limits: { count_max: 256, bytes_max: 1024 * 1024 },
    intro: () => ({ recorded: null, standing: { entitled: false, retention_days: null } }),
    heads: () => {},
    cpuMs,
    logger: createLogger("debug", line => void lines.push(line), Date.now),
  });
  await dispatch.started();
}

const ask = (org: string, question: string) =>
  dispatch.ask(org, question as Question, null as never).then(
    answer => String(answer),
    (error: unknown) => (error instanceof Refusal ? error.code : `not a refusal: ${error}`),
  );

/** Two organisations that live on different threads. */
const [here, there] = ["org_a", "org_b"];

async function recovered(org: string): Promise<void> {
  while ((await ask(org, "hello")) !== "hello") await new Promise(resume => setTimeout(resume, 20));
}

for (const misdeed of ["crash", "spin"]) {
  test(`a thread that does "${misdeed}" is replaced: who waits gets an error, others notice nothing`, async () => {
    await start(2);
    const doomed = [ask(here, "silence"), ask(here, misdeed), ask(here, "silence")];
    expect(await ask(there, "hello")).toBe("hello");
    expect(await Promise.all(doomed)).toEqual(["unavailable", "unavailable", "unavailable"]);
    await recovered(here);
    expect(await ask(there, "hello")).toBe("hello");
    expect(lines.filter(line => line.includes("a worker was replaced")).length).toBe(1);
  });
}

test("what a crash says of the source reaches the operator's log at most, never a caller", async () => {
  await start(1);
  const error = await dispatch.ask(here, "crash" as Question, null as never).catch((caught: Error) => caught);
  expect(error).toBeInstanceOf(Refusal);
  expect(JSON.stringify([(error as Refusal).message, (error as Refusal).extra])).not.toContain("secret");
});

test("closing waits for nobody who never answers longer than a moment", async () => {
  await start(1);
  const waiting = ask(here, "silence");
  await dispatch.close();
  expect(await waiting).toBe("unavailable");
});
