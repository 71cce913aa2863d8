import { expect, test } from "bun:test";
import { readlinkSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { cpuMs } from "./processor-time.ts";

const burn = (ms: number) => {
  const cpu = process.threadCpuUsage();
  while (process.threadCpuUsage(cpu).user / 1000 < ms);
};

test.skipIf(process.platform !== "linux")("a thread is told from the others", async () => {
  const idle = new Worker(
    `const { parentPort } = require("node:worker_threads");
     parentPort.on("message", () => {});
     parentPort.postMessage(require("node:fs").readlinkSync("/proc/thread-self"));`,
    { eval: true },
  );
  const path = await new Promise<string>(resolve => idle.once("message", resolve));
  const tids = [readlinkSync("/proc/thread-self"), path].map(link => Number(link.split("/").at(-1)));
  const before = tids.map(cpuMs) as [number, number];
  burn(200);
  const [own, other] = tids.map((tid, n) => cpuMs(tid) - before[n]!) as [number, number];
  await idle.terminate();
  expect(own).toBeGreaterThanOrEqual(180);
  expect(other).toBeLessThan(100);
});

test("where threads are not told apart, all but the one that asks are counted", () => {
  const before = cpuMs();
  burn(1000);
  expect(cpuMs() - before).toBeLessThan(900);
  expect(cpuMs(2 ** 30)).toBeCloseTo(cpuMs(), -2);
});
