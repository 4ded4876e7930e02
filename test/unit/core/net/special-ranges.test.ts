import { describe, expect, test } from 'vitest';
import { formatAddress } from '../../../../src/core/net/address.ts';
import { formatRange } from '../../../../src/core/net/range.ts';
import {
  blockEnds,
  linkLocalOf,
  unroutableReason,
} from '../../../../src/core/net/special-ranges.ts';
import { aRange } from '../../../support/declarations/pools-and-claims.ts';

describe('a range with addresses that cannot be assigned has', () => {
  test.each([
    ['0.0.0.0/8', '0.0.0.0/8'],
    ['0.255.255.255', '0.0.0.0/8'],
    ['127.0.0.1', '127.0.0.0/8'],
    ['126.0.0.0-128.0.0.0', '127.0.0.0/8'],
    ['224.0.0.0/4', '224.0.0.0/4'],
    ['223.255.255.255-224.0.0.0', '224.0.0.0/4'],
    ['239.255.255.255', '224.0.0.0/4'],
    ['240.0.0.0', '240.0.0.0/4'],
    ['255.255.255.255', '240.0.0.0/4'],
    ['::', '::/128'],
    ['::1', '::1/128'],
    ['::1-::5', '::1/128'],
    ['ff02::1', 'ff00::/8'],
    ['fe00::/7', 'ff00::/8'],
  ])('%s, of %s', (text, block) => {
    expect(unroutableReason(aRange(text))).toContain(` has addresses of ${block}, `);
  });

  test.each([
    '1.0.0.0/8',
    '126.0.0.0/8',
    '128.0.0.0/8',
    '223.255.255.0/24',
    '100.64.0.0/10',
    '169.254.0.0/16',
    '::2',
    '64:ff9b::/96',
    'fd00::/8',
    'fe80::/10',
    'fec0::/10',
  ])('not %s', (text) => {
    expect(unroutableReason(aRange(text))).toBeUndefined();
  });
});

test.each([
  ['169.254.7.0/24', '169.254.0.0/16'],
  ['169.0.0.0/8', '169.254.0.0/16'],
  ['fe80::1', 'fe80::/10'],
  ['169.253.255.255', undefined],
  ['fec0::/10', undefined],
])('%s is link-local of %s', (text, block) => {
  const found = linkLocalOf(aRange(text));
  expect(found && formatRange(found)).toBe(block);
});

test.each([
  ['203.0.113.0/27', ['203.0.113.0', '203.0.113.31']],
  ['203.0.113.0-203.0.113.3', ['203.0.113.0', '203.0.113.3']],
  ['2001:db8::/64', ['2001:db8::']],
  ['203.0.113.0/31', []],
  ['203.0.113.7', []],
  ['2001:db8::/127', []],
  ['203.0.113.1-203.0.113.30', []],
])('the ends of %s are %j', (text, ends) => {
  expect(blockEnds(aRange(text)).map(formatAddress)).toEqual(ends);
});
