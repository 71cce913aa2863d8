import { expect, test } from "bun:test";
import fc from "fast-check";
import { isMoment } from "./time.ts";

test("moments of RFC 3339 are told from days and hours there are not", () => {
  const good = [
    "2026-02-28T23:59:59Z",
    "2024-02-29t00:00:00.5z",
    "2000-02-29T10:00:00+05:30",
    "2026-12-31T00:00:00-23:59",
  ];
  const bad = [
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-01T24:00:00Z",
    "2026-01-01T00:60:00Z",
    "2026-06-30T23:59:60Z",
    "2026-01-01T00:00:00+24:00",
    "2026-01-01T00:00:00+00:60",
    "2026-01-01T00:00:00",
    "2026-01-01",
    "2026-01-01T00:00:00.Z",
    " 2026-01-01T00:00:00Z",
    "2026-01-01T00:00:00Z\n",
  ];
  for (const text of good) expect([text, isMoment(text)]).toEqual([text, true]);
  for (const text of bad) expect([text, isMoment(text)]).toEqual([text, false]);
});

test("what is a moment can be read as a date, and every date is one", () => {
  const pad = (n: number, digits = 2) => String(n).padStart(digits, "0");
  const part = (max: number) => fc.integer({ min: 0, max }).map(n => pad(n));
  const text = fc
    .tuple(fc.integer({ min: 0, max: 9999 }), part(13), part(32), part(25), part(61), part(61))
    .map(([year, month, day, hour, minute, second]) => `${pad(year, 4)}-${month}-${day}T${hour}:${minute}:${second}Z`);
  fc.assert(fc.property(text, text => !isMoment(text) || !Number.isNaN(Date.parse(text))));
  const date = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(fc.property(date, date => isMoment(date.toISOString())));
});
