import { describe, expect, it } from 'vitest';
import { massRelease, prune } from '../../../../src/features/synth/synth.ts';
import { formatAddress } from '../../../../src/net/address.ts';
import { aDay, aTable } from '../../../support/allocations/tables.ts';

/** Returns the problem code of a release of so many of the held addresses. */
function codeOf(held: number, released: number, allowed: readonly number[] = []) {
  const files = Array.from(
    { length: released },
    (_, number) => `leases/allocations/${number}.yaml`,
  );
  return massRelease({ held, files, allowed }, (count) => `confirm ${count}`)?.code;
}

describe('massRelease', () => {
  it.each([
    [3, 3],
    [39, 3],
    [40, 4],
    [49, 4],
    [50, 5],
  ])('of %i held addresses allows %i releases', (held, most) => {
    expect(codeOf(held, 0)).toBeUndefined();
    expect(codeOf(held, most)).toBeUndefined();
    expect(codeOf(held, most + 1)).toBe('MASS_RELEASE');
  });

  it('allows the exact number that was confirmed', () => {
    expect(codeOf(5, 4, [3, 4])).toBeUndefined();
    expect(codeOf(5, 5, [3, 4])).toBe('MASS_RELEASE');
  });

  it('names the first file, and how to confirm the number', () => {
    const files = ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml'];
    expect(massRelease({ held: 4, files, allowed: [] }, (count) => `confirm ${count}`)).toEqual({
      code: 'MASS_RELEASE',
      message: '4 of 4 held addresses would be released',
      at: { file: 'a.yaml', line: 1, column: 1 },
      hint: 'if this is intended: confirm 4',
    });
  });
});

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
