// What the tests use of `bun:test`, on Deno's own runner: mapped in deno.json.
import { expect } from "expect";

type Body = () => void | Promise<void>;
interface Hooks {
  beforeAll(run: Body): void;
  afterAll(run: Body): void;
  beforeEach(run: Body): void;
  afterEach(run: Body): void;
}
declare const Deno: {
  test: ((definition: object) => void) & Hooks;
};

expect.extend({
  toEndWith: (received: string, end: string) => ({
    pass: received.endsWith(end),
    message: () => `expected ${JSON.stringify(received.slice(-200))} to end with ${JSON.stringify(end)}`,
  }),
  toBeString: (received: unknown) => ({
    pass: typeof received === "string",
    message: () => `expected a string, not a ${typeof received}`,
  }),
  toStartWith: (received: string, start: string) => ({
    pass: received.startsWith(start),
    message: () => `expected ${JSON.stringify(received.slice(0, 200))} to start with ${JSON.stringify(start)}`,
  }),
});

const define = (ignore: boolean) => (name: string, fn: Body) =>
  Deno.test({ name, fn: () => fn(), ignore, sanitizeOps: false, sanitizeResources: false, sanitizeExit: false });

export const test = Object.assign(define(false), {
  skip: define(true),
  skipIf: (condition: boolean) => define(condition),
  if: (condition: boolean) => define(!condition),
  each:
    <A extends unknown[]>(rows: readonly A[]) =>
    (name: string, fn: (...row: A) => void | Promise<void>) => {
      for (const row of rows) define(false)(`${name} ${JSON.stringify(row).slice(0, 80)}`, () => fn(...row));
    },
});
export const it = test;
export const describe = (_name: string, body: () => void) => body();
export const { beforeAll, afterAll, beforeEach, afterEach } = Deno.test;

export { expect };
