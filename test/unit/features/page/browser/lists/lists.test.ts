import { describe, expect, test } from 'vitest';
import { csvOf } from '../../../../../../src/features/page/browser/export.ts';
import {
  filteredHostnames,
  filteredRecords,
  filterValues,
} from '../../../../../../src/features/page/browser/lists/filtered.ts';
import { freeList } from '../../../../../../src/features/page/browser/lists/free-list.ts';
import {
  clusterList,
  ownerList,
} from '../../../../../../src/features/page/browser/lists/group-lists.ts';
import {
  shownColumns,
  sortedRows,
} from '../../../../../../src/features/page/browser/lists/list.ts';
import {
  expiringList,
  hostnameList,
  leaseList,
} from '../../../../../../src/features/page/browser/lists/record-lists.ts';
import { ownerClasses, ownerText } from '../../../../../../src/features/page/browser/owners.ts';
import { PictureIndex } from '../../../../../../src/features/page/browser/picture-index.ts';
import { Store } from '../../../../../../src/features/page/browser/store.ts';
import type { View } from '../../../../../../src/features/page/browser/view.ts';
import type { Picture } from '../../../../../../src/features/page/picture-answer.ts';
import { hostnameAt, keptUntil, pictured, recordAt } from '../../../../../support/page/picture.ts';

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

  test('have a column of public addresses where a pool is behind a NAT', () => {
    const nat = [{ inside: '203.0.113.0/30', outside: '198.51.100.0/30' }];
    const pools = picture.pools.map((pool) => (pool.pool === 'lab' ? { ...pool, nat } : pool));
    const store = storeOf({}, { ...picture, pools });
    const columns = shownColumns(leaseList, store);
    const texts = leaseList.rows(store).map((row) => columns[1]?.text(row));
    expect(columns[1]?.name).toBe('Public');
    expect(texts).toEqual(['', '198.51.100.2', '198.51.100.3', '', '']);
    expect(shownColumns(leaseList, storeOf()).map(({ name }) => name)).not.toContain('Public');
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
    const columns = shownColumns(ownerList, storeOf());
    const texts = rows.map((row) => columns.map((column) => column.text(row)).join(' '));
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
      { name: 'lab', held: 3, retained: 2, hostnames: 0, owners: 3, pools: ['old', 'lab'] },
      { name: 'edge', held: 1, retained: 0, hostnames: 0, owners: 1, pools: ['lab'] },
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

describe('hostnames', () => {
  const route = { service: 'web', port: 80, file: 'leases/shop/web.yaml:3' };
  const hostnames = [
    hostnameAt('a.example.com', route),
    hostnameAt('b.example.com', keptUntil('2026-12-05')),
    hostnameAt('c.example.com', keptUntil('2026-11-20')),
    hostnameAt('d.example.com', { holder: 'edge/akash/akash1ann', since: '2025-01-01' }),
    hostnameAt('e.example.com', { holder: 'edge/namespace/blog' }),
  ];
  const shown: Picture = { ...picture, hostnames };
  const store = (view: Partial<View> = {}) => storeOf(view, shown);
  const names = (view: Partial<View>) =>
    filteredHostnames(store(view)).map(({ record }) => record.hostname[0]);

  test('are told with their holder, route, cluster, and since and until when', () => {
    const rows = hostnameList.rows(store());
    const texts = rows.map((row) => hostnameList.columns.map((column) => column.text(row)));
    expect(texts.slice(0, 3)).toEqual([
      ['a.example.com', 'held', 'lab/namespace/shop', 'web:80', 'lab', '2026-02-03'],
      ['b.example.com', 'retained until 2026-12-05', 'lab/namespace/shop', '', 'lab', '2026-02-03'],
      ['c.example.com', 'free', 'lab/namespace/shop', '', 'lab', '2026-02-03'],
    ]);
    expect(hostnameList.count(rows, store())).toBe('5 hostnames recorded');
  });

  test.each<[Partial<View>, readonly string[]]>([
    [{ filters: { state: 'retained' } }, ['b']],
    [{ filters: { owner: 'akash1ann' } }, ['d']],
    [{ filters: { owner: 'lab/shop', state: 'held' } }, ['a']],
    [{ filters: { cluster: 'edge' } }, ['d', 'e']],
    [{ filters: { cluster: 'edge' }, query: 'blog' }, ['e']],
    [{ filters: { pool: 'lab' } }, []],
    [{ filters: { zone: 'dc1' } }, []],
  ])('are limited by %j', (view, found) => {
    expect(names(view)).toEqual(found);
  });

  test('offer their owners and clusters as filters, also those without an address', () => {
    expect(filterValues(store(), 'owner')).toEqual(['lab/shop', 'akash1ann', 'edge/blog']);
    expect(filterValues(store(), 'cluster')).toEqual(['lab', 'edge']);
  });

  test('count for their owners and clusters beside the addresses', () => {
    const told = (list: typeof ownerList) =>
      list.rows(store()).map(({ name, held, hostnames: count }) => [name, held, count]);
    expect(told(ownerList)).toEqual([
      ['lab/shop', 1, 2],
      ['akash1ann', 1, 1],
      ['edge/blog', 0, 1],
    ]);
    expect(told(clusterList)).toEqual([
      ['lab', 2, 2],
      ['edge', 0, 2],
    ]);
  });

  test('have a column only where there are some', () => {
    const columns = (one: Store) => shownColumns(ownerList, one).map(({ name }) => name);
    expect(columns(store())).toContain('Hostnames');
    expect(columns(storeOf())).not.toContain('Hostnames');
  });
});
