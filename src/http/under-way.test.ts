import { expect, test } from "bun:test";
import { rateKey } from "./client-ip.ts";
import { createUnderWay, whenSent } from "./under-way.ts";

test("past its limit an address is refused until one of its requests is done; others and this machine are not", () => {
  const { enter: admit } = createUnderWay(2, rateKey);
  const enter = (ip: string) => admit({ ip });
  const leave = enter("203.0.113.1");
  enter("203.0.113.1");
  expect(() => enter("203.0.113.1")).toThrow(expect.objectContaining({ code: "rate_limited" }));
  enter("203.0.113.2");
  for (let more = 0; more < 5; more++) enter("127.0.0.1");
  leave();
  leave();
  enter("203.0.113.1");
  expect(() => enter("203.0.113.1")).toThrow("At most 2");
  enter("2001:db8::1");
  enter("2001:db8::2");
  expect(() => enter("2001:db8::3")).toThrow("At most 2");
});

test("an address that was within the limit unseen is counted in full once the limit matters", () => {
  const { enter } = createUnderWay(3, rateKey);
  let asked = 0;
  const visitor = (ip: string) => ({
    get ip() {
      asked++;
      return ip;
    },
  });
  const leaves = [enter(visitor("203.0.113.1")), enter(visitor("203.0.113.1")), enter(visitor("127.0.0.1"))];
  expect(asked).toBe(0);
  enter(visitor("203.0.113.1"));
  expect(() => enter(visitor("203.0.113.1"))).toThrow("At most 3");
  for (const leave of leaves) leave();
  enter(visitor("203.0.113.2"));
  enter(visitor("203.0.113.1"));
  enter(visitor("203.0.113.1"));
  expect(() => enter(visitor("203.0.113.1"))).toThrow("At most 3");
});

test("a long answer counts until it ends, fails or the client has gone", async () => {
  let done = 0;
  const of = (body: BodyInit | null) =>
    whenSent(new Response(body, { status: 201, headers: { a: "b" } }), () => void done++);
  const whole = of("text");
  expect([done, whole.status, whole.headers.get("a"), await whole.text(), done]).toEqual([0, 201, "b", "text", 1]);
  await of(new ReadableStream()).body!.cancel();
  expect(done).toBe(2);
  const failing = of(new ReadableStream({ pull: controller => controller.error(new Error("gone")) }));
  await expect(failing.text()).rejects.toThrow("gone");
  expect(done).toBe(3);
  of(null);
  expect(done).toBe(4);
});
