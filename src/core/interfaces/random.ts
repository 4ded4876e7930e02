/** Random numbers in [0, 1), for jitter. */
export type Random = () => number;

/** Unpredictable bytes for secrets, salts and repository ids. */
export type RandomBytes = (count: number) => Uint8Array;
