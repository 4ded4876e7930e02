import { describe, expect, test } from 'vitest';
import { paintOf } from '../../../../src/core/text/print/problems-text.ts';
import {
  filteredList,
  type ListFilter,
  sortedList,
} from '../../../../src/features/list/list-query.ts';
import { listCsv, listTable } from '../../../../src/features/list/list-text.ts';
import type { List, ListItem } from '../../../../src/lib/list/list-answer.ts';

const held: ListItem = {
  holder: 'default/akash/akash1a-ip-web',
  cluster: 'default',
  pool: 'edge',
  zone: 'inet',
  addresses: ['203.0.113.7', '2001:db8::7'],
  state: 'held',
  since: '2026-01-02',
  announced: [{ by: 'l2', name: 'edge', interfaces: ['eth0'] }],
  claims: [80, 443].map((externalPort) => ({
    lease: 'akash1a/7/1/1/akash1p',
    namespace: 'ns',
    service: 'web',
    port: 8080,
    externalPort,
    protocol: 'TCP',
    file: 'leases/a.yaml:9',
  })),
};
const released: ListItem = {
  ...held,
  addresses: ['203.0.113.8'],
  state: 'released',
  freeFrom: '2026-01-09',
  claims: [],
};
const listOf = (...items: ListItem[]): List => ({
  apiVersion: 'leasehold.dev/v1',
  kind: 'List',
  day: '2026-01-08',
  items,
});

describe('the list', () => {
  test('a table has a line per holder, aligned, with no spaces at the end', () => {
    expect(listTable(listOf(held, released), { paint: paintOf(false) }).split('\n')).toEqual([
      'ADDRESS                  STATE                           POOL  ZONE  PORTS           HOLDER',
      '203.0.113.7,2001:db8::7  held                            edge  inet  80/TCP,443/TCP  default/akash/akash1a-ip-web',
      '203.0.113.8              released, free from 2026-01-09  edge  inet  -               default/akash/akash1a-ip-web',
      '',
    ]);
  });

  test('CSV has a line per claim, and one for a holder without claims', () => {
    const lines = listCsv(listOf(held, released)).split('\n');
    expect(lines).toHaveLength(5);
    expect(lines[1]).toBe(
      'default/akash/akash1a-ip-web,default,edge,inet,203.0.113.7 2001:db8::7,held,,akash1a/7/1/1/akash1p,ns,web,8080,80,TCP,leases/a.yaml:9,,L2 on eth0',
    );
    expect(lines[3]).toContain('released,2026-01-09,,,,,,,');
    expect(new Set(lines.slice(0, 4).map((line) => line.split(',').length))).toEqual(new Set([16]));
  });

  test('CSV cells are never formulas, and quotes are doubled', () => {
    const lines = listCsv(listOf({ ...released, pool: '=1+1', zone: 'a"b,c' })).split('\n');
    expect(lines[1]).toContain(`,'=1+1,"a""b,c",`);
  });

  test('-o wide has the namespaces, leases and files too', () => {
    const [head = '', line = ''] = listTable(listOf(held), {
      paint: paintOf(false),
      wide: true,
    }).split('\n');
    expect(head.split(/ +/).slice(-4)).toEqual(['NAMESPACE', 'LEASE', 'FILE', 'ANNOUNCED']);
    expect(line).toMatch(
      / 2026-01-02 .* ns +akash1a\/7\/1\/1\/akash1p +leases\/a\.yaml:9 +L2 on eth0$/,
    );
  });
});

const none: ListFilter = {
  ...{ pools: [], zones: [], namespaces: [], owners: [], announcedBy: [] },
  state: undefined,
  expiresWithin: undefined,
};
const shop: ListItem = {
  ...held,
  holder: 'default/service/shop/web',
  addresses: ['203.0.113.10'],
  since: '2025-12-31',
  pool: 'back',
  zone: 'lab',
  announced: [{ by: 'bgp', name: 'back', peers: ['tor-a'], communities: ['64500:100'] }],
  claims: [],
};
const free: ListItem = { ...released, addresses: ['203.0.113.9'], freeFrom: '2026-01-08' };
const all = listOf(held, released, shop, free);

describe('a filter of the list', () => {
  const found = (filter: Partial<ListFilter>) =>
    filteredList(all, { ...none, ...filter }).items.map(({ addresses }) => addresses[0]);

  test.each<[Partial<ListFilter>, readonly string[]]>([
    [{}, ['203.0.113.7', '203.0.113.8', '203.0.113.10', '203.0.113.9']],
    [{ pools: ['back'] }, ['203.0.113.10']],
    [{ pools: ['back', 'edge'], zones: ['lab'] }, ['203.0.113.10']],
    [{ namespaces: ['ns'] }, ['203.0.113.7']],
    [{ announcedBy: ['bgp'] }, ['203.0.113.10']],
    [{ announcedBy: ['64500:100', 'tor-a'] }, ['203.0.113.10']],
    [{ announcedBy: ['tor-a', 'eth0'] }, []],
    [{ namespaces: ['shop'] }, ['203.0.113.10']],
    [{ owners: ['default/shop'] }, ['203.0.113.10']],
    [{ owners: ['akash1a'] }, ['203.0.113.7', '203.0.113.8', '203.0.113.9']],
    [{ state: 'held' }, ['203.0.113.7', '203.0.113.10']],
    [{ state: 'released' }, ['203.0.113.8', '203.0.113.9']],
    [{ state: 'retained' }, ['203.0.113.8']],
    [{ expiresWithin: 0 }, []],
    [{ expiresWithin: 1 }, ['203.0.113.8']],
  ])('%j leaves %j', (filter, addresses) => {
    expect(found(filter)).toEqual(addresses);
  });
});

describe('the order of the list', () => {
  test.each([
    ['address', ['.7', '.8', '.9', '.10']],
    ['owner', ['.7', '.8', '.9', '.10']],
    ['pool', ['.10', '.7', '.8', '.9']],
    ['since', ['.10', '.7', '.8', '.9']],
    ['expires', ['.9', '.8', '.7', '.10']],
  ] as const)('by %s is %j', (order, ends) => {
    const sorted = sortedList(all, order).items.map(({ addresses }) => addresses[0]);
    expect(sorted).toEqual(ends.map((end) => `203.0.113${end}`));
  });
});
