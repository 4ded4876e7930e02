import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { expect } from 'vitest';

/** The real derivation, kept for the files that come later in the same process. */
const kept = globalThis as { realScrypt?: typeof crypto.scryptSync };
kept.realScrypt ??= crypto.scryptSync;
const real = kept.realScrypt;

/**
 * Makes the derivation of a key from a secret cheap in this process: scrypt with N=2^10 and not 2^17, a millisecond and
 * not a third of a second. The unit tests and `test/program` have the real one.
 */
const isUnit = expect.getState().testPath?.includes('/test/unit/');
crypto.scryptSync = isUnit
  ? real
  : (secret, salt, length, options) => real(secret, salt, length, { ...options, N: 2 ** 10 });
syncBuiltinESMExports();
