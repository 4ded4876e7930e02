/** Gives a number from 0 up to, but not including, 1: so that many who wait do not wait alike. */
export type Chance = () => number;
