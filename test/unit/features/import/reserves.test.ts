import { describe, expect, it } from 'vitest';
import { formatRange } from '../../../../src/core/net/range.ts';
import type { ImportedPool } from '../../../../src/features/import/imported.ts';
import { newReserves, usedAddresses } from '../../../../src/features/import/reserves.ts';
import { aDay, aTable, claimWith, poolWith } from '../../../support/allocations/tables.ts';
import { aRange } from '../../../support/declarations/pools-and-claims.ts';

const at = { file: 'n.json', line: 7, column: 3 };

function imported(...reserved: readonly string[]): ImportedPool {
  return {
    name: 'web',
    ranges: [{ range: aRange('10.0.0.0/24'), at }],
    reserved: reserved.map((text) => ({ range: aRange(text), why: 'a router', at })),
    avoidBuggyIPs: false,
    advertise: [{ name: 'web', kind: 'l2', interfaces: [], nodeSelectors: [] }],
    at,
  };
}

function told(...given: Parameters<typeof newReserves>) {
  const { added, notes } = newReserves(...given);
  return {
    added: added.ranges.map(formatRange),
    notes: notes.map(({ effect, message }) => `${effect} ${message}`),
  };
}

const today = aDay('2026-01-10');
const nothing = { table: aTable(), claims: [], today };

describe('an address that a source reserves', () => {
  it('is reserved, with its reason and its place in the source', () => {
    expect(
      newReserves(imported('10.0.0.1', '10.0.0.2'), undefined, usedAddresses(nothing)),
    ).toEqual({
      added: { ranges: [aRange('10.0.0.1-10.0.0.2')] },
      notes: [
        {
          effect: 'changed',
          subject: 'pool web',
          message: '10.0.0.1 is reserved, and never given out: a router',
          at,
        },
        {
          effect: 'changed',
          subject: 'pool web',
          message: '10.0.0.2 is reserved, and never given out: a router',
          at,
        },
      ],
    });
  });

  it('is reported once; an address that the pool already reserves is skipped', () => {
    const declared = poolWith({ addresses: ['10.0.0.0/24'], reserved: ['10.0.0.0/28'] });
    expect(told(imported('10.0.0.1', '10.0.0.14-10.0.0.17'), declared, [])).toEqual({
      added: ['10.0.0.16/31'],
      notes: ['changed 10.0.0.16/31 is reserved, and never given out: a router'],
    });
  });

  it('is not one that leasehold exported for a range of the declared pool', () => {
    const declared = poolWith({ addresses: ['10.0.0.0/26', '10.0.0.128/25'] });
    const pool = imported('10.0.0.0/26', '10.0.0.128/26');
    const exported = (pool.reserved ?? []).map((one) => ({ ...one, isExported: true as const }));
    const found = { ...pool, reserved: exported };
    expect(told(found, declared, []).added).toEqual(['10.0.0.128/26']);
    expect(told(found, undefined, []).added).toEqual(['10.0.0.0/26', '10.0.0.128/26']);
  });

  it.each([
    [aTable(['10.0.0.5']), 'default/akash/alice has it'],
    [
      aTable(['10.0.0.5', { released: ['2026-01-02', '2026-01-11'] }]),
      'it is kept for default/akash/alice until 2026-01-10',
    ],
    [
      aTable(['10.0.0.5', { released: ['2026-01-02', '2026-02-01'] }]),
      'it is kept for default/akash/alice until 2026-01-31',
    ],
  ])('leaves an address to whom it is of here: %#', (table, whose) => {
    const had = usedAddresses({ ...nothing, table });
    expect(told(imported('10.0.0.4-10.0.0.6', '10.0.0.5'), undefined, had)).toEqual({
      added: ['10.0.0.4/32', '10.0.0.6/32'],
      notes: [
        `left 10.0.0.5 is not reserved: ${whose}; the source has it as a router`,
        'changed 10.0.0.4, 10.0.0.6 is reserved, and never given out: a router',
        `left 10.0.0.5 is not reserved: ${whose}; the source has it as a router`,
      ],
    });
  });

  it('leaves an address that a declaration asks for by name', () => {
    const had = usedAddresses({ ...nothing, claims: [claimWith({ pin: '10.0.0.5' })] });
    expect(told(imported('10.0.0.5'), undefined, had)).toEqual({
      added: [],
      notes: [
        'left 10.0.0.5 is not reserved: default/akash/alice is pinned to it; the source has it as a router',
      ],
    });
  });

  it('says of an address that one has and another is pinned to who has it', () => {
    const claims = [claimWith({ name: 'bob', pin: '10.0.0.5' })];
    const had = usedAddresses({ ...nothing, table: aTable(['10.0.0.5']), claims });
    expect(told(imported('10.0.0.5'), undefined, had).notes).toEqual([
      'left 10.0.0.5 is not reserved: default/akash/alice has it; the source has it as a router',
    ]);
  });

  it('may be an address that was released and is free again', () => {
    const table = aTable(['10.0.0.5', { released: ['2026-01-02', '2026-01-10'] }]);
    const had = usedAddresses({ ...nothing, table });
    expect(told(imported('10.0.0.5'), undefined, had).added).toEqual(['10.0.0.5/32']);
    expect(usedAddresses({ ...nothing, table, today: undefined })).toHaveLength(1);
  });
});
