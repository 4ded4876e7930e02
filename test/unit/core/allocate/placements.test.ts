import { expect, test } from 'vitest';
import { placementsOf } from '../../../../src/core/allocate/allocate.ts';
import { holdersOf } from '../../../../src/core/declarations/holders.ts';
import { formatAddress } from '../../../../src/core/net/address.ts';
import {
  aTable,
  claimWith,
  poolsWith,
  poolWith,
  promiseWith,
  theHolders,
} from '../../../support/allocations/tables.ts';

const pools = poolsWith(poolWith({ name: 'a', addresses: ['203.0.113.0/28', '2001:db8::/124'] }));

test('placementsOf has the holders with all their addresses, IPv4 first, and no others', () => {
  const table = aTable(
    ['2001:db8::1', { pool: 'a' }],
    ['203.0.113.1', { pool: 'a' }],
    ['203.0.113.2', { pool: 'a', name: 'half' }],
    ['203.0.113.3', { pool: 'a', name: 'left', released: ['2026-03-01', '2026-03-30'] }],
    ['10.0.0.1', { pool: 'gone', name: 'stray' }],
  );
  const holders = theHolders(
    pools,
    claimWith({ ipFamily: 'dual' }),
    claimWith({ name: 'half', ipFamily: 'dual' }),
    claimWith({ name: 'left' }),
    claimWith({ name: 'stray' }),
  );
  const placed = placementsOf(pools, holders, table).map(
    ({ holder, pool, addresses }) =>
      `${holder.id} ${pool.name} ${addresses.map(formatAddress).join(' ')}`,
  );
  expect(placed).toEqual(['default/akash/alice a 203.0.113.1 2001:db8::1']);
});

test('placementsOf serves nothing on an address that is only promised', () => {
  const holders = holdersOf({ claims: [claimWith({})], promises: [promiseWith('bob')] }, pools);
  if (!holders.ok) throw new Error(holders.problems[0]?.message);
  const table = aTable(['203.0.113.1', { pool: 'a' }], ['203.0.113.2', { pool: 'a', name: 'bob' }]);
  const placed = placementsOf(pools, holders.value, table).map(({ holder }) => holder.id);
  expect(placed).toEqual(['default/akash/alice']);
});
