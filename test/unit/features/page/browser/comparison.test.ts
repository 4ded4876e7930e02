import { describe, expect, test } from 'vitest';
import {
  changesBetween,
  changesIn,
  changeText,
  hostnameChangesBetween,
  kindCounts,
  poolChanges,
} from '../../../../../src/features/page/browser/comparison.ts';
import { sheetText, spaceSheets } from '../../../../../src/features/page/browser/map/blocks.ts';
import { sheetCells } from '../../../../../src/features/page/browser/map/cells.ts';
import { PictureIndex } from '../../../../../src/features/page/browser/picture-index.ts';
import { Store } from '../../../../../src/features/page/browser/store.ts';
import type {
  Picture,
  PictureHostname,
  PictureRecord,
} from '../../../../../src/features/page/picture-answer.ts';
import {
  hostnameAt,
  keptUntil,
  type MadePool,
  pictured,
  recordAt,
} from '../../../../support/page/picture.ts';

/** A store that compares two states, without a plan. */
function compared(after: PictureIndex, before: PictureIndex): Store {
  return new Store(after, { before, plan: undefined });
}

type Records = readonly PictureRecord[];

const indexOf = (records: Records) => new PictureIndex({ ...pictured([]), records });
const changesOf = (before: Records, after: Records) => [
  ...changesBetween(indexOf(before), indexOf(after)).values(),
];

const held = recordAt('203.0.113.7');
const kept = recordAt('203.0.113.7', keptUntil('2026-12-01'));
const ofBob = recordAt('203.0.113.7', { holder: 'lab/akash1bob-ip-web' });
const elsewhere = recordAt('203.0.113.9');
const six = recordAt('2001:db8::7');

describe('a change of an address', () => {
  test.each<[string, Records, Records, readonly string[]]>([
    ['nothing', [], [], []],
    ['the same holder', [held], [{ ...held, since: '2026-05-01' }], []],
    ['another holder', [held], [ofBob], ['203.0.113.7 given on']],
    ['a new record', [], [held], ['203.0.113.7 allocated']],
    ['what was kept is held', [kept], [held], ['203.0.113.7 allocated']],
    ['what was held is kept', [held], [kept], ['203.0.113.7 released']],
    ['no record of what was held', [held], [], ['203.0.113.7 released']],
    ['no record of what was kept', [kept], [], ['203.0.113.7 forgotten']],
    ['it is kept longer', [kept], [{ ...kept, freeFrom: '2027-01-01' }], []],
    ['a record of what is kept only', [], [kept], []],
    [
      'another address',
      [held],
      [kept, elsewhere],
      ['203.0.113.7 moved away to 203.0.113.9', '203.0.113.9 moved here from 203.0.113.7'],
    ],
    [
      'an address of the other family',
      [held],
      [six],
      ['203.0.113.7 released', '2001:db8::7 allocated'],
    ],
    [
      'another address, where one that was kept goes',
      [kept],
      [elsewhere],
      ['203.0.113.7 forgotten', '203.0.113.9 allocated'],
    ],
    [
      'the address of somebody else, for one that is lost',
      [ofBob, elsewhere],
      [held],
      ['203.0.113.7 given on', '203.0.113.9 released'],
    ],
  ])('is told of %s', (_, before, after, told) => {
    const changes = changesOf(before, after);
    expect(changes.map((change) => `${change.address} ${changeText(change)}`)).toEqual(told);
  });

  test('counts for the block that it lies in, from its first to its last address', () => {
    const changes = changesOf([], [recordAt('203.0.113.16'), recordAt('203.0.113.31'), six]);
    const from = 0xcb007110n;
    const count = (first: bigint, bits: number) =>
      changesIn(changes, { family: 'ipv4', from: first, bits });
    expect([count(from, 4), count(from, 0), count(from + 15n, 0)]).toEqual([2, 1, 1]);
    expect([count(from + 16n, 4), count(from - 16n, 4), count(0n, 32)]).toEqual([0, 0, 2]);
    expect(changesIn(changes, { family: 'ipv6', from: 0n, bits: 128 })).toBe(1);
    expect(changesIn([], { family: 'ipv4', from, bits: 4 })).toBe(0);
  });
});

const web = hostnameAt('web.example.com');
const webKept = hostnameAt('web.example.com', keptUntil('2026-12-01'));
const webOfBlog = hostnameAt('web.example.com', { holder: 'lab/namespace/blog' });
const api = hostnameAt('api.example.com');

describe('a change of a hostname', () => {
  const indexWith = (hostnames: readonly PictureHostname[]) =>
    new PictureIndex({ ...pictured([]), hostnames });

  test.each<[string, readonly PictureHostname[], readonly PictureHostname[], readonly string[]]>([
    ['the same holder', [web], [{ ...web, service: 'shop', port: 80 }], []],
    ['a new record', [], [web], ['web.example.com allocated']],
    ['what was held is kept', [web], [webKept], ['web.example.com released']],
    ['another holder', [web], [webOfBlog], ['web.example.com given on']],
    ['no record of what was kept', [webKept], [], ['web.example.com forgotten']],
    [
      'another hostname of the same holder',
      [web],
      [api],
      ['api.example.com allocated', 'web.example.com released'],
    ],
  ])('is told of %s', (_, before, after, told) => {
    const changes = [...hostnameChangesBetween(indexWith(before), indexWith(after)).values()];
    expect(changes.map((change) => `${change.hostname} ${changeText(change)}`)).toEqual(told);
  });

  test('counts apart from the addresses', () => {
    const store = compared(indexWith([web, api]), indexWith([webKept]));
    expect(store.changes.size).toBe(0);
    expect(kindCounts([...store.hostnameChanges.values()])).toBe('2 allocated');
    expect(store.changeOf('api.example.com')?.kind).toBe('allocated');
  });

  test('that arrives is known until the marks are cleared', () => {
    const store = new Store(indexWith([web]), undefined);
    store.replace(indexWith([web, api]));
    expect([...store.hostnameChanges.keys()]).toEqual(['api.example.com']);
    store.settle();
    expect(store.hostnameChanges.size).toBe(0);
  });
});

const lab = { pool: 'lab', range: '203.0.113.0/28', held: 5 };
const indexOfPools = (...pools: MadePool[]) => new PictureIndex(pictured(pools));

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
  for (const { state } of sheetCells(space, sheet, 'fine').rows.flat())
    counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

describe('two states that are compared', () => {
  test('have a map of a range that only the one before has: afterwards it is not in the pool', () => {
    const [before, after] = [widened(pictured([lab]), '10.0.0.0/20'), indexOfPools(lab)];
    const store = compared(after, before);
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
    const [before, after] = [indexOfPools(lab, gone), indexOfPools(lab, fresh)];
    const store = compared(after, before);
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
    const [before, after] = [indexOfPools(lab), indexOfPools({ ...lab, pool: 'office', held: 4 })];
    const renamed = compared(after, before);
    expect(renamed.spaces.map(({ pool }) => pool.pool)).toEqual(['office']);
    expect(statesIn(renamed, before)).toEqual({ held: 5, free: 11 });
    expect(statesIn(renamed, after)).toEqual({ held: 4, free: 12 });
    const other = { pool: 'other', range: '192.0.2.0/28', held: 1 };
    const taken = compared(indexOfPools({ ...other, pool: 'lab' }), indexOfPools(lab, other));
    expect(
      taken.both.map(({ space, was, is }) => [space.pool.pool, was?.pool.pool, is?.pool.pool]),
    ).toEqual([
      ['lab', 'lab', 'lab'],
      ['other', 'other', undefined],
    ]);
  });

  test('show no rename for a pool that keeps its name, even if another pool took its ranges', () => {
    const elsewhere = { pool: 'lab', range: '192.0.2.0/28', held: 1 };
    const { both } = compared(
      indexOfPools(elsewhere, { ...lab, pool: 'office' }),
      indexOfPools(lab),
    );
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
      'another NAT',
      [{ ...lab, nat: [{ inside: '203.0.113.0/29', outside: '192.0.2.0/29' }] }],
      [{ ...lab, nat: [{ inside: '203.0.113.0/29', outside: '192.0.2.1' }] }],
      [
        'Pool lab: no longer behind NAT 203.0.113.0/29 as 192.0.2.0/29; newly behind NAT 203.0.113.0/29 as 192.0.2.1',
      ],
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
    expect(poolChanges(indexOfPools(...before), indexOfPools(...after))).toEqual(told);
  });
});

test('the rules of a pool and how it is announced are compared, field by field', () => {
  const was = pictured([lab]);
  const [pool] = was.pools;
  if (!pool) throw new Error('a picture without a pool');
  const announced = [{ by: 'bgp' as const, name: 'lab', peers: ['tor-a'] }] as const;
  const rules = {
    retentionDays: 30,
    strategy: 'lowest',
    fence: 'open',
    clusters: ['east'],
  } as const;
  const is = { ...was, pools: [{ ...pool, ...rules, announced }] };
  expect(poolChanges(new PictureIndex(was), new PictureIndex(is))).toEqual([
    'Pool lab: retentionDays 1 before, 30 now; strategy spread before, lowest now; fence closed before, open now; clusters all before, east now; announced L2 before, BGP to tor-a now',
  ]);
});
