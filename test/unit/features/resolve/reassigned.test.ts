import { expect, it } from 'vitest';
import { formatAddress } from '../../../../src/core/net/address.ts';
import { reassignmentsIn } from '../../../../src/features/resolve/reassigned.ts';
import { aTable, holderId } from '../../../support/allocations/tables.ts';

type Tables = Parameters<typeof reassignmentsIn>;

const reassigned = (...tables: Tables) =>
  reassignmentsIn(...tables).map(
    ({ holder, from, to }) => `${holder} ${formatAddress(from)} ${formatAddress(to)}`,
  );

const released = { released: ['2026-01-02', '2026-01-05'] } as const;

it.each<[string, ...Tables, readonly string[]]>([
  ['keeps its address', aTable(['10.0.0.1']), aTable(['10.0.0.1']), []],
  [
    'has another one',
    aTable(['10.0.0.1']),
    aTable(['10.0.0.2']),
    [`${holderId('alice')} 10.0.0.1 10.0.0.2`],
  ],
  [
    'has another one of one family',
    aTable(['10.0.0.1'], ['2001:db8::1']),
    aTable(['10.0.0.1'], ['2001:db8::2']),
    [`${holderId('alice')} 2001:db8::1 2001:db8::2`],
  ],
  ['has none of a family any more', aTable(['2001:db8::1']), aTable(['10.0.0.1']), []],
  ['is gone', aTable(['10.0.0.1']), aTable(['10.0.0.1', released]), []],
  ['had given its address back', aTable(['10.0.0.1', released]), aTable(['10.0.0.2']), []],
])('the reassignments of a holder that %s', (_, side, merged, expected) => {
  expect(reassigned(side, merged)).toEqual(expected);
});

it('reassignmentsIn is sorted by former address', () => {
  const side = aTable(['10.0.0.9'], ['10.0.0.10', { name: 'bob' }]);
  const merged = aTable(['10.0.0.1'], ['10.0.0.2', { name: 'bob' }]);
  expect(reassigned(side, merged)).toEqual([
    `${holderId('alice')} 10.0.0.9 10.0.0.1`,
    `${holderId('bob')} 10.0.0.10 10.0.0.2`,
  ]);
});
