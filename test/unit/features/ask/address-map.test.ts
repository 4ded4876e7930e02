import { describe, expect, test } from 'vitest';
import { paintOf } from '../../../../src/core/text/print/problems-text.ts';
import { addressMap } from '../../../../src/features/ask/address-map.ts';
import { addressMapText } from '../../../../src/features/ask/address-map-text.ts';
import { aDay, aTable, type PoolWords, poolWith } from '../../../support/allocations/tables.ts';

const kept = ['2026-03-01', '2026-03-11'] as const;
const over = ['2026-03-01', '2026-03-10'] as const;

const table = aTable(
  ['203.0.113.1'],
  ['203.0.113.2', { released: kept }],
  ['203.0.113.3', { released: over }],
  ['10.0.0.77'],
  ['10.0.0.78', { released: kept }],
  ['2001:db8::7'],
  ['2001:db8::1:5'],
);

function mapOf(words: PoolWords, family?: 'ipv4' | 'ipv6') {
  return addressMap(poolWith(words), table, { day: aDay('2026-03-10'), family });
}

function drawn(words: PoolWords, ascii = false): string {
  return addressMapText(mapOf(words), { paint: paintOf(false), ascii });
}

describe('addressMap', () => {
  const small = { addresses: ['203.0.113.0/29'], reserved: ['203.0.113.7'], avoidBuggyIPs: true };

  test('has a cell for each address of a small range', () => {
    expect(drawn(small)).toBe(
      '203.0.113.0/29\n203.0.113.0  ×█▒····×\n█ held 1   ▒ retained 1   × reserved 2   · free 4\n',
    );
    expect(drawn(small, true)).toBe(
      '203.0.113.0/29\n203.0.113.0  x#+....x\n# held 1   + retained 1   x reserved 2   . free 4\n',
    );
  });

  test('has a cell for each block of a large range, and counts the whole range', () => {
    const [range] = mapOf({ addresses: ['10.0.0.0/12'], reserved: ['10.0.0.0/20'] }).ranges;
    expect(range).toMatchObject({ step: '1024', sparse: false });
    expect(range?.cells).toHaveLength(1024);
    expect(range?.cells[0]).toEqual({
      from: '10.0.0.0',
      to: '10.0.3.255',
      held: '1',
      // A released address that is reserved is reserved, as in `leasehold pools`.
      retained: '0',
      reserved: '1023',
      free: '0',
    });
    expect(range?.cells[4]).toMatchObject({ from: '10.0.16.0', reserved: '0', free: '1024' });
    const all = range?.cells.reduce(
      (sum, { held, retained, reserved, free }) =>
        sum + [held, retained, reserved, free].map(Number).reduce((one, other) => one + other),
      0,
    );
    expect(all).toBe(2 ** 20);
  });

  test('starts and ends with the range, also within a block', () => {
    const [range] = mapOf({ addresses: ['10.0.0.77-10.0.15.3'] }).ranges;
    expect(range?.cells[0]).toMatchObject({ from: '10.0.0.77', to: '10.0.0.79', free: '1' });
    expect(range?.cells.at(-1)).toMatchObject({ from: '10.0.15.0', to: '10.0.15.3', free: '4' });
  });

  test.each([
    ['2001:db8::/64', '256', ['2001:db8::', '2001:db8::1:0']],
    ['2001:db8::/48', String(2n ** 64n), ['2001:db8::']],
  ])('omits unused blocks of %s', (range, step, firsts) => {
    const [found] = mapOf({ addresses: [range] }).ranges;
    expect([found?.step, found?.sparse]).toEqual([step, true]);
    expect(found?.cells.map(({ from }) => from)).toEqual(firsts);
  });

  test('has only the requested family', () => {
    const both = { addresses: ['203.0.113.0/29', '2001:db8::/126'] };
    expect(mapOf(both, 'ipv6').ranges.map(({ range }) => range)).toEqual(['2001:db8::/126']);
  });

  test('uses the lowest shade for a block with one used address, and the full shade for a full block', () => {
    const text = drawn({ addresses: ['10.0.0.0/21'], reserved: ['10.0.0.79'] });
    expect(text).toContain(', 2 addresses per cell');
    // 10.0.0.76 and .77: half in use; .78 and .79: one kept, one reserved.
    expect(text.split('\n')[1]).toBe(`10.0.0.0    ${'·'.repeat(38)}▄▒${'·'.repeat(24)}`);
    expect(text.split('\n').at(-2)).toBe(
      '▁-█ held 1   ▒ only retained 1   × reserved 1   · free 2045',
    );
  });

  test('counts omitted blocks in the totals of the range', () => {
    const text = drawn({ addresses: ['2001:db8::/64'] });
    expect(text).toBe(
      [
        '2001:db8::/64, 256 addresses per cell, unused blocks omitted',
        '2001:db8::  ▁▁',
        '▁-█ held 2   ▒ only retained 0   × reserved 0   · free 1.84e19',
        '',
      ].join('\n'),
    );
  });
});
