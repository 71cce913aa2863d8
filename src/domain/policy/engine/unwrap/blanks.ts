/** Long runs of blanks as one: a pattern that may share a run out among its parts would try every way. */
export const shortBlanks = (text: string): string => text.replace(/\s{8,}/g, run => (run.includes("\n") ? "\n" : " "));
