/** Structured log lines for the operator: one JSON object a line, never a secret, never a body. */
export const levels = ["debug", "info", "warn", "error"] as const;
export type Level = (typeof levels)[number];
export type Fields = Record<string, string | number | boolean | null | undefined>;
/** Fields that are asked for only when the line is written may be a function. */
export type Logger = Record<Level, (message: string, fields?: Fields | (() => Fields)) => void>;

export function createLogger(level: Level, write: (line: string) => void, now: () => number): Logger {
  const lowest = levels.indexOf(level);
  const at = (name: Level) =>
    levels.indexOf(name) < lowest
      ? () => {}
      : (message: string, fields: Fields | (() => Fields) = {}) => {
          const known = typeof fields === "function" ? fields() : fields;
          write(JSON.stringify({ time: new Date(now()).toISOString(), level: name, message, ...known }));
        };
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** What went wrong, for the log only: the name, the sentence and where, cut short. */
export function describeError(error: unknown, causes_max = 3): string {
  if (!(error instanceof Error)) return String(error).slice(0, 500);
  const because =
    error.cause === undefined || causes_max === 0 ? "" : `\nbecause of ${describeError(error.cause, causes_max - 1)}`;
  return `${error.name}: ${error.message}\n${(error.stack ?? "").split("\n").slice(1, 6).join("\n")}${because}`.slice(
    0,
    1500,
  );
}
