import { describe, expect, test } from 'vitest';
import { formatAddress } from '../../../../../src/core/net/address.ts';
import { PictureIndex } from '../../../../../src/features/page/browser/picture-index.ts';
import {
  searched,
  searchedAddress,
  searchedHostnames,
} from '../../../../../src/features/page/browser/search.ts';
import { hostnameAt, keptUntil, pictured } from '../../../../support/page/picture.ts';

const made = pictured([
  { pool: 'lab', range: '203.0.113.0/24', held: 100 },
  { pool: 'six', range: '2001:db8:0:0:1::/124', held: 15 },
]);
const past = made.past && {
  ...made.past,
  commits: made.past.commits.map((commit) => ({ ...commit, author: 'Ann Berg' })),
};
const index = new PictureIndex({ ...made, ...(past ? { past } : {}) });
const found = (text: string) => searched(index, text).map(({ record }) => record.address);

describe('a search', () => {
  test.each([
    ['', 115],
    ['  ', 115],
    ['203.0.113.0/27', 15],
    ['203.0.113.0-203.0.113.31', 15],
    ['203.0.113.0/27 lab', 15],
    ['203.0.113.0/27 six', 0],
    ['2001:DB8:0:0:1::/126', 3],
    ['AKASH1OWNER7-', 3],
    ['owner7- retained', 0],
    ['retained', 16],
    ['dc1', 115],
    ['2026-02', 115],
    ['BERG 2026-01-02', 5],
    ['berg six', 0],
    ['tenant- 443/tcp', 99],
    ['nobody', 0],
    ['0.0.0.0/0', 0],
    ['__proto__', 0],
    ['(', 0],
  ])('for %j finds %d', (text, count) => {
    expect(found(text).length).toBe(count);
  });

  test('for a whole address finds that one, and for the beginning of one all that begin so', () => {
    expect(found('203.0.113.1')).toEqual([]);
    expect(found('203.0.113.2')).toEqual(['203.0.113.2']);
    expect(found('203.0.113.20')).toEqual(['203.0.113.20']);
    expect(found('203.0.113.2 held').length).toBe(1);
    expect(found('203.0.113.').length).toBe(100);
  });

  test.each([
    '2001:db8::1:0:0:7',
    '2001:0DB8:0000:0000:0001:0000:0000:0007',
    '2001:db8:0:0:1:0:0:7',
  ])('takes IPv6 as it is written: %s', (text) => {
    expect(found(text)).toEqual(['2001:db8::1:0:0:7']);
  });

  test('for a number finds that number, or every number that contains its digits if there is none', () => {
    expect(found('20301132')).toEqual(['203.0.113.2']);
    expect(found('2030113').length).toBe(86);
    expect(found('20')).toEqual(['203.0.113.20', '203.0.113.42', '203.0.113.142']);
  });

  test.each([
    ['113.2', 7],
    ['203.0.113', 100],
    ['2001:db8::1:', 15],
    ['2001:db8::', 0],
  ])(
    'for a part of an address finds the addresses that contain it; a whole address matches itself only: %s',
    (text, count) => {
      expect(found(text).length).toBe(count);
    },
  );

  test('for an address without a record finds it in any spelling', () => {
    const address = searchedAddress(' 2001:DB8:0::0:99 ');
    expect(address && formatAddress(address)).toBe('2001:db8::99');
    expect(searchedAddress('203.0.113')).toBeUndefined();
  });
});

test('a search for a DNS name finds the address of the claim that has it', () => {
  const holders = made.holders.map((holder) => ({
    ...holder,
    claims: holder.claims.map((claim) => ({
      ...claim,
      dns: [`${claim.namespace}.example.com`, 'all.example.com'],
    })),
  }));
  const named = new PictureIndex({ ...made, holders });
  const addresses = searched(named, 'Tenant-20301132.example.com');
  expect(addresses.map(({ record }) => record.address)).toEqual(['203.0.113.2']);
  expect(searched(named, 'all.example.com').length).toBe(99);
});

describe('a search for hostnames', () => {
  const lease = 'akash1ann/18500001/1/1/akash1provider';
  const hostnames = [
    hostnameAt('*.shop.example.com', { service: 'web', port: 80, file: 'leases/shop.yaml:3' }),
    hostnameAt('blog.example.org', {
      holder: 'edge/akash/akash1ann',
      service: 'ghost',
      port: 2368,
      lease,
    }),
    hostnameAt('old.example.org', { ...keptUntil('2026-12-05'), since: '2025-05-05' }),
  ];
  const commits = [{ commit: 'f', at: '2026-06-07T10:00:00Z', author: 'Bo Lind', subject: 'Blog' }];
  const periods = [
    { state: 'held', holder: 'edge/akash/akash1ann', event: 'given', by: 0 },
  ] as const;
  const past = {
    shallow: false,
    commits,
    ...{ addresses: [], pools: [], poolFiles: [] },
    hostnames: [{ hostname: 'blog.example.org', periods }],
  };
  const named = new PictureIndex({ ...made, hostnames, past });
  const hostnamesFound = (text: string) =>
    searchedHostnames(named, text).map(({ record }) => record.hostname.split('.example')[0]);

  test.each([
    ['', ['*.shop', 'blog', 'old']],
    ['BLOG.example.org', ['blog']],
    ['example.org', ['blog', 'old']],
    ['a.shop.example.com', ['*.shop']],
    ['b.a.shop.example.com', ['*.shop']],
    ['shop.example.com', ['*.shop']],
    ['a.example.com', []],
    ['retained', ['old']],
    ['2026-12-05', ['old']],
    ['lab/namespace/shop', ['*.shop', 'old']],
    ['shop/web:80', ['*.shop']],
    ['akash1ann edge', ['blog']],
    ['18500001', ['blog']],
    ['leases/shop.yaml', ['*.shop']],
    ['lind 2026-06-07', ['blog']],
    ['203.0.113.0/24', []],
    ['203.0.113.2', []],
    ['0.0.0.0/0', []],
    ['__proto__', []],
  ])('for %j finds %j', (text, expected) => {
    expect(hostnamesFound(text)).toEqual(expected);
  });
});

describe('behind a NAT', () => {
  const behind = new PictureIndex(
    pictured([
      {
        ...{ pool: 'home', range: '192.168.4.16/28', held: 15 },
        nat: [{ inside: '192.168.4.16/29', outside: '203.0.113.64/29' }],
      },
      {
        ...{ pool: 'one', range: '10.0.0.0/29', held: 7 },
        nat: [{ inside: '10.0.0.0/29', outside: '198.51.100.9' }],
      },
    ]),
  );

  test.each([
    ['203.0.113.65', ['192.168.4.17']],
    ['203.0.113.64/30', ['192.168.4.17', '192.168.4.18', '192.168.4.19']],
    ['192.168.4.17', ['192.168.4.17']],
    ['203.0.113.72', []],
  ])('a search for %s finds the addresses that it leads to', (text, addresses) => {
    const records = searched(behind, text).map(({ record }) => record.address);
    expect(records).toEqual(addresses);
  });

  test('a search for the one address of all, or for a part of public ones, finds all', () => {
    expect(searched(behind, '198.51.100.9').length).toBe(7);
    expect(searched(behind, '203.0.113.').length).toBe(7);
  });
});
