// @module-tag counted

import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differences } from '../../src/features/cluster/live/difference.ts';
import { runs } from '../support/run/scope.ts';

/** What JSON can say, with few keys and values, so that two of them are often nearly equal. */
const { tree } = fc.letrec<{ tree: unknown; leaf: unknown }>((tie) => ({
  leaf: fc.constantFrom<unknown>('a', '1', 1, 0, true, false, null, '', [], {}),
  tree: fc.oneof(
    { maxDepth: 3 },
    tie('leaf'),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', '[0]', 'ports', '__proto__'), tie('tree'), {
      maxKeys: 3,
    }),
  ),
}));

const metadata = { name: 'x' };
const among = (wanted: unknown, found: unknown) =>
  differences('leasedIP', { metadata, spec: wanted }, { metadata, spec: found });

test('a custom resource differs from its manifest in something just when their specs are not equal', () => {
  fc.assert(
    fc.property(tree, tree, (wanted, found) => {
      expect(among(wanted, found).length === 0).toBe(
        isDeepStrictEqual(plain(wanted), plain(found)),
      );
      expect(among(wanted, plain(wanted))).toEqual([]);
    }),
    { seed: 1, numRuns: runs(3000) },
  );
});

/** As it comes from the API server. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}
