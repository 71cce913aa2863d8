/** `bun test/bench/demo-sessions.ts [sessions]`: opens and enters demo workspaces in a loop; memory must level off. */
import { createWorld } from "../world.ts";

const sessions = Number(process.argv[2] ?? 10_000);
const world = await createWorld({ GATEHOUSE_LOG_LEVEL: "error" });
const { demo } = world.gatehouse.parts;
const warming = performance.now();
await demo.warm();
console.log({ seed_built_ms: Math.round(performance.now() - warming) });
const mib = () => Math.round(process.memoryUsage.rss() / 1_048_576);
const times: number[] = [];
for (let done = 0; done < sessions; done++) {
  const { session } = await demo.open();
  const started = performance.now();
  await demo.enter(session);
  times.push(performance.now() - started);
  if (done % 1000 === 0) console.log({ done, rss_mib: mib(), ...(await demo.count()) });
}
times.sort((a, b) => a - b);
const at = (share: number) => times[Math.floor(times.length * share)]!.toFixed(2);
console.log({ sessions, rss_mib: mib(), ...(await demo.count()), enter_ms: { p50: at(0.5), p99: at(0.99) } });
await world.close();
