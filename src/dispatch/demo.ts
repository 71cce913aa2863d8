import type { DemoQuestions } from "../actor/demo-host.ts";
import { createDispatch, type Dispatch, type OrgDispatch, type OrgTable } from "./dispatch.ts";
import type { ShardParts } from "./shard.ts";

type Opened = DemoQuestions["demo.open"]["output"];
type Entered = DemoQuestions["demo.enter"]["output"];

/** The road to the demo's thread, which starts when it is warmed or with the first visitor. */
export interface Demo {
  /** Questions of an organisation, asked of a workspace. */
  dispatch: OrgDispatch;
  /** Starts the thread and has it build the company, so that the first visitor does not wait. */
  warm(): Promise<void>;
  open(): Promise<Opened>;
  /** What the directory would know, by handle; throws `demo_expired`. Counts as use. */
  enter(session: string): Promise<Entered>;
  reset(session: string): Promise<Opened>;
  end(session: string): Promise<void>;
  count(): Promise<DemoQuestions["demo.count"]["output"]>;
}

const BUILD_MS_MAX = 60_000;

export function createDemo(parts: ShardParts): Demo {
  let thread: Dispatch<OrgTable & DemoQuestions> | undefined;
  const started = () => (thread ??= createDispatch<OrgTable & DemoQuestions>(1, parts));
  const own = <Q extends keyof DemoQuestions>(question: Q, input: DemoQuestions[Q]["input"]) =>
    // A visitor who comes before the company has been built waits for it.
    started().ask("", question, input, { deadline_ms: BUILD_MS_MAX });
  return {
    dispatch: {
      ask: (...asked) => started().ask(...asked),
      stream: (...asked) => started().stream(...asked),
      finish: (...asked) => started().finish(...asked),
      verify: (org, window) => started().finish(org, "posture.verify", window),
      reintroduce: org => thread?.reintroduce(org),
      started: async () => thread?.started(),
      health: () => thread?.health() ?? { threads: 0, alive: 0, waiting: 0 },
      close: async () => thread?.close(),
    },
    warm: async () => void (await own("demo.warm", null)),
    open: () => own("demo.open", null),
    enter: session => own("demo.enter", { session }),
    reset: session => own("demo.reset", { session }),
    end: async session => void (await own("demo.end", { session })),
    count: async () => (thread ? own("demo.count", null) : { workspaces: 0, bytes: 0 }),
  };
}
