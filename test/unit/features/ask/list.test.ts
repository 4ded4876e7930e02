import { describe, expect, test } from 'vitest';
import { listCsv, listJson, listTable } from '../../../../src/features/ask/list.ts';
import type { List, ListItem } from '../../../../src/features/ask/list-answer.ts';

const held: ListItem = {
  holder: 'default/akash/akash1a-ip-web',
  cluster: 'default',
  pool: 'edge',
  zone: 'inet',
  addresses: ['203.0.113.7', '2001:db8::7'],
  state: 'held',
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
  items,
});

describe('the list', () => {
  test('a table has a line per holder, aligned, with no spaces at the end', () => {
    expect(listTable(listOf(held, released)).split('\n')).toEqual([
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
      'default/akash/akash1a-ip-web,default,edge,inet,203.0.113.7 2001:db8::7,held,,akash1a/7/1/1/akash1p,ns,web,8080,80,TCP,leases/a.yaml:9',
    );
    expect(lines[3]).toContain('released,2026-01-09,,,,,,,');
    expect(new Set(lines.slice(0, 4).map((line) => line.split(',').length))).toEqual(new Set([14]));
  });

  test('CSV cells are never formulas, and quotes are doubled', () => {
    const lines = listCsv(listOf({ ...released, pool: '=1+1', zone: 'a"b,c' })).split('\n');
    expect(lines[1]).toContain(`,'=1+1,"a""b,c",`);
  });

  test('JSON parses to the same value', () => {
    expect(JSON.parse(listJson(listOf(held, released)))).toEqual(listOf(held, released));
  });
});
