import { expect, test } from "bun:test";
import { readBytes } from "./body.ts";

const post = (body: BodyInit) => new Request("http://x/", { method: "POST", body, duplex: "half" } as RequestInit);
const bytes = (text: string) => new TextEncoder().encode(text);

test("a body that does not end in time is 408, and one that does is read whole", async () => {
  const started = performance.now();
  const endless = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) });
  await expect(readBytes(post(endless), 100, 30)).rejects.toMatchObject({ code: "body_timeout", status: 408 });
  expect(performance.now() - started).toBeLessThan(60_000);
  const slow = new ReadableStream<Uint8Array>({
    async start(controller) {
      for (const part of ["a", "b", "c"]) {
        await new Promise(resolve => setTimeout(resolve, 5));
        controller.enqueue(bytes(part));
      }
      controller.close();
    },
  });
  expect(new TextDecoder().decode(await readBytes(post(slow), 100, 5000))).toBe("abc");
});

test("a body of unknown length is refused as soon as it is too long", async () => {
  let sent = 0;
  const flood = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1024;
      controller.enqueue(new Uint8Array(1024));
    },
  });
  await expect(readBytes(post(flood), 10_000)).rejects.toMatchObject({ code: "too_large" });
  expect(sent).toBeLessThan(100_000);
  expect((await readBytes(new Request("http://x/"), 10)).byteLength).toBe(0);
});
