import { describe, expect, test } from 'vitest';
import { formatAddress } from '../../../src/net/address.ts';
import { PictureIndex, searched, searchedAddress } from '../../../src/page/picture-index.ts';
import { keptUntil, pictured } from '../../support/page/picture.ts';

test('a holder waits that has claims and no address, also while one is kept for it', () => {
  const picture = pictured([{ pool: 'lab', range: '203.0.113.0/28', held: 3 }]);
  const [first, ...others] = picture.records;
  if (!first) throw new Error('no records');
  const waiting = (changed: Partial<typeof picture>) =>
    new PictureIndex({ ...picture, ...changed }).waiting();
  expect(waiting({})).toBe(0);
  expect(waiting({ records: others })).toBe(1);
  expect(waiting({ records: [{ ...first, ...keptUntil('2026-12-01') }, ...others] })).toBe(1);
  const holders = picture.holders.map((holder) => ({ ...holder, claims: [] }));
  expect(waiting({ records: [], holders })).toBe(0);
});

const { records } = new PictureIndex(
  pictured([
    { pool: 'lab', range: '203.0.113.0/24', held: 100 },
    { pool: 'six', range: '2001:db8:0:0:1::/124', held: 15 },
  ]),
);
const found = (text: string) => searched(records, text).map(({ record }) => record.address);

describe('a search', () => {
  test.each([
    ['', 115],
    ['  ', 115],
    ['203.0.113.0/27', 15],
    ['203.0.113.0-203.0.113.31', 15],
    ['203.0.113.0/27 lab', 15],
    ['203.0.113.0/27 six', 0],
    ['2001:DB8:0:0:1::/126', 3],
    ['AKASH1OWNER7-', 3],
    ['owner7- retained', 0],
    ['tenant- 443/tcp', 99],
    ['nobody', 0],
    ['0.0.0.0/0', 0],
    ['__proto__', 0],
    ['(', 0],
  ])('for %j finds %d', (text, count) => {
    expect(found(text).length).toBe(count);
  });

  test('for a whole address finds that one, and for the beginning of one all that begin so', () => {
    expect(found('203.0.113.1')).toEqual([]);
    expect(found('203.0.113.2')).toEqual(['203.0.113.2']);
    expect(found('203.0.113.20')).toEqual(['203.0.113.20']);
    expect(found('203.0.113.2 held').length).toBe(1);
    expect(found('203.0.113.').length).toBe(100);
  });

  test.each([
    '2001:db8::1:0:0:7',
    '2001:0DB8:0000:0000:0001:0000:0000:0007',
    '2001:db8:0:0:1:0:0:7',
  ])('takes IPv6 as it is written: %s', (text) => {
    expect(found(text)).toEqual(['2001:db8::1:0:0:7']);
  });

  test('for a number finds that number, or every number that contains its digits if there is none', () => {
    expect(found('20301132')).toEqual(['203.0.113.2']);
    expect(found('2030113').length).toBe(86);
    expect(found('20')).toEqual(['203.0.113.20', '203.0.113.42', '203.0.113.142']);
  });

  test.each([
    ['113.2', 7],
    ['203.0.113', 100],
    ['2001:db8::1:', 15],
    ['2001:db8::', 0],
  ])(
    'for a part of an address finds the addresses that contain it; a whole address matches itself only: %s',
    (text, count) => {
      expect(found(text).length).toBe(count);
    },
  );

  test('for an address without a record finds it in any spelling', () => {
    const address = searchedAddress(' 2001:DB8:0::0:99 ');
    expect(address && formatAddress(address)).toBe('2001:db8::99');
    expect(searchedAddress('203.0.113')).toBeUndefined();
  });
});
