import type { Config } from "../config.ts";
import type { RateName } from "./access.ts";
import { createRateLimit, type RateLimit } from "./rate-limit.ts";

/** Every rate there is; those of `RateName` count per client address at the front door, the rest where they are used. */
export type Rates = Record<RateName | "account" | "second_factor" | "wrong_code", RateLimit>;

const MINUTE_S = 60;

export function createRates(config: Config, now: () => number): Rates {
  const limit = (name: string, quota: number) => createRateLimit(name, quota, MINUTE_S, now);
  return {
    playground: limit("playground", config.playground_per_minute),
    login: limit("login", 30),
    account: limit("account", 10),
    // A million codes, three of them right at a time: ten tries in ten minutes.
    second_factor: createRateLimit("second_factor", 10, 10 * MINUTE_S, now),
    device_code: limit("device_code", 20),
    user_code: limit("user_code", 20),
    wrong_code: limit("wrong_code", 5),
    demo: limit("demo", 10),
  };
}
