import { describe, expect, it } from 'vitest';
import { massRelease, prune } from '../../../../src/features/synth/synth.ts';
import { formatAddress } from '../../../../src/net/address.ts';
import { aDay, aTable } from '../../../support/allocations/tables.ts';

const none = { held: 0, files: [] };

/** Files of so many released records. */
function filesOf(count: number, folder = 'allocations'): readonly string[] {
  return Array.from({ length: count }, (_, number) => `leases/${folder}/${number}.yaml`);
}

/** Returns the problem code of a release of so many of the held addresses. */
function codeOf(held: number, released: number, allowed: readonly number[] = []) {
  const addresses = { held, files: filesOf(released) };
  return massRelease({ addresses, hostnames: none, allowed }, (count) => `confirm ${count}`)?.code;
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

  it('counts addresses and hostnames each by their own number', () => {
    const addresses = { held: 6, files: filesOf(5) };
    const hostnames = { held: 90, files: filesOf(2, 'hostnames') };
    const found = (allowed: readonly number[]) =>
      massRelease({ addresses, hostnames, allowed }, (count) => `confirm ${count}`);
    expect(found([])).toMatchObject({
      message: '5 of 6 held addresses and 2 of 90 held hostnames would be released',
      hint: 'if this is intended: confirm 7',
    });
    expect(found([7])).toBeUndefined();
    const many = { held: 12, files: filesOf(4, 'hostnames') };
    const onlyNames = { addresses: { held: 1000, files: [] }, hostnames: many, allowed: [] };
    expect(massRelease(onlyNames, () => '')?.message).toBe(
      '4 of 12 held hostnames would be released',
    );
  });

  it('names the first file, and how to confirm the number', () => {
    const addresses = { held: 4, files: ['a.yaml', 'b.yaml', 'c.yaml', 'd.yaml'] };
    const releases = { addresses, hostnames: none, allowed: [] };
    expect(massRelease(releases, (count) => `confirm ${count}`)).toEqual({
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
