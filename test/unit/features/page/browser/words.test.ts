import { expect, test } from 'vitest';
import type { Cell } from '../../../../../src/features/page/browser/map/cells.ts';
import { PictureIndex } from '../../../../../src/features/page/browser/picture-index.ts';
import {
  amountText,
  cellText,
  claimsText,
  countText,
} from '../../../../../src/features/page/browser/words.ts';
import type { ListClaim } from '../../../../../src/lib/list/list-answer.ts';
import { keptUntil, pictured, recordAt } from '../../../../support/page/picture.ts';

/** What the table says of one record with these claims. */
function told(claims: readonly ListClaim[], most: number): readonly string[] {
  const picture = pictured([{ pool: 'lab', range: '203.0.113.0/30', held: 1 }]);
  const holders = picture.holders.map((holder) => ({ ...holder, claims }));
  return new PictureIndex({ ...picture, holders }).records.map((record) =>
    claimsText(record, most),
  );
}

test('a claim is named where its address is held, not where one is kept for its holder', () => {
  const picture = pictured([{ pool: 'lab', range: '203.0.113.0/30', held: 1 }]);
  const kept = picture.records.map((record) => ({ ...record, ...keptUntil('2026-12-01') }));
  const [held, retained] = [picture.records, kept].map(
    (records) => new PictureIndex({ ...picture, records }).records[0],
  );
  expect(held && claimsText(held, 1)).toBe('20301132 web 443/TCP');
  expect(retained && claimsText(retained, 1)).toBe('');
});

test('the table names a claim of Akash by its dseq, and one of a Service by its namespace', () => {
  const claim: ListClaim = {
    ...{ namespace: 'shop', service: 'web', externalPort: 443, protocol: 'TCP' },
    file: 'leases/a.yaml:3',
  };
  const lease = 'akash1owner/18500001/1/1/akash1provider';
  expect(told([claim], 3)).toEqual(['shop/web 443/TCP']);
  expect(told([{ ...claim, lease, namespace: 'prbbqsqnmrgne4r6roah7' }], 3)).toEqual([
    '18500001 web 443/TCP',
  ]);
  expect(told([claim, claim], 2)).toEqual(['shop/web 443/TCP, shop/web 443/TCP']);
  expect(told([claim, claim, claim], 2)).toEqual(['shop/web 443/TCP, shop/web 443/TCP and 1 more']);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [9_999_999, '9,999,999'],
  [1_000_000_000, '1.00e9'],
  [1n << 30n, '1.07e9'],
  [(1n << 64n) - 1n, '1.84e19'],
  ['18446744073709551616', '1.84e19'],
])('the amount %s is written %s', (amount, text) => {
  expect(amountText(amount)).toBe(text);
});

test.each([
  [0, '0 addresses'],
  [1, '1 address'],
  [2, '2 addresses'],
])('of %d it says %s', (count, text) => {
  expect(countText(count, 'address', 'addresses')).toBe(text);
});

/** A cell of a map of which nothing is in use. */
function aCell(bits: number, more: Partial<Cell>): Cell {
  const block = { family: 'ipv4', from: 0xcb007110n, bits } as const;
  const counts = { held: 0, retained: 0, usable: 1n << BigInt(bits), owners: [] };
  const bare = { record: undefined, publicAddress: undefined };
  return { block, state: 'free', ...counts, ...bare, ...more };
}

test.each<[string, Partial<Cell>]>([
  ['203.0.113.16/28: 16 free', {}],
  ['203.0.113.16/28: 2 held, 14 free', { state: 'held', held: 2 }],
  ['203.0.113.16/28: 2 held, 14 retained, 0 free', { state: 'held', held: 2, retained: 14 }],
  ['203.0.113.16/28: 2 held, 0 free', { state: 'held', held: 2, usable: 1n }],
  ['203.0.113.16/28: reserved', { state: 'reserved', usable: 0n }],
  ['203.0.113.16/28: not in the pool', { state: 'outside', usable: 0n }],
])('a block of a map is told as %s', (text, cell) => {
  expect(cellText(aCell(4, cell))).toBe(text);
});

test.each<[string, Partial<Cell>]>([
  ['free', { state: 'free' }],
  ['reserved', { state: 'reserved' }],
  ['not in the pool', { state: 'outside' }],
  ['held by lab/akash1owner-ip-web', { state: 'held' }],
  ['retained for lab/akash1owner-ip-web until 2026-12-01', { state: 'retained' }],
])('an address of a map is told as %s', (text, { state = 'free' }) => {
  const kept = state === 'held' ? {} : keptUntil('2026-12-01');
  const records = [recordAt('203.0.113.16', kept)];
  const [record] = new PictureIndex({ ...pictured([]), records }).records;
  const recorded = state === 'outside' ? undefined : record;
  expect(cellText(aCell(0, { state, record: recorded }))).toBe(`203.0.113.16: ${text}`);
});

test('an address of a map behind a NAT is told with its public address', () => {
  const publicAddress = { family: 'ipv4', value: 0xc6336410n } as const;
  expect(cellText(aCell(0, { publicAddress }))).toBe(
    '203.0.113.16: free, public address 198.51.100.16',
  );
});
