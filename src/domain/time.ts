/** RFC 3339 UTC with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));

const MOMENT = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)$/;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** RFC 3339 with a zone, of a day and an hour there is; no leap seconds. Several times faster than `Date.parse`. */
export function isMoment(text: string): boolean {
  if (!MOMENT.test(text)) return false;
  const [month, day] = [two(text, 5), two(text, 8)];
  const isDay = month >= 1 && month <= 12 && day >= 1 && day <= DAYS[month - 1]!;
  if (!isDay || (month === 2 && day === 29 && !isLeap(two(text, 0) * 100 + two(text, 2)))) return false;
  if (two(text, 11) > 23 || two(text, 14) > 59 || two(text, 17) > 59) return false;
  const zone = text.length - 5;
  return text.charCodeAt(zone + 2) !== COLON || (two(text, zone) <= 23 && two(text, zone + 3) <= 59);
}

const COLON = 58;
const two = (text: string, at: number): number => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
