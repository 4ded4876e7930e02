import { describe, expect, test } from 'vitest';
import { isRange, parseRange } from '../../../../../../src/core/net/range.ts';
import {
  changesBetween,
  changesIn,
} from '../../../../../../src/features/page/browser/comparison.ts';
import {
  blockText,
  firstSheet,
  sheetText,
  spaceBlocks,
  spaceSheets,
} from '../../../../../../src/features/page/browser/map/blocks.ts';
import { cellsOf, sheetCells } from '../../../../../../src/features/page/browser/map/cells.ts';
import {
  PictureIndex,
  type Space,
} from '../../../../../../src/features/page/browser/picture-index.ts';
import { Store } from '../../../../../../src/features/page/browser/store.ts';
import { type MadePool, pictured } from '../../../../../support/page/picture.ts';

function spaceOf(pool: MadePool): Space {
  const [space] = new PictureIndex(pictured([pool])).spaces;
  if (!space) throw new Error('no space');
  return space;
}

function rangeOf(text: string) {
  const range = parseRange(text);
  if (!isRange(range)) throw new Error(text);
  return range;
}

describe('the cells of a map', () => {
  test.each([
    ['203.0.113.0/24', 16, 256],
    ['203.0.113.0/28', 16, 16],
    ['203.0.113.7-203.0.113.9', 16, 16],
    ['10.0.0.0/22', 32, 1024],
    ['10.0.0.0/23', 16, 512],
    ['10.0.0.0/21', 8, 64],
    ['10.0.0.0/16', 32, 1024],
    ['203.0.113.6/31', 16, 16],
    ['10.0.0.0/12', 32, 1024],
    ['10.0.0.0/8', 32, 1024],
  ])('of %s are %d wide and %d in all', (range, columns, count) => {
    const space = spaceOf({ pool: 'lab', range, held: 1 });
    const [block] = spaceBlocks(space);
    if (!block) throw new Error('no block');
    const cells = cellsOf(space, block, 'fine');
    expect([cells.columns, cells.rows.flat().length]).toEqual([columns, count]);
    expect(cells.rows.flat().reduce((sum, { held }) => sum + held, 0)).toBe(1);
  });

  test('distinguish held, retained, reserved, free and foreign addresses', () => {
    const space = spaceOf({
      pool: 'lab',
      range: '203.0.113.0-203.0.113.11',
      held: 9,
      reserved: ['203.0.113.0'],
    });
    const [block] = spaceBlocks(space);
    if (!block) throw new Error('no block');
    const states = cellsOf(space, block, 'fine')
      .rows.flat()
      .map(({ state }) => state);
    expect(states).toEqual([
      'reserved',
      ...Array(6).fill('held'),
      'retained',
      ...Array(2).fill('held'),
      ...Array(2).fill('free'),
      ...Array(4).fill('outside'),
    ]);
  });

  test('of IPv6 are the blocks in use', () => {
    const [block] = spaceBlocks(spaceOf({ pool: 'six', range: '2001:db8::/64', held: 1 }));
    expect(block && blockText(block)).toBe('2001:db8:0:0:8000::/120');
  });
});

describe('a map', () => {
  test('is one of all ranges of a pool while they are small, the first with something in use else', () => {
    const { pool, ...space } = spaceOf({ pool: 'lab', range: '203.0.113.0/28', held: 1 });
    const ranges = ['10.0.0.0/28', '192.0.2.0/24', '203.0.113.0/28', '10.9.0.0/21'].map(rangeOf);
    const small = { ...space, pool, ranges: ranges.slice(0, 3) };
    expect(spaceSheets(small).map(sheetText)).toEqual(['3 ranges']);
    const cells = sheetCells(small, spaceSheets(small)[0] ?? [], 'fine');
    expect([cells.columns, cells.rows.length]).toEqual([16, 18]);
    const large = { ...space, pool, ranges };
    expect(spaceSheets(large).length).toBe(4);
    expect(sheetText(firstSheet(large) ?? [])).toBe('203.0.113.0/28');
  });
});

describe('a picture in the place of another', () => {
  const lab = { pool: 'lab', range: '203.0.113.0/24', held: 5 };
  const big = { pool: 'big', range: '10.0.0.0/20', held: 9 };
  const indexOf = (...pools: MadePool[]) => new PictureIndex(pictured(pools));

  test('keeps the part of the map, and falls back to what is seen first when its pool is gone', () => {
    const store = new Store(indexOf(lab, big), undefined);
    const space = store.spaces[1];
    if (!space) throw new Error('no space');
    store.open(space, spaceSheets(space)[0]);
    store.replace(indexOf(lab, { ...big, held: 10 }));
    expect(store.view.space).toEqual({ pool: 'big', family: 'ipv4' });
    store.replace(indexOf({ ...lab, held: 6 }));
    expect(store.view.space).toEqual({ pool: 'lab', family: 'ipv4' });
    expect(sheetText(store.view.trail[0] ?? [])).toBe('203.0.113.0/24');
    store.replace(indexOf());
    expect(store.view).toMatchObject({ space: undefined, trail: [] });
    store.replace(indexOf(big));
    expect(store.view.space).toEqual({ pool: 'big', family: 'ipv4' });
  });

  test('opens first on a pool of which something is in use', () => {
    const store = new Store(indexOf({ ...lab, held: 0 }, big), undefined);
    expect(store.view.space?.pool).toBe('big');
  });
});

describe('changes', () => {
  test('are allocations, releases, moves and forgotten records', () => {
    const all = pictured([{ pool: 'lab', range: '203.0.113.0/24', held: 10 }]);
    const [first, second, third] = all.records;
    if (!first || !second || !third) throw new Error('no records');
    const rest = all.records.slice(3);
    const before = new PictureIndex({ ...all, records: [first, second, ...rest] });
    const moved = { ...second, address: '203.0.113.250' };
    const kept = rest.filter(({ state }) => state === 'held');
    const after = new PictureIndex({ ...all, records: [third, ...kept, moved] });
    const changes = [...changesBetween(before, after).values()];
    const block = { family: 'ipv4', from: 0xcb007100n, bits: 7 } as const;
    expect(changesIn(changes, block)).toBe(3);
    const told = changes.map(({ address, kind }) => [address, kind]);
    expect(told).toEqual([
      [first.address, 'released'],
      [second.address, 'moved away'],
      [third.address, 'allocated'],
      [rest[3]?.address, 'forgotten'],
      ['203.0.113.250', 'moved here'],
    ]);
  });
});
