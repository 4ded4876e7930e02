import { describe, expect, test } from 'vitest';
import type { Picture } from '../../../../src/features/picture/picture-answer.ts';
import { csvOf } from '../../../../src/page/export.ts';
import { filteredRecords, filterValues } from '../../../../src/page/lists/filtered.ts';
import { freeList } from '../../../../src/page/lists/free-list.ts';
import { clusterList, ownerList } from '../../../../src/page/lists/group-lists.ts';
import { hostnameList } from '../../../../src/page/lists/hostname-list.ts';
import { sortedRows } from '../../../../src/page/lists/list.ts';
import { expiringList, leaseList } from '../../../../src/page/lists/record-lists.ts';
import { ownerClasses, ownerText } from '../../../../src/page/owners.ts';
import { PictureIndex } from '../../../../src/page/picture-index.ts';
import { Store } from '../../../../src/page/store.ts';
import type { View } from '../../../../src/page/view.ts';
import { keptUntil, pictured, recordAt } from '../../../support/page/picture.ts';

const made = pictured([
  { pool: 'lab', range: '203.0.113.0/29', held: 0, reserved: ['203.0.113.1'] },
  { pool: 'old', range: '192.0.2.0/30', held: 0 },
]);
const ann = { holder: 'lab/akash/akash1ann-ip-web' };
const picture: Picture = {
  ...made,
  records: [
    recordAt('192.0.2.1', { pool: 'old', ...ann }),
    recordAt('203.0.113.2', { ...ann, ...keptUntil('2026-11-25') }),
    recordAt('203.0.113.3', { ...keptUntil('2026-11-22'), holder: 'lab/service/shop/web' }),
    recordAt('203.0.113.4', { ...keptUntil('2026-11-20'), holder: 'lab/service/shop/old' }),
    recordAt('203.0.113.5', { holder: 'lab/service/shop/web', since: '2026-01-01' }),
  ],
};

function storeOf(view: Partial<View> = {}, shown: Picture = picture): Store {
  const store = new Store(new PictureIndex(shown), undefined);
  store.look(view);
  return store;
}

/** The first column of a list. */
function listed(list: typeof freeList, store: Store): readonly string[] {
  return list.rows(store).map((row) => list.columns[0]?.text(row) ?? '');
}

describe('the free addresses', () => {
  test('are those of the pools, without reserved, held and retained ones', () => {
    const free = ['203.0.113.0', '203.0.113.4', '203.0.113.6', '203.0.113.7'];
    const all = [...free, '192.0.2.0', '192.0.2.2', '192.0.2.3'];
    expect(listed(freeList, storeOf())).toEqual(all);
    expect(listed(freeList, storeOf({ filters: { pool: 'lab' } }))).toEqual(free);
    expect(listed(freeList, storeOf({ query: '203.0.113.4/30' }))).toEqual(free.slice(1));
  });

  test('of a draining pool are none, and of one that avoids them none that end in .0 or .255', () => {
    const pools = picture.pools.map((pool) =>
      pool.pool === 'old'
        ? { ...pool, state: 'draining' as const }
        : { ...pool, avoidBuggyIPs: true },
    );
    const store = storeOf({}, { ...picture, pools });
    expect(listed(freeList, store)).toEqual(['203.0.113.4', '203.0.113.6', '203.0.113.7']);
    expect(freeList.count(freeList.rows(store), store)).toBe(
      '3 addresses are free in 1 pool; draining, so none from old',
    );
    const asked = storeOf({ filters: { zone: 'dc1', pool: 'lab' } }, { ...picture, pools });
    expect(freeList.count(freeList.rows(asked), asked)).toBe('3 addresses are free in 1 pool');
  });

  test('of a large pool are ranges', () => {
    const big = pictured([{ pool: 'big', range: '10.0.0.0/20', held: 1 }]);
    expect(listed(freeList, storeOf({}, big))).toEqual(['10.0.0.0/21', '10.0.8.1-10.0.15.255']);
  });
});

describe('records', () => {
  test.each<[View['filters'], readonly string[]]>([
    [{ state: 'held' }, ['192.0.2.1', '203.0.113.5']],
    [{ state: 'retained', pool: 'lab' }, ['203.0.113.2', '203.0.113.3']],
    [{ owner: 'akash1ann' }, ['192.0.2.1', '203.0.113.2']],
    [{ owner: 'lab/shop', state: 'free' }, ['203.0.113.4']],
    [{ zone: 'none' }, []],
  ])('are filtered by %j', (filters, addresses) => {
    const found = filteredRecords(storeOf({ filters })).map(({ record }) => record.address);
    expect(found).toEqual(addresses);
  });

  test('offer the values that they have, the most frequent first', () => {
    expect(filterValues(storeOf(), 'owner')).toEqual(['lab/shop', 'akash1ann']);
    expect(filterValues(storeOf(), 'zone')).toEqual(['dc1']);
  });

  test('are sorted by number where a column has numbers, and stay in order where it is equal', () => {
    const addresses = (column: string, isDescending: boolean) => {
      const store = storeOf({ sort: { column, isDescending } });
      const rows = sortedRows(leaseList, leaseList.rows(store), store);
      return rows.map(({ record }) => record.address.split('.').at(-1)).join('');
    };
    expect(addresses('address', true)).toBe('54321');
    expect(addresses('since', false)).toBe('51234');
    expect(addresses('no such column', true)).toBe('12345');
  });

  test('that expire come by day, and those of a week are counted', () => {
    const store = storeOf();
    const list = expiringList(store);
    const rows = list.rows(store);
    expect(rows.map(({ record }) => record.freeFrom)).toEqual(['2026-11-22', '2026-11-25']);
    expect(list.count(rows, store)).toBe('2 retained addresses, 2 free within 7 days');
  });

  test('count for their owners, the largest first', () => {
    const rows = ownerList.rows(storeOf());
    const texts = rows.map((row) => ownerList.columns.map((column) => column.text(row)).join(' '));
    expect(texts).toEqual(['akash1ann 1 1 old, lab', 'lab/shop 1 1 lab']);
  });
});

test('CSV has no line break, quote or formula that a spreadsheet would read', () => {
  expect(
    csvOf([
      ['a', 'b,c'],
      ['=1+1', 'say "hi"'],
      ['-2', 'x\ny'],
    ]),
  ).toBe('a,"b,c"\n\'=1+1,"say ""hi"""\n\'-2,x?y\n');
});

describe('an owner', () => {
  test('has the same color in every picture, and most owners have one of their own', () => {
    expect(ownerClasses('akash1ann')).toBe(ownerClasses('akash1ann'));
    const names = Array.from({ length: 400 }, (_, number) => `lab/tenant-${number}`);
    const counts = new Map<string, number>();
    for (const name of names) {
      const classes = ownerClasses(name);
      expect(classes).toMatch(/^owner c[0-7] p[0-3]$/);
      counts.set(classes, (counts.get(classes) ?? 0) + 1);
    }
    expect(counts.size).toBe(32);
    expect(Math.max(...counts.values())).toBeLessThan(30);
  });

  test('of Akash is shown without its middle', () => {
    expect(ownerText('akash1nwysyh885mvn9v50dc23x2ns6sp0wgu8at4n56')).toBe('akash1nwys…t4n56');
    expect(ownerText('lab/a-namespace-with-a-long-name')).toBe('lab/a-namespace-with-a-long-name');
  });
});

describe('the clusters', () => {
  const anycast = { holder: 'anycast/dns', cluster: 'lab,edge', claims: [] };
  const shown: Picture = {
    ...picture,
    holders: [...picture.holders, anycast],
    records: [...picture.records, recordAt('203.0.113.6', { holder: 'anycast/dns' })],
  };

  test('have the addresses in use, also those that no declaration names any more', () => {
    const store = storeOf({}, shown);
    expect(clusterList.rows(store)).toEqual([
      { name: 'lab', held: 3, retained: 2, owners: 3, pools: ['old', 'lab'] },
      { name: 'edge', held: 1, retained: 0, owners: 1, pools: ['lab'] },
    ]);
  });

  test('count an address of a group of clusters once', () => {
    const store = storeOf({}, shown);
    expect(clusterList.count(clusterList.rows(store), store)).toBe('2 clusters with 3 held');
  });

  test('are those of the other filters', () => {
    const store = storeOf({ filters: { pool: 'old' } }, shown);
    expect(clusterList.rows(store).map(({ name, held }) => [name, held])).toEqual([['lab', 1]]);
  });
});

describe('the hostnames', () => {
  const shop = { state: 'held', holder: 'lab/namespace/shop', since: '2026-01-01' } as const;
  const hostnames: NonNullable<Picture['hostnames']> = [
    {
      ...shop,
      hostname: '*.apps.example.com',
      service: 'web',
      port: 8080,
      file: 'leases/a.yaml:4',
    },
    {
      ...shop,
      hostname: 'blog.example.com',
      holder: 'edge/akash/akash1ann',
      service: 'blog',
      port: 80,
      lease: 'akash1ann/7/1/1/akash1provider',
    },
    {
      ...shop,
      hostname: 'old.example.com',
      state: 'released',
      released: { on: '2026-11-01', freeFrom: '2026-12-01' },
    },
  ];
  const named = (view: Partial<View> = {}) => storeOf(view, { ...picture, hostnames });
  const found = (view: Partial<View>) =>
    hostnameList.rows(named(view)).map(({ hostname }) => hostname);

  test('have their state, holder, Service and lease', () => {
    const rows = hostnameList.rows(named());
    expect(rows.map((row) => hostnameList.columns.map(({ text }) => text(row)))).toEqual([
      ['*.apps.example.com', 'held', 'lab/namespace/shop', 'web:8080', '2026-01-01'],
      [
        ...['blog.example.com', 'held', 'edge/akash/akash1ann'],
        ...['blog:80, lease akash1ann/7/1/1/akash1provider', '2026-01-01'],
      ],
      [
        ...['old.example.com', 'retained until 2026-12-01', 'lab/namespace/shop'],
        ...['', '2026-01-01'],
      ],
    ]);
    expect(hostnameList.count(rows, named())).toBe('3 hostnames recorded');
  });

  test.each([
    [{ filters: { state: 'retained' } }, ['old.example.com']],
    [{ filters: { cluster: 'edge' } }, ['blog.example.com']],
    [{ filters: { owner: 'lab/shop', state: 'held' } }, ['*.apps.example.com']],
    [{ filters: { owner: 'akash1ann' } }, ['blog.example.com']],
    [{ filters: { pool: 'lab' } }, []],
    [{ query: 'EXAMPLE.com blog' }, ['blog.example.com']],
    [{ query: 'akash1ann/7' }, ['blog.example.com']],
    [{ query: 'leases/a.yaml' }, ['*.apps.example.com']],
    [{ query: '2026-12-01' }, ['old.example.com']],
    [{ query: 'b.a.apps.example.com' }, ['*.apps.example.com']],
    [{ query: 'apps.example.org' }, []],
  ] as const)('are found by filters and words: %j', (view, expected) => {
    expect(found(view)).toEqual(expected);
  });

  test('count for the choices of a filter, also those of an owner or cluster without an address', () => {
    const store = named();
    expect(filterValues(store, 'cluster')).toEqual(expect.arrayContaining(['lab', 'edge']));
    expect(filterValues(storeOf(), 'cluster')).not.toContain('edge');
    expect(filterValues(store, 'owner')).toContain('akash1ann');
  });

  test('are not those of an earlier day', () => {
    const store = named({ day: '2026-11-01' });
    expect(hostnameList.rows(store)).toEqual([]);
    expect(hostnameList.count([], store)).toBe(
      'The hostnames of earlier days are not on this page.',
    );
  });
});
