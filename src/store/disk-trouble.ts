import { Refusal, refusal } from "../errors.ts";

/**
 * What an engine's error says of the disk below it. `full`: nothing can be added, what is there can be read. `failing`: a read,
 * write or sync did not succeed; what the engine remembers of the file no longer counts. `damaged`: the file's content is wrong.
 */
export type DiskTrouble = "full" | "failing" | "damaged";

/** SQLite's codes by name (bun:sqlite) and its sentences (node:sqlite), https://www.sqlite.org/rescode.html. */
const signs: readonly [DiskTrouble, RegExp][] = [
  ["full", /SQLITE_FULL|disk is full|ENOSPC/],
  [
    "failing",
    /SQLITE_(IOERR|CANTOPEN|READONLY)|disk I\/O error|unable to open database file|readonly database|\bEIO\b/,
  ],
  ["damaged", /SQLITE_(CORRUPT|NOTADB)|disk image is malformed|malformed database schema|file is not a database/],
];

export function diskTrouble(error: unknown): DiskTrouble | undefined {
  // What a caller did wrong says nothing of the disk, whatever its words.
  if (!(error instanceof Error) || error instanceof Refusal) return undefined;
  const said = `${(error as { code?: string }).code} ${error.message}`;
  return signs.find(([, sign]) => sign.test(said))?.[0];
}

/** The refusal a caller gets for it; undefined for any other error. */
export function diskRefusal(error: unknown): Refusal | undefined {
  const trouble = diskTrouble(error);
  if (trouble === undefined) return undefined;
  if (trouble === "full") return refusal("storage_full", { retry_after_s: 5 });
  return refusal("unavailable", "The file behind this cannot be read or written at the moment. Nothing was stored.");
}
