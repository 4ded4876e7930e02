// @module-tag counted

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { insideRanges, publicAddress } from '../../../../src/core/model/pools.ts';
import { formatAddress } from '../../../../src/core/net/address.ts';
import { formatShortRange, rangeHas, rangeSize } from '../../../../src/core/net/range.ts';
import { anAddress, aRange } from '../../../support/declarations/pools-and-claims.ts';
import { runs } from '../../../support/run/scope.ts';

const nat = [
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
    expect(formatAddress(publicAddress({ nat }, anAddress(inside)))).toBe(outside);
  });

  test('is the address itself without a NAT', () => {
    expect(formatAddress(publicAddress({ nat: [] }, anAddress('192.168.4.16')))).toBe(
      '192.168.4.16',
    );
  });
});

describe('insideRanges', () => {
  test.each([
    ['203.0.113.47', ['192.168.4.31']],
    ['198.51.100.7', ['192.168.4.64/26', '192.168.5.0/24']],
    ['2001:db8:4::a:1', ['fd00:4::a:1']],
    ['203.0.113.48', []],
    ['192.168.4.16', []],
  ])('of %s are %j', (outside, inside) => {
    expect(insideRanges({ nat }, anAddress(outside)).map(formatShortRange)).toEqual(inside);
  });

  test('have each address that has the public one', () => {
    const inside = fc
      .constantFrom(...nat)
      .chain(({ inside: { from, to } }) =>
        fc.bigInt({ min: from.value, max: to.value }).map((value) => ({ ...from, value })),
      );
    fc.assert(
      fc.property(inside, (address) => {
        const ranges = insideRanges({ nat }, publicAddress({ nat }, address));
        expect(ranges.some((range) => rangeHas(range, address))).toBe(true);
      }),
      { seed: 24, numRuns: runs(500) },
    );
  });
});

test('addresses of one rule have different public addresses, in the same order', () => {
  const one = aRange('192.168.4.16/28');
  const place = fc.bigInt({ min: 0n, max: rangeSize(one) - 1n });
  const at = (offset: bigint) =>
    publicAddress({ nat }, { family: 'ipv4', value: one.from.value + offset });
  fc.assert(
    fc.property(place, place, (left, right) => {
      expect(at(left).value - at(right).value).toBe(left - right);
      expect(rangeHas(aRange('203.0.113.32/28'), at(left))).toBe(true);
    }),
    { seed: 24, numRuns: runs(500) },
  );
});
