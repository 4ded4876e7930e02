import { describe, expect, test } from 'vitest';
import { PictureIndex } from '../../../../../src/features/page/browser/picture-index.ts';
import { Store } from '../../../../../src/features/page/browser/store.ts';
import { changeDays, pastIndex } from '../../../../../src/features/page/browser/timeline.ts';
import type { Picture, PicturePeriod } from '../../../../../src/features/page/picture-answer.ts';
import { hostnameAt, pictured } from '../../../../support/page/picture.ts';

const made = pictured([
  { pool: 'lab', range: '203.0.113.0/29', held: 3, reserved: ['203.0.113.0'] },
]);

/** A period of `shop/NAME` that began with the commit at this place. */
function period(by: number, name: string, released?: string): PicturePeriod {
  const holder = `lab/service/shop/${name}`;
  if (released === undefined) return { state: 'held', holder, event: 'given', by };
  return { state: 'released', holder, freeFrom: released, event: 'released', by };
}

const days = ['2026-01-05', '2026-03-01', '2026-03-01', '2026-06-01'];
const route = { service: 'web', port: 80, file: 'leases/shop/web.yaml:3' };
const picture: Picture = {
  ...made,
  hostnames: [hostnameAt('shop.example.com', { holder: 'lab/service/shop/blog', ...route })],
  past: {
    shallow: false,
    commits: days.map((day, at) => ({
      ...{ commit: String(at).repeat(40), at: `${day}T23:59:59Z` },
      ...{ author: 'Ann', subject: 'Lease' },
    })),
    addresses: [
      { address: '203.0.113.4', periods: [period(0, 'web'), period(1, 'web', '2026-03-08')] },
      {
        address: '203.0.113.2',
        periods: [period(2, 'dns'), { state: 'none', event: 'removed', by: 3 }],
      },
      { address: '203.0.113.0', periods: [period(3, 'gateway')] },
    ],
    hostnames: [
      { hostname: 'shop.example.com', periods: [period(0, 'web'), period(3, 'blog')] },
      { hostname: 'old.example.com', periods: [period(0, 'web'), period(1, 'web', '2026-03-08')] },
    ],
    ...{ pools: [], poolFiles: [] },
  },
};

/** The pools of a made-up picture, with nothing in use. */
const bare = (range: string, pool = 'lab') => pictured([{ pool, range, held: 0 }]).pools;
const [small, gone, whole] = [
  bare('203.0.113.0/30'),
  bare('192.0.2.0/30', 'gone'),
  bare('203.0.113.0/29'),
];
const draining = small.map((pool) => ({
  ...pool,
  state: 'draining' as const,
  families: pool.families.map((usage) => ({ ...usage, free: '0', draining: usage.free })),
}));
/** The pool was smaller, then draining beside one that is gone now, then as it is. */
const grown: Picture = {
  ...picture,
  past: {
    ...(picture.past as NonNullable<Picture['past']>),
    pools: [...small, ...draining, ...gone, ...whole],
    poolFiles: [
      { from: '2026-01-02', pools: [0] },
      { from: '2026-02-01', pools: [1, 2] },
      { from: '2026-05-01', pools: [3] },
    ],
  },
};

/** The pools of a day, as `pool state: addresses in use, free, draining`. */
function poolsOn(day: string): readonly string[] {
  return pastIndex(new PictureIndex(grown), day).picture.pools.map(({ pool, state, families }) => {
    const { ranges, held, retained, free, draining: kept = '-' } = families[0] ?? {};
    return `${pool} ${state} ${ranges}: ${Number(held) + Number(retained)} ${free} ${kept}`;
  });
}

/** The records of a day, as `address state name`. */
function recordsOn(day: string): readonly string[] {
  const { records } = pastIndex(new PictureIndex(picture), day);
  return records.map(
    ({ record, state }) => `${record.address} ${state} ${record.holder.split('/').at(-1)}`,
  );
}

describe('an earlier day', () => {
  test('has no hostname that waits for its record now', () => {
    const one = { hostname: 'new.example.com', holder: 'lab/namespace/shop', ...route };
    const now = new PictureIndex({ ...picture, waitingHostnames: [one] });
    expect(now.waitingFor('new.example.com')).toEqual([one]);
    expect(pastIndex(now, '2026-03-01').waitingFor('new.example.com')).toEqual([]);
  });

  test('is one on which records changed, or the day of the picture', () => {
    expect(changeDays(picture)).toEqual(['2026-01-05', '2026-03-01', '2026-06-01', '2026-11-20']);
    expect(
      changeDays({
        ...made,
        past: {
          shallow: false,
          commits: [],
          addresses: [],
          hostnames: [],
          pools: [],
          poolFiles: [],
        },
      }),
    ).toEqual(['2026-11-20']);
  });

  test.each([
    ['2026-01-04', []],
    ['2026-01-05', ['203.0.113.4 held web']],
    ['2026-03-01', ['203.0.113.2 held dns', '203.0.113.4 retained web']],
    ['2026-03-08', ['203.0.113.2 held dns', '203.0.113.4 free web']],
    ['2026-06-01', ['203.0.113.0 held gateway', '203.0.113.4 free web']],
  ])('%s has the records of its end', (day, records) => {
    expect(recordsOn(day)).toEqual(records);
  });

  test.each([
    ['2026-01-01', ['lab active 203.0.113.0/30: 0 4 -']],
    ['2026-01-05', ['lab active 203.0.113.0/30: 0 4 -']],
    ['2026-03-01', ['lab draining 203.0.113.0/30: 1 0 3', 'gone active 192.0.2.0/30: 0 4 -']],
    ['2026-06-01', ['lab active 203.0.113.0/29: 1 7 -']],
  ])('%s has its own pools, as they were in use then', (day, pools) => {
    expect(poolsOn(day)).toEqual(pools);
  });

  test('is also one on which the pool file changed', () => {
    expect(changeDays(grown)).toEqual([
      ...['2026-01-02', '2026-01-05', '2026-02-01', '2026-03-01', '2026-05-01', '2026-06-01'],
      '2026-11-20',
    ]);
  });

  test('says which pool had an address then', () => {
    const index = pastIndex(new PictureIndex(grown), '2026-03-01');
    expect(index.spaceOfText('192.0.2.1')?.pool.pool).toBe('gone');
    expect(index.spaceOfText('203.0.113.5')).toBeUndefined();
    expect(index.recordOf('203.0.113.2')?.record.pool).toBe('lab');
  });

  test('has its own counts; a reserved address that is held takes no free one', () => {
    const usageOn = (day: string) => {
      const index = pastIndex(new PictureIndex(picture), day);
      return index.picture.pools[0]?.families[0];
    };
    expect(usageOn('2026-03-01')).toMatchObject({
      held: '1',
      retained: '1',
      free: '5',
      percent: 28,
    });
    expect(usageOn('2026-06-01')).toMatchObject({
      held: '1',
      retained: '0',
      free: '7',
      percent: 0,
    });
  });

  test.each([
    ['2026-01-04', []],
    ['2026-01-05', ['shop.example.com held web', 'old.example.com held web']],
    ['2026-03-01', ['shop.example.com held web', 'old.example.com retained web']],
    ['2026-06-01', ['shop.example.com held blog', 'old.example.com free web']],
  ])('%s has the hostnames of its end', (day, hostnames) => {
    const found = pastIndex(new PictureIndex(picture), day).hostnames;
    expect(
      found.map(
        ({ record, state }) => `${record.hostname} ${state} ${record.holder.split('/').at(-1)}`,
      ),
    ).toEqual(hostnames);
  });

  test('has the route of a hostname if its holder of now had it then', () => {
    const routeOn = (day: string) =>
      pastIndex(new PictureIndex(picture), day).hostnameOf('shop.example.com')?.record.service;
    expect([routeOn('2026-01-05'), routeOn('2026-06-01')]).toEqual([undefined, 'web']);
  });

  test('has no forecast, and is known to be past', () => {
    const index = pastIndex(new PictureIndex(picture), '2026-03-01');
    expect(index.isPast).toBe(true);
    expect(index.picture).not.toHaveProperty('forecasts');
    expect(index.picture.day).toBe('2026-03-01');
  });
});

describe('a page that is still loading', () => {
  const { past, hostnames, ...now } = picture;
  const first = { ...now, hostnames: [], partial: true as const };
  const day = '2026-03-01';

  test('shows no earlier day before the history is there, and then the day of the link', () => {
    const store = new Store(new PictureIndex(first), undefined);
    store.look({ day });
    expect(store.index.isPast).toBe(false);
    store.replace(new PictureIndex(picture));
    expect(store.index.picture.day).toBe(day);
    expect(past && hostnames.length).toBeGreaterThan(0);
  });

  test('does not call new what comes with the rest, but what comes after it', () => {
    const store = new Store(new PictureIndex(first), undefined);
    store.replace(new PictureIndex(picture));
    expect(store.hostnameChanges.size).toBe(0);
    const [one] = hostnames;
    if (!one) throw new Error('no hostname');
    store.replace(
      new PictureIndex({
        ...picture,
        hostnames: [...hostnames, { ...one, hostname: 'next.example.com' }],
      }),
    );
    expect([...store.hostnameChanges.keys()]).toEqual(['next.example.com']);
  });
});
