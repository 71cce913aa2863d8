import { ConfigError, FlagError, readConfig, settingsHelp } from "../config.ts";
import { DataLockedError } from "../directory/data-lock.ts";
import { KeyError } from "../key-files.ts";
import { dropEarly } from "../dispatch/spawn.ts";
import { describeError } from "../logger.ts";
import { MigrationError } from "../store/sqlite/migrate.ts";
import type { Run } from "./io.ts";
import { compileAsUsual } from "./program.ts";

/** The first requests after a start come before the demo. */
const WARM_AFTER_MS = 2000;

const HELP = `gatehouse serve [--flag value …]

Serves the JSON API, the dashboard and the demo. Every setting is an environment variable; a flag of the same name wins.

${settingsHelp()}`;

/** Connections kept open are wound up for so long before none is taken any more. */
const DRAIN_MS = 250;

/** Serves until SIGTERM or SIGINT, then lets everything under way finish. */
export const run: Run = async (argv, { env, out, err }) => {
  if (argv.includes("--help") || argv.includes("-h")) return (out(HELP), 0);
  try {
    const config = readConfig(env, argv);
    const { compose } = await import("./compose.ts");
    const gatehouse = await compose(config, {
      write: line => process.stderr.write(`${line}\n`),
    });
    compileAsUsual();
    out(`Gatehouse is ready at ${gatehouse.url}`);
    if (gatehouse.setup_code) out(`First run: open ${gatehouse.url}/setup and enter the code ${gatehouse.setup_code}`);
    const { demo, judged, logger } = gatehouse.parts;
    void judged();
    const warm = () =>
      void demo.warm().catch(error => logger.warn("the demo is not ready yet", { cause: describeError(error) }));
    const warming = setTimeout(warm, WARM_AFTER_MS);
    await stopSignal();
    clearTimeout(warming);
    await gatehouse.close(DRAIN_MS);
    return 0;
  } catch (error) {
    dropEarly();
    if (
      !(
        error instanceof ConfigError ||
        error instanceof KeyError ||
        error instanceof DataLockedError ||
        error instanceof MigrationError ||
        isListenError(error)
      )
    )
      throw error;
    err(`gatehouse: ${(error as Error).message}`);
    return error instanceof FlagError ? 2 : 1;
  }
};

const stopSignal = () =>
  new Promise<void>(resolve => {
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => resolve());
  });

const isListenError = (error: unknown) =>
  ["EADDRINUSE", "EACCES", "EADDRNOTAVAIL"].includes((error as { code?: string }).code ?? "");
