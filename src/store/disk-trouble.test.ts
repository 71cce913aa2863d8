import { expect, test } from "bun:test";
import { refusal } from "../errors.ts";
import { diskRefusal, diskTrouble } from "./disk-trouble.ts";

const coded = (code: string, message = "x") => Object.assign(new Error(message), { code });

test("both runtimes' ways to say it are understood, anything else is not taken for it", () => {
  expect(diskTrouble(coded("SQLITE_FULL"))).toBe("full");
  expect(diskTrouble(new Error("database or disk is full"))).toBe("full");
  expect(diskTrouble(coded("SQLITE_IOERR_FSYNC"))).toBe("failing");
  expect(diskTrouble(new Error("disk I/O error"))).toBe("failing");
  expect(diskTrouble(new Error("unable to open database file"))).toBe("failing");
  expect(diskTrouble(coded("SQLITE_CORRUPT", "database disk image is malformed"))).toBe("damaged");
  expect(diskTrouble(coded("SQLITE_CONSTRAINT_UNIQUE"))).toBeUndefined();
  expect(diskTrouble("disk is full")).toBeUndefined();
  expect(diskTrouble(refusal("malformed", "The disk image is malformed, says the caller."))).toBeUndefined();
  expect(diskTrouble(refusal("malformed_json"))).toBeUndefined();
});

test("a full disk and a failing one are refused with codes of their own, always 503", () => {
  expect(diskRefusal(coded("SQLITE_FULL"))).toMatchObject({ code: "storage_full", status: 503 });
  expect(diskRefusal(coded("SQLITE_IOERR"))).toMatchObject({ code: "unavailable", status: 503 });
  expect(diskRefusal(new TypeError("x"))).toBeUndefined();
});

test("what is wrong with a request is no trouble of the disk", () => {
  for (const code of ["malformed", "malformed_json", "storage_full", "unavailable"] as const)
    expect(diskTrouble(refusal(code))).toBeUndefined();
  expect(diskTrouble(new Error("the cursor is malformed"))).toBeUndefined();
});
