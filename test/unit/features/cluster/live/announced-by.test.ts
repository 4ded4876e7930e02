import { expect, test } from 'vitest';
import { announcedBy } from '../../../../../src/features/cluster/live/announced-by.ts';
import { aPool } from '../../../../support/declarations/pools-and-claims.ts';

const file = 'leases/pools.yaml';
const at = { file, line: 4, column: 5 };
const pool = aPool({ at: { file, line: 9, column: 5 } });
const ofPool = {
  interfaces: `advertise.l2.interfaces of pool default (${file}:9)`,
  nodeSelectors: `advertise.nodeSelectors of pool default (${file}:9)`,
};

test('an address is announced by the fields of its pool, and by those that its advertisement sets', () => {
  const own = { name: 'rack2', at, kind: 'l2', interfaces: undefined } as const;
  expect(announcedBy(pool, undefined)).toEqual(ofPool);
  expect(announcedBy(pool, { ...own, nodeSelectors: undefined })).toEqual(ofPool);
  expect(announcedBy(pool, { ...own, interfaces: ['bond1'], nodeSelectors: [] })).toEqual({
    interfaces: `interfaces of advertisement rack2 (${file}:4)`,
    nodeSelectors: `nodeSelectors of advertisement rack2 (${file}:4)`,
  });
});
