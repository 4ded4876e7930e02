import { describe, expect, test } from 'vitest';
import {
  blockHas,
  blockText,
  enclosing,
  firstSheet,
  recordsIn,
  sheetText,
  spaceSheets,
} from '../../../../../../src/features/page/browser/map/blocks.ts';
import {
  PictureIndex,
  type Space,
} from '../../../../../../src/features/page/browser/picture-index.ts';
import { Store } from '../../../../../../src/features/page/browser/store.ts';
import type { PictureRecord } from '../../../../../../src/features/page/picture-answer.ts';
import { keptUntil, pictured, recordAt } from '../../../../../support/page/picture.ts';

/** A picture of one pool with these ranges. */
function indexOf(ranges: readonly string[], records: readonly PictureRecord[] = []): PictureIndex {
  const picture = pictured([{ pool: 'lab', range: '192.0.2.0/24', held: 0 }]);
  const pools = picture.pools.map((pool) => ({
    ...pool,
    families: pool.families.map((family) => ({ ...family, ranges })),
  }));
  return new PictureIndex({ ...picture, pools, records });
}

function spaceOf(...given: Parameters<typeof indexOf>): Space {
  const [space] = indexOf(...given).spaces;
  if (!space) throw new Error('no space');
  return space;
}

const sheetsOf = (...ranges: readonly string[]) => spaceSheets(spaceOf(ranges)).map(sheetText);

describe('the maps of a pool', () => {
  test('are one of the ranges that lie in one /24, and one of those that overlap', () => {
    expect(sheetsOf('10.0.0.0/28', '10.0.0.240/28')).toEqual(['10.0.0.0/24']);
    expect(sheetsOf('10.0.0.240/28', '10.0.1.0/28')).toEqual(['2 ranges']);
    expect(sheetsOf('10.0.0.0/20', '10.0.9.0/28')).toEqual(['10.0.0.0/20']);
  });

  test('are one of 1,024 addresses, and of more one for each range', () => {
    const ranges = ['10.0.0.0/24', '10.0.2.0/24', '10.0.4.0/24', '10.0.6.0/24'];
    expect(sheetsOf(...ranges)).toEqual(['4 ranges']);
    expect(sheetsOf(...ranges, '10.0.8.0/28')).toHaveLength(5);
  });

  test('begin with the first of a pool of which nothing is in use', () => {
    const ranges = ['10.0.0.0/21', '10.9.0.0/21'];
    const records = [recordAt('10.9.0.1', keptUntil('2026-11-20')), recordAt('10.0.0.1')];
    expect(sheetText(firstSheet(spaceOf(ranges)) ?? [])).toBe('10.0.0.0/21');
    expect(sheetText(firstSheet(spaceOf(ranges, records)) ?? [])).toBe('10.0.0.0/21');
  });

  test('are absent for a pool without ranges, which is not shown', () => {
    expect(firstSheet(spaceOf([]))).toBeUndefined();
    const { view, space } = new Store(indexOf([]), undefined);
    expect([view.trail, space?.ranges]).toEqual([[], []]);
  });
});

describe('a block', () => {
  const address = { family: 'ipv4', value: 0x0a000010n } as const;

  test('is of one address, or from its first to its last one', () => {
    const alone = enclosing(address, address.value, 0);
    expect([alone.bits, blockText(alone)]).toEqual([0, '10.0.0.16']);
    const block = enclosing(address, address.value + 1n, 0);
    expect([block.bits, blockText(block)]).toEqual([1, '10.0.0.16/31']);
    const has = (value: bigint) => blockHas(block, { ...address, value });
    expect([15n, 16n, 17n, 18n].map((last) => has(0x0a000000n + last))).toEqual([
      false,
      true,
      true,
      false,
    ]);
    expect(blockHas(block, { family: 'ipv6', value: address.value })).toBe(false);
  });

  test('has the records from its first to its last address', () => {
    const records = ['10.0.0.15', '10.0.0.16', '10.0.0.19', '10.0.0.20'].map((one) =>
      recordAt(one),
    );
    const space = spaceOf(['10.0.0.0/24'], records);
    const found = recordsIn(space.records, { family: 'ipv4', from: address.value, bits: 2 });
    expect(found.map(({ record }) => record.address)).toEqual(['10.0.0.16', '10.0.0.19']);
  });
});
