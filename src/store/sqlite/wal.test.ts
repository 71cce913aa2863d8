import { expect, test } from "bun:test";
import type { Database } from "./database.ts";
import { syncWal } from "./wal.ts";

const failing = (code: string, message: string) =>
  ({
    exec() {
      throw Object.assign(new Error(message), { code });
    },
  }) as unknown as Database;

test("a full disk keeps nobody from reading: the WAL was synced before room was needed; a failing one does", () => {
  expect(() => syncWal(failing("SQLITE_FULL", "database or disk is full"))).not.toThrow();
  expect(() => syncWal(failing("SQLITE_IOERR_FSYNC", "disk I/O error"))).toThrow("disk I/O error");
});
