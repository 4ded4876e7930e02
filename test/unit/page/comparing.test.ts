import { describe, expect, test } from 'vitest';
import type { Picture } from '../../../src/features/picture/picture-answer.ts';
import { sheetCells } from '../../../src/page/map/cells.ts';
import { sheetText, spaceSheets } from '../../../src/page/map/space-blocks.ts';
import { PictureIndex } from '../../../src/page/picture-index.ts';
import { poolChanges } from '../../../src/page/pool-changes.ts';
import { Store } from '../../../src/page/store.ts';
import { type MadePool, pictured } from '../../support/pictured.ts';

const lab = { pool: 'lab', range: '203.0.113.0/28', held: 5 };
const indexOf = (...pools: MadePool[]) => new PictureIndex(pictured(pools));

/** A picture whose first pool has one more range, without a lease in it. */
function widened(picture: Picture, range: string): PictureIndex {
  const [first, ...others] = picture.pools;
  if (!first) throw new Error('no pool');
  const families = first.families.map((family) => ({
    ...family,
    ranges: [...family.ranges, range],
  }));
  return new PictureIndex({ ...picture, pools: [{ ...first, families }, ...others] });
}

/** The words of each cell's state on a side, and how many there are of it. */
function statesIn(store: Store, index: PictureIndex): Readonly<Record<string, number>> {
  const space = store.spaceIn(index);
  const sheet = store.view.trail.at(-1);
  if (!space || !sheet) throw new Error('no map');
  const counts: Record<string, number> = {};
  for (const { state } of sheetCells(space, sheet).rows.flat())
    counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

describe('two states that are compared', () => {
  test('have a map of a range that only the one before has: afterwards it is not in the pool', () => {
    const [before, after] = [widened(pictured([lab]), '10.0.0.0/20'), indexOf(lab)];
    const store = new Store(after, before);
    const [space] = store.spaces;
    const sheets = space ? spaceSheets(space) : [];
    expect(sheets.map(sheetText)).toEqual(['10.0.0.0/20', '203.0.113.0/28']);
    if (space) store.open(space, sheets[0]);
    expect(statesIn(store, before)).toEqual({ free: 256 });
    expect(statesIn(store, after)).toEqual({ outside: 256 });
  });

  test('have a map of a pool that is removed, and of one that is new', () => {
    const gone = { pool: 'gone', range: '192.0.2.0/28', held: 3 };
    const fresh = { pool: 'fresh', range: '198.51.100.0/28', held: 2 };
    const [before, after] = [indexOf(lab, gone), indexOf(lab, fresh)];
    const store = new Store(after, before);
    expect(store.spaces.map(({ pool }) => pool.pool)).toEqual(['lab', 'fresh', 'gone']);
    const [, added, removed] = store.spaces;
    if (!added || !removed) throw new Error('no spaces');
    store.open(removed, spaceSheets(removed)[0]);
    expect(statesIn(store, before)).toEqual({ held: 3, free: 13 });
    expect(statesIn(store, after)).toEqual({ outside: 16 });
    store.open(added, spaceSheets(added)[0]);
    expect(statesIn(store, before)).toEqual({ outside: 16 });
    expect(statesIn(store, after)).toEqual({ held: 2, free: 14 });
  });

  test('of a pool with another name have one map, and of a name that another pool took two', () => {
    const [before, after] = [indexOf(lab), indexOf({ ...lab, pool: 'office', held: 4 })];
    const renamed = new Store(after, before);
    expect(renamed.spaces.map(({ pool }) => pool.pool)).toEqual(['office']);
    expect(statesIn(renamed, before)).toEqual({ held: 5, free: 11 });
    expect(statesIn(renamed, after)).toEqual({ held: 4, free: 12 });
    const other = { pool: 'other', range: '192.0.2.0/28', held: 1 };
    const taken = new Store(indexOf({ ...other, pool: 'lab' }), indexOf(lab, other));
    expect(
      taken.both.map(({ space, was, is }) => [space.pool.pool, was?.pool.pool, is?.pool.pool]),
    ).toEqual([
      ['lab', 'lab', 'lab'],
      ['other', 'other', undefined],
    ]);
  });

  test('of a pool that has its name still have no other name for it, whoever took its ranges', () => {
    const elsewhere = { pool: 'lab', range: '192.0.2.0/28', held: 1 };
    const { both } = new Store(indexOf(elsewhere, { ...lab, pool: 'office' }), indexOf(lab));
    expect(both.map(({ was, is }) => [was?.pool.pool, is?.pool.pool])).toEqual([
      ['lab', 'lab'],
      [undefined, 'office'],
    ]);
  });

  test.each<[string, readonly MadePool[], readonly MadePool[], readonly string[]]>([
    ['the same', [lab], [lab], []],
    ['another number of leases', [lab], [{ ...lab, held: 1 }], []],
    ['none', [lab], [], ['Pool lab is removed (203.0.113.0/28)']],
    ['one', [], [lab], ['Pool lab is new (203.0.113.0/28)']],
    [
      'another name',
      [lab],
      [{ ...lab, pool: 'office' }],
      ['Pool lab is called office now (203.0.113.0/28)'],
    ],
    [
      'another range',
      [lab],
      [{ ...lab, range: '192.0.2.0/28' }],
      ['Pool lab: no longer 203.0.113.0/28; newly 192.0.2.0/28'],
    ],
    [
      'another name, and reserved addresses',
      [lab],
      [{ ...lab, pool: 'office', reserved: ['203.0.113.15'] }],
      [
        'Pool lab is called office now (203.0.113.0/28)',
        'Pool office: newly reserved 203.0.113.15',
      ],
    ],
    [
      'names that no record of ours has by itself',
      [{ ...lab, pool: '__proto__' }],
      [{ ...lab, pool: 'constructor' }],
      ['Pool __proto__ is called constructor now (203.0.113.0/28)'],
    ],
  ])('tell pools in words: %s', (_, before, after, told) => {
    expect(poolChanges(indexOf(...before), indexOf(...after))).toEqual(told);
  });
});
