import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { familyBits } from '../../../../src/core/net/address.ts';
import {
  type AddressRange,
  compareRanges,
  formatRange,
  formatShortRange,
  isRange,
  parseRange,
  prefixLengths,
  rangeHas,
  rangeSize,
  rangesOverlap,
} from '../../../../src/core/net/range.ts';
import { anAddress, aRange } from '../../../support/declarations/pools-and-claims.ts';
import { anySpan } from '../../../support/declarations/range-arbitrary.ts';

const mapped: AddressRange = {
  from: { family: 'ipv6', value: 0xffff_0000_0000n },
  to: { family: 'ipv6', value: 0xffff_ffff_ffffn },
};

/** Ranges that may be given out: not all that there is, and none with IPv4-mapped addresses. */
const anyRange = anySpan.filter(
  (some) =>
    rangeSize(some) < 1n << BigInt(familyBits[some.from.family]) && !rangesOverlap(some, mapped),
);

describe('parseRange', () => {
  test.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['127.0.0.0/8', '127.0.0.0/8'],
    ['224.0.0.0/4', '224.0.0.0/4'],
    ['10.0.0.5', '10.0.0.5/32'],
    ['10.0.0.5/32', '10.0.0.5/32'],
    ['2001:db8::5', '2001:db8::5/128'],
    ['1.2.3.1-1.2.3.10', '1.2.3.1-1.2.3.10'],
    ['1.2.3.4-1.2.3.4', '1.2.3.4/32'],
    ['1.2.3.0-1.2.3.255', '1.2.3.0/24'],
    ['2001:db8::1-2001:db8::9', '2001:db8::1-2001:db8::9'],
    ['0.0.0.0/1', '0.0.0.0/1'],
    ['0.0.0.0-255.255.255.254', '0.0.0.0-255.255.255.254'],
    ['0.0.0.1-255.255.255.255', '0.0.0.1-255.255.255.255'],
    ['8000::/1', '8000::/1'],
    ['::ffff:0:0:0/96', '::ffff:0:0:0/96'],
  ])('takes %s', (text, canonical) => {
    const parsed = parseRange(text);
    expect(isRange(parsed) ? formatRange(parsed) : parsed).toBe(canonical);
  });

  test.each([
    ['1.2.3.1 - 1.2.3.10', '1.2.3.1-1.2.3.10'],
    ['1.2.3.1–1.2.3.10', '1.2.3.1-1.2.3.10'],
    ['1.2.3.1-10', '1.2.3.1-1.2.3.10'],
    ['2001:db8::1-1f', '2001:db8::1-2001:db8::1f'],
    ['10.0.0.0/024', '10.0.0.0/24'],
    ['10.0.0.7/024', '10.0.0.0/24'],
    [' 10.0.0.0 / 8', '10.0.0.0/8'],
    ['10.0.0.5/24', '10.0.0.0/24'],
    ['1.2.3.10-1', undefined],
    ['1.2.3.1-300', undefined],
    ['1.2.3.1-', undefined],
    ['10.0.0.0/33', undefined],
    ['10.0.0.1 0/24', undefined],
    ['010.0.0.0/8', undefined],
    ['', undefined],
  ])('says for %j the right spelling, if it can mean one only: %s', (text, meant) => {
    const parsed = parseRange(text);
    expect(isRange(parsed) ? parsed : parsed.meant).toBe(meant);
    if (!isRange(parsed) && meant !== undefined) expect(parsed.reason).toContain(` is ${meant}`);
  });

  test.each([
    ['1.2.3.1-', "'1.2.3.1-' lacks its last address, expected such as 192.0.2.7-192.0.2.9"],
    ['-1.2.3.1', "'-1.2.3.1' lacks its first address, expected such as 192.0.2.7-192.0.2.9"],
    ['1.2.3.1 -10', "'1.2.3.1 -10' is not written as 'first-last'; the range is 1.2.3.1-1.2.3.10"],
    ['10.0.0.0/08', "'10.0.0.0/08' is not written as a CIDR block; the block is 10.0.0.0/8"],
  ])('an invalid range is refused with its reason: %j', (text, reason) => {
    expect(parseRange(text)).toMatchObject({ kind: 'syntax', reason });
  });

  test.each([
    [`1.2.3.4-1.2.3.5-${'x'.repeat(1000)}`],
    [`1.2.3.4/${'1'.repeat(1000)}`],
    [`${'1'.repeat(1000)}-1.2.3.4`],
  ])('shows no more than the beginning of a long text', (text) => {
    const parsed = parseRange(text);
    expect(isRange(parsed) ? '' : parsed.reason.length).toBeLessThan(120);
  });

  test.each([
    ['0.0.0.0/0', 'everything'],
    ['::/0', 'everything'],
    ['10.0.0.5/0', 'everything'],
    ['0.0.0.0-255.255.255.255', 'everything'],
    ['::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'everything'],
    ['0:0::-FFFF:ffff:ffff:ffff:ffff:ffff:ffff:ffff', 'everything'],
    ['10.0.0.5/24', 'hostBits'],
    ['2001:db8::1/64', 'hostBits'],
    ['10.0.0.5/1', 'hostBits'],
    ['10.0.0.0/024', 'syntax'],
    ['010.0.0.0/8', 'syntax'],
    ['1.2.3.1 - 1.2.3.10', 'syntax'],
    [' 1.2.3.1-1.2.3.10 ', 'syntax'],
    [' 10.0.0.0/8', 'syntax'],
    ['10.0.0.0/8 ', 'syntax'],
    ['1.2.3.10-1.2.3.1', 'order'],
    ['2001:db8::9-2001:db8::1', 'order'],
    ['1.2.3.1-10', 'syntax'],
    ['1.2.3.1-1.2.3.4-1.2.3.9', 'syntax'],
    ['1.2.3.1-', 'syntax'],
    ['-1.2.3.1', 'syntax'],
    ['-', 'syntax'],
    ['/', 'syntax'],
    ['1.2.3.0/24-1.2.3.10', 'syntax'],
    ['1.2.3.0-1.2.3.0/24', 'syntax'],
    ['1.2.3.1,1.2.3.2', 'syntax'],
    ['1.2.3.1–1.2.3.10', 'syntax'],
    ['fe80::1%eth0', 'syntax'],
    ['fe80::%eth0/64', 'syntax'],
    ['10.0.0.0/33', 'syntax'],
    ['2001:db8::/129', 'syntax'],
    ['10.0.0.0/255.0.0.0', 'syntax'],
    ['10.0.0.0/-8', 'syntax'],
    ['10.0.0.0/+8', 'syntax'],
    ['10.0.0.0/8/8', 'syntax'],
    ['10.0.0.0/', 'syntax'],
    ['10/8', 'syntax'],
    ['1.2.3.4-2001:db8::1', 'mixed'],
    ['2001:db8::1-1.2.3.4', 'mixed'],
    ['::ffff:1.2.3.0/120', 'syntax'],
    ['::ffff:1.2.3.4-1.2.3.10', 'syntax'],
    ['::ffff:102:304', 'syntax'],
    ['::/64', 'mixed'],
    ['::1-::1:0:0:0', 'mixed'],
    ['', 'syntax'],
  ])('refuses %j: %s', (text, kind) => {
    expect(parseRange(text)).toMatchObject({ kind, reason: expect.stringMatching(/^'.*[^.]$/) });
  });

  test('names the block that host bits were set in', () => {
    expect(parseRange('10.0.0.5/24')).toMatchObject({
      reason: expect.stringMatching('10.0.0.0/24'),
    });
  });
});

describe('formatRange', () => {
  test('writes what parseRange reads back', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(anyRange, (some) => {
        expect(parseRange(formatRange(some))).toEqual(some);
      }),
      { seed: 1, numRuns: 3_000 },
    );
  });
});

describe('formatShortRange', () => {
  test.each(['10.0.0.1', '2001:db8::1', '10.0.0.0/31', '10.0.0.1-10.0.0.2'])(
    'writes %s',
    (text) => {
      expect(formatShortRange(aRange(text))).toBe(text);
    },
  );
});

describe('prefixLengths', () => {
  test.each([
    ['10.0.0.0/24', [24]],
    ['10.0.0.1-10.0.0.1', [32]],
    ['10.0.0.1-10.0.0.6', [32, 31, 31, 32]],
    ['10.0.0.0-10.0.0.5', [30, 31]],
    ['194.28.98.219-194.28.98.222', [32, 31, 32]],
    ['2001:db8::1-2001:db8::4', [128, 127, 128]],
    ['0.0.0.0-255.255.255.254', Array.from({ length: 32 }, (_, index) => index + 1)],
  ])('splits %s as MetalLB does', (text, lengths) => {
    expect(prefixLengths(aRange(text))).toEqual(lengths);
  });

  test('covers the range exactly with the fewest aligned blocks', { tags: 'slow' }, () => {
    fc.assert(
      fc.property(anyRange, (some) => {
        const { family } = some.from;
        let next = some.from.value;
        const sizes = prefixLengths(some).map(
          (length) => 1n << (BigInt(familyBits[family]) - BigInt(length)),
        );
        for (const [index, size] of sizes.entries()) {
          expect(next % size).toBe(0n);
          const sibling = sizes[index + 1];
          if (sibling === size) expect(next % (2n * size)).toBe(size);
          next += size;
        }
        expect(next).toBe(some.to.value + 1n);
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });
});

describe('rangeHas, rangesOverlap and compareRanges', () => {
  test('a range has its first and last address and none beside them', () => {
    const some = aRange('10.0.0.4-10.0.0.9');
    const has = ['10.0.0.3', '10.0.0.4', '10.0.0.9', '10.0.0.10', '::a00:5'].map((text) =>
      rangeHas(some, anAddress(text)),
    );
    expect(has).toEqual([false, true, true, false, false]);
  });

  test('ranges that touch do not overlap, nor do ranges of two families', () => {
    const some = aRange('10.0.0.4-10.0.0.9');
    const others = ['10.0.0.9-10.0.0.20', '10.0.0.10/31', '10.0.0.0/30', '10.0.0.5', '::a00:5'];
    const overlap = others.map((text) => rangesOverlap(some, aRange(text)));
    expect(overlap).toEqual([true, false, false, true, false]);
    expect(others.map((text) => rangesOverlap(aRange(text), some))).toEqual(overlap);
  });

  test('ranges are ordered by first address, then last, IPv4 before IPv6', () => {
    const texts = ['::/96', '10.0.0.0/8', '10.0.0.0/16', '9.0.0.0/8'];
    expect(texts.map(aRange).sort(compareRanges).map(formatRange)).toEqual([
      '9.0.0.0/8',
      '10.0.0.0/16',
      '10.0.0.0/8',
      '::/96',
    ]);
  });
});
