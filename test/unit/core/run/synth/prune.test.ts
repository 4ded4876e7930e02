import { describe, expect, it } from 'vitest';
import { formatAddress } from '../../../../../src/core/net/address.ts';
import { prune } from '../../../../../src/core/run/synth/prune.ts';
import { aDay, aTable } from '../../../../support/allocations/tables.ts';

describe('prune', () => {
  const table = aTable(
    ['203.0.113.10', { released: ['2026-03-01', '2026-03-09'] }],
    ['203.0.113.9', { released: ['2026-03-01', '2026-03-10'] }],
    ['203.0.113.8', { released: ['2026-03-01', '2026-03-11'] }],
    ['203.0.113.7', { keepUntil: '2026-01-01' }],
  );

  it('removes the records of addresses that are free today, and no others', () => {
    const pruned = prune(table, aDay('2026-03-10'));
    expect([...pruned.table.keys()].sort()).toEqual(['203.0.113.7', '203.0.113.8']);
    const changes = pruned.changes.map(({ kind, address }) => `${kind} ${formatAddress(address)}`);
    expect(changes).toEqual(['removed 203.0.113.9', 'removed 203.0.113.10']);
    expect(table.size).toBe(4);
  });

  it('removes nothing while nothing is free', () => {
    const pruned = prune(table, aDay('2026-03-08'));
    expect(pruned.changes).toEqual([]);
    expect(pruned.table).toEqual(table);
  });
});
