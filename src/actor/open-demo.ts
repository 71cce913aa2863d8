import { randomBytes } from "node:crypto";
import { readAsset } from "../assets.ts";
import { createClock } from "../clock.ts";
import { parseScenario } from "../domain/demo/scenario.ts";
import { pseudoRandom } from "../domain/demo/pseudo-random.ts";
import { createIds } from "../domain/identity/ids.ts";
import { signer } from "../keys.ts";
import { readYaml } from "../seeds.ts";
import type { openOrgStore } from "../store/open.ts";
import type { Context } from "./answer.ts";
import type { DemoParts } from "./demo-host.ts";
import { buildSeed, type Seed } from "./demo-seed.ts";
import { type Base, nowhere, openBase, signing } from "./open-world.ts";
import type { DemoStart } from "./protocol.ts";
import type { PostBack } from "./thread.ts";

/** Every copy names itself so; its key is made with it and lost with it. */
const ORIGIN = "gatehouse/demo";
/** What one workspace may grow to. */
const WORKSPACE_BYTES_MAX = 16 * 1024 * 1024;
/** The demo's plan opens everything. */
const standing = { entitled: true, retention_days: null };
/** The same story for everybody. */
const STORY = 20_260_101;

/** What the demo thread works with. The scenario is read when the first visitor comes. */
export function openDemo(start: DemoStart, openStore: typeof openOrgStore, post: PostBack): DemoParts {
  const now = createClock(start.clock);
  const base = openBase(now, start.heartbeat_s, signer(randomBytes(32), now()), post);
  return {
    now,
    id: base.id,
    random: randomBytes,
    capacity: start.capacity,
    idle_s: start.idle_s,
    post,
    soon: (work, pause_ms = 0) => void setTimeout(work, pause_ms),
    nowhere: nowhere(base),
    seed: () => seed(base, now(), openStore),
    clone: (org, { image }) => {
      const own = throwAway(now());
      const store = openStore({ image, bytes_max: WORKSPACE_BYTES_MAX }, { ...own, now, random: randomBytes });
      return { ...base, org, store, standing, ...signing(ORIGIN, own.signer) };
    },
  };
}

const throwAway = (since: number) => ({
  origin: ORIGIN,
  signer: signer(randomBytes(32), since),
  redactionKey: randomBytes(32),
});

function* seed(base: Base, now_ms: number, openStore: typeof openOrgStore): Generator<undefined, Seed> {
  const clock = { ms: now_ms };
  const past = () => clock.ms;
  const own = throwAway(now_ms);
  const store = openStore({ path: ":memory:" }, { ...own, now: past, random: randomBytes });
  const id = createIds(past, randomBytes);
  const context: Context = { ...base, org: id("org"), now: past, id, store, standing, ...signing(ORIGIN, own.signer) };
  try {
    const scenario = parseScenario(readYaml(readAsset("seeds/demo.yaml")));
    return yield* buildSeed({ scenario, context, clock, random: pseudoRandom(STORY) }, now_ms);
  } finally {
    base.rulebooks.forget(context.org);
    store.close();
  }
}
