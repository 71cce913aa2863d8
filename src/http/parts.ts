import type { Config } from "../config.ts";
import type { Directory } from "../directory/directory.ts";
import type { SetupCode } from "../directory/first-run.ts";
import type { Demo } from "../dispatch/demo.ts";
import type { OrgDispatch } from "../dispatch/dispatch.ts";
import type { MakeId } from "../domain/identity/ids.ts";
import type { Plan } from "../domain/org/plans.ts";
import type { Logger } from "../logger.ts";
import type { Release } from "../release.ts";
import type { DemoDirectory } from "./demo-directory.ts";
import type { Metrics } from "./metrics.ts";
import type { Rates } from "./rates.ts";
import type { SessionTokens } from "./session-tokens.ts";

/** What routes are built from; the composition root makes it, tests make their own. */
export interface Parts {
  config: Config;
  /** Where people and agents reach the server, without a slash at the end. */
  public_url: string;
  directory: Directory;
  setup: SetupCode;
  rates: Rates;
  dispatch: OrgDispatch;
  /** Resolved once every thread has given a verdict: its first compiles the rules. */
  judged(): Promise<void>;
  demo: Demo;
  metrics: Metrics;
  demo_directory: DemoDirectory;
  tokens: SessionTokens;
  plans: Map<string, Plan>;
  id: MakeId;
  now(): number;
  logger: Logger;
  /** Aborted when the server shuts down: streams that would never end must. */
  closing: AbortSignal;
  release: Release;
}
