import type { VerifierKey } from "../../domain/audit/note.ts";
import type { VerifyWindow } from "../log.ts";
import type { StoreWorld } from "../open.ts";
import { openDatabase } from "./database.ts";
import { hashBefore } from "./entries.ts";
import { openLogTables } from "./log-tables.ts";
import { verifyLog } from "./verify.ts";

/**
 * `Log.verify` of a file that another thread writes to meanwhile: read-only, each slice from one state of the file. Returns
 * the end of what verifies, -1 when something in the window does not; merging and erasing under way may seldom seem a break.
 */
export function* verifyPart(path: string, key: VerifierKey, window: VerifyWindow): Generator<undefined, number> {
  const db = openDatabase(path, { readonly: true });
  try {
    db.exec("BEGIN");
    const tables = openLogTables(db, readingOnly(key));
    const size = tables.bundles.size();
    const steps = verifyLog(tables, { seq: size - 1, hash: hashBefore(tables, size).toHex() }, window);
    for (;;) {
      const step = steps.next();
      db.exec("COMMIT");
      if (step.done) return step.value.valid ? step.value.to : -1;
      tables.bundles.forget();
      yield;
      db.exec("BEGIN");
    }
  } finally {
    db.close();
  }
}

function readingOnly({ name, publicKey }: VerifierKey): StoreWorld {
  const none = () => {
    throw new Error("this file is only read here");
  };
  return { origin: name, signer: { publicKey, sign: none }, now: none, random: none, redactionKey: new Uint8Array() };
}
