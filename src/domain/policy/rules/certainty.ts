/** How sure a test is: an unresolved word can only ever be `maybe`. */
export type Certainty = 0 | 1 | 2;
export const no = 0;
export const maybe = 1;
export const yes = 2;

export const weaker = (a: Certainty, b: Certainty): Certainty => (a < b ? a : b);
export const stronger = (a: Certainty, b: Certainty): Certainty => (a > b ? a : b);
