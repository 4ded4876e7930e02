// @module-tag counted

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAddress } from '../../../src/net/address.ts';
import { insideRanges, publicAddress } from '../../../src/net/nat.ts';
import { formatRange, rangeHas, rangeSize } from '../../../src/net/range.ts';
import { anAddress, aRange } from '../../support/declarations/pools-and-claims.ts';
import { runs } from '../../support/run/scope.ts';

const rules = [
  { inside: aRange('192.168.4.16/28'), outside: aRange('203.0.113.32/28') },
  { inside: aRange('192.168.4.64/26'), outside: aRange('198.51.100.7') },
  { inside: aRange('192.168.5.0/24'), outside: aRange('198.51.100.7') },
  { inside: aRange('fd00:4::/64'), outside: aRange('2001:db8:4::/64') },
];

describe('publicAddress', () => {
  test.each([
    ['192.168.4.16', '203.0.113.32'],
    ['192.168.4.31', '203.0.113.47'],
    ['192.168.4.64', '198.51.100.7'],
    ['192.168.5.255', '198.51.100.7'],
    ['fd00:4::a:1', '2001:db8:4::a:1'],
    ['192.168.4.15', '192.168.4.15'],
    ['192.168.4.32', '192.168.4.32'],
    ['2001:db8:9::1', '2001:db8:9::1'],
  ])('of %s is %s', (inside, outside) => {
    expect(formatAddress(publicAddress(rules, anAddress(inside)))).toBe(outside);
  });

  test('is the address itself without a NAT', () => {
    expect(formatAddress(publicAddress([], anAddress('192.168.4.16')))).toBe('192.168.4.16');
  });
});

describe('insideRanges', () => {
  test.each([
    ['203.0.113.33', ['192.168.4.17/32']],
    ['198.51.100.7', ['192.168.4.64/26', '192.168.5.0/24']],
    ['2001:db8:4::9', ['fd00:4::9/128']],
    ['192.168.4.17', []],
  ])('of %s are %s', (outside, inside) => {
    expect(insideRanges(rules, anAddress(outside)).map(formatRange)).toEqual(inside);
  });

  test('have the address whose public address was asked for', () => {
    const translated = fc.constantFrom(...rules).chain(({ inside }) =>
      fc.bigInt({ min: 0n, max: rangeSize(inside) - 1n }).map((place) => ({
        family: inside.from.family,
        value: inside.from.value + place,
      })),
    );
    fc.assert(
      fc.property(translated, (address) => {
        const found = insideRanges(rules, publicAddress(rules, address));
        expect(found.some((range) => rangeHas(range, address))).toBe(true);
      }),
      { seed: 24, numRuns: runs(500) },
    );
  });
});
