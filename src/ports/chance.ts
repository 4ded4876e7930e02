/** Gives a number from 0 up to, but not including, 1: so that many who wait do not wait alike. */
export type Chance = () => number;

/** Gives that many bytes that nobody can guess: for secrets, salts and the id of a repository. */
export type RandomBytes = (count: number) => Uint8Array;
