import { describe, expect, test } from 'vitest';
import { claimsOfService } from '../../../../src/core/declarations/claims.ts';
import { holdersOf } from '../../../../src/core/declarations/holders.ts';
import type { Claim } from '../../../../src/core/model/claim.ts';
import type { LeaseHostname, ServiceHostname } from '../../../../src/core/model/hostname.ts';
import type { DeclaredService } from '../../../../src/core/model/service.ts';
import { policyRefusals } from '../../../../src/core/tree/policy-refusals.ts';
import { aLeaseHostname } from '../../../support/allocations/hostname-records.ts';
import {
  aTable,
  poolsWith,
  poolWith,
  promiseWith,
  theHolders,
} from '../../../support/allocations/tables.ts';
import { thePolicy } from '../../../support/declarations/policies.ts';
import { aClaim, alice, anAddress, bob } from '../../../support/declarations/pools-and-claims.ts';
import { aService } from '../../../support/declarations/services.ts';

const pools = poolsWith(
  poolWith(),
  poolWith({ name: 'more', addresses: ['198.51.100.0/28'] }),
  poolWith({ name: 'edge', zone: 'edge', addresses: ['192.0.2.0/28'] }),
);
const at = { file: 'leases/shop/a.yaml', line: 9, column: 7 };

/** The refusals for claims and Services in `leases/shop`, whose tenant has the fields `rest`. */
function refused(
  rest: string,
  claims: readonly Claim[],
  { table = aTable(), services = [] as readonly DeclaredService[] } = {},
): readonly string[] {
  const policy = thePolicy(`tenants: [{ name: shop, folders: [leases/shop], ${rest} }]`, pools);
  const all = [...claims, ...services.flatMap((one) => claimsOfService(one, []))];
  const holders = theHolders(pools, ...all);
  const subject = { pools, leases: [], renames: [], hostnames: [], services, holders, table };
  return policyRefusals(policy, subject).map(({ message }) => message);
}

/** A Service of two ports, in the tenant's folder. */
function inFolder(changes: Partial<DeclaredService> = {}): DeclaredService {
  const port = (number: number) => ({ port: number, targetPort: number, protocol: 'TCP' as const });
  return aService({ name: 'front', ports: [port(80), port(443)], at, ...changes });
}

/** A Hostname of the namespace `blog`, in the tenant's folder. */
function aHostname(changes: Partial<ServiceHostname> = {}): ServiceHostname {
  return {
    kind: 'Hostname',
    cluster: 'default',
    namespace: 'blog',
    service: 'web',
    port: 80,
    hostname: 'blog.example.com',
    holder: 'default/namespace/blog',
    at,
    ...changes,
  };
}

describe('policyRefusals', () => {
  test('of a promise are those of its owner, cluster and zone', () => {
    const promise = promiseWith(alice, { zone: 'edge', at });
    const holders = holdersOf({ claims: [], promises: [promise] }, pools);
    const policy = thePolicy(
      `tenants: [{ name: shop, folders: [leases/shop], owners: [${bob}], zones: [inet] }]`,
      pools,
    );
    const subject = {
      pools,
      leases: [],
      renames: [],
      hostnames: [],
      services: [],
      table: aTable(),
    };
    const refusals = policyRefusals(policy, {
      ...subject,
      holders: holders.ok ? holders.value : [],
    });
    expect(refusals.map(({ message }) => message)).toEqual([
      `tenant shop may declare leases of owner ${bob} only, but the promise for myip until 2026-01-31 belongs to ${alice}`,
      'tenant shop may take addresses of zone inet only, but the promise for myip until 2026-01-31 gets one of zone edge',
    ]);
  });

  const owners = `owners: [${alice}]`;

  test('nothing in a file of the operators', () => {
    const other = { ...at, file: 'leases/shopping/a.yaml' };
    expect(refused('ports: [443]', [aClaim({ at: other })])).toEqual([]);
  });

  test('leases of other owners, and all leases when no owner is listed', () => {
    expect(refused(owners, [aClaim({ at })])).toEqual([]);
    expect(refused(owners, [aClaim({ at, lease: { owner: bob } })])).toEqual([
      `tenant shop may declare leases of owner ${alice} only, but web 80/TCP belongs to ${bob}`,
    ]);
    expect(refused('ports: [80]', [aClaim({ at })])).toEqual([
      `tenant shop may declare leases of no owner, but web 80/TCP belongs to ${alice}`,
    ]);
  });

  test('ports outside the ranges, which include both ends', () => {
    const opens = (port: number) =>
      refused(`${owners}, ports: [80, 8000-8999]`, [aClaim({ at, externalPort: port })]).length;
    expect([79, 80, 81, 7999, 8000, 8999, 9000].map(opens)).toEqual([1, 0, 1, 1, 0, 0, 1]);
  });

  test('the zone of an address, from the claim, its pool, its pin, another claim of the holder, or the default', () => {
    const inet = `${owners}, zones: [inet]`;
    const refusal =
      'tenant shop may take addresses of zone inet only, but web 80/TCP gets one of zone edge';
    expect(refused(inet, [aClaim({ at })])).toEqual([]);
    expect(refused(inet, [aClaim({ at, zone: 'edge' })])).toEqual([refusal]);
    expect(refused(inet, [aClaim({ at, pool: 'edge' })])).toEqual([refusal]);
    const pins = [{ address: anAddress('192.0.2.3'), at }];
    expect(refused(inet, [aClaim({ at, pins })])).toEqual([refusal]);
    const elsewhere = { ...at, file: 'leases/b.yaml' };
    const neighbour = aClaim({ at: elsewhere, service: 'api', externalPort: 81, zone: 'edge' });
    expect(refused(inet, [aClaim({ at }), neighbour])).toEqual([refusal]);
    expect(refused(`${owners}, zones: [edge]`, [aClaim({ at })])).toHaveLength(1);
  });

  test('the pool of an address; without an address, every pool that it may come from', () => {
    const first = `${owners}, pools: [default]`;
    expect(refused(first, [aClaim({ at })])).toEqual([
      'tenant shop may take addresses of pool default only, but web 80/TCP may get one of pool more',
    ]);
    expect(refused(first, [aClaim({ at, pool: 'default' })])).toEqual([]);
    const pins = [{ address: anAddress('198.51.100.3'), at }];
    expect(refused(first, [aClaim({ at, pins })])).toEqual([
      'tenant shop may take addresses of pool default only, but web 80/TCP gets one of pool more',
    ]);
    const allowed = [{ address: anAddress('203.0.113.3'), at }];
    expect(refused(first, [aClaim({ at, pins: allowed })])).toEqual([]);
    const records = aTable(['203.0.113.3']);
    const held = new Map(
      [...records].map(([key, record]) => [key, { ...record, holder: aClaim().holder }]),
    );
    expect(refused(first, [aClaim({ at })], { table: held })).toEqual([]);
  });

  test('clusters', () => {
    const policy = thePolicy(
      `tenants: [{ name: shop, folders: [leases/shop], owners: [${alice}], clusters: [prod] }]`,
    );
    const holders = theHolders(pools, aClaim({ at }));
    const subject = {
      pools,
      leases: [],
      renames: [],
      hostnames: [],
      services: [],
      holders,
      table: aTable(),
    };
    expect(policyRefusals(policy, subject).map(({ message }) => message)).toEqual([
      'tenant shop may declare in cluster prod only, but web 80/TCP is in cluster default',
    ]);
  });

  test('namespaces of Services, once for each Service, also without an address', () => {
    const allowed = 'namespaces: [default/shop, blog]';
    expect(refused(allowed, [], { services: [inFolder()] })).toEqual([]);
    expect(refused(allowed, [], { services: [inFolder({ namespace: 'blog' })] })).toEqual([]);
    const refusal =
      'tenant shop may declare Services of namespaces default/shop, blog only, but Service front is in namespace default/kube-system';
    for (const isLeased of [true, false]) {
      const service = inFolder({ namespace: 'kube-system', isLeased });
      expect(refused(allowed, [], { services: [service] })).toEqual([refusal]);
    }
    expect(refused(owners, [], { services: [inFolder()] })).toHaveLength(1);
  });

  test('namespaces of hostnames', () => {
    const policy = thePolicy(
      'tenants: [{ name: shop, folders: [leases/shop], namespaces: [default/shop] }]',
    );
    const hostname = aHostname();
    const subject = {
      pools,
      leases: [],
      renames: [],
      hostnames: [hostname],
      services: [],
      holders: [],
    };
    const problems = policyRefusals(policy, { ...subject, table: aTable() });
    expect(problems.map(({ message }) => message)).toEqual([
      'tenant shop may declare hostnames of namespace default/shop only, but Hostname blog.example.com is in namespace default/blog',
    ]);
  });

  test.each([
    ['[shop.example.com]', 'shop.example.com', true],
    ['[shop.example.com]', 'a.shop.example.com', false],
    ['[shop.example.com]', '*.shop.example.com', false],
    ['[blog.example.com, "*.example.com"]', 'blog.example.com', true],
    ['["*.example.com"]', 'a.b.example.com', true],
    ['["*.example.com"]', '*.example.com', true],
    ['["*.example.com"]', '*.a.example.com', true],
    ['["*.example.com"]', 'example.com', false],
    ['["*.example.com"]', 'badexample.com', false],
    ['["*.a.example.com"]', '*.example.com', false],
  ])('names of hostnames: with %s, %s is allowed: %j', (hostnames, hostname, isAllowed) => {
    const policy = thePolicy(
      `tenants: [{ name: shop, folders: [leases/shop], namespaces: [shop], hostnames: ${hostnames} }]`,
    );
    const subject = { pools, leases: [], renames: [], services: [], holders: [], table: aTable() };
    const one = aHostname({ hostname, namespace: 'shop' });
    const problems = policyRefusals(policy, { ...subject, hostnames: [one] });
    expect(problems.map(({ code }) => code)).toEqual(isAllowed ? [] : ['POLICY_REFUSED']);
  });

  test('owners and names of hostnames of leases', () => {
    const policy = thePolicy(
      `tenants: [{ name: shop, folders: [leases/shop], owners: [${bob}], hostnames: ['*.example.org'] }]`,
      pools,
    );
    const noOthers = { pools, leases: [], renames: [], services: [], holders: [], table: aTable() };
    const one = aLeaseHostname('shop.example.com', { at });
    const refusalsOf = (one: LeaseHostname) =>
      policyRefusals(policy, { ...noOthers, hostnames: [one] }).map(({ message }) => message);
    expect(refusalsOf(one)).toEqual([
      'tenant shop may declare hostname *.example.org only, but shop.example.com is not among them',
      `tenant shop may declare leases of owner ${bob} only, but shop.example.com belongs to ${alice}`,
    ]);
    const own = aLeaseHostname('shop.example.org', { at, lease: { owner: bob } });
    expect(refusalsOf(own)).toEqual([]);
  });

  test('names of hostnames, with the places of the hostname and of the field', () => {
    const policy = thePolicy(`tenants:
  - name: shop
    folders: [leases/shop]
    namespaces: [shop]
    hostnames: [shop.example.com, '*.shop.example.org']
`);
    const subject = { pools, leases: [], renames: [], services: [], holders: [], table: aTable() };
    const hostnames = [aHostname({ namespace: 'shop' })];
    expect(policyRefusals(policy, { ...subject, hostnames })).toEqual([
      {
        code: 'POLICY_REFUSED',
        message:
          'tenant shop may declare hostnames shop.example.com, *.shop.example.org only, but Hostname blog.example.com is not among them',
        at,
        also: [expect.objectContaining({ file: 'leases/policy.yaml', line: 7 })],
        hint: 'ask the operators to change leases/policy.yaml in their own pull request',
      },
    ]);
  });

  test('DNS names of addresses, each once at its own place', () => {
    const policy = thePolicy(
      `tenants: [{ name: shop, folders: [leases/shop], owners: [${alice}], hostnames: ['*.example.org'] }]`,
      pools,
    );
    const names = ['www.example.org', 'www.example.com'].map((name, index) => ({
      name,
      at: { ...at, line: 20 + index },
    }));
    const claims = [443, 80].map((externalPort) => aClaim({ at, externalPort, dns: names }));
    const holders = theHolders(pools, ...claims);
    const subject = {
      pools,
      leases: [],
      renames: [],
      hostnames: [],
      services: [],
      holders,
      table: aTable(),
    };
    expect(policyRefusals(policy, subject)).toMatchObject([
      {
        at: { line: 21 },
        message:
          'tenant shop may declare hostname *.example.org only, but DNS name www.example.com is not among them',
      },
    ]);
  });

  test('each claim and field separately, with the line of the policy', () => {
    const policy = thePolicy(
      `tenants:\n  - name: shop\n    folders: [leases/shop]\n    zones: [edge]\n    ports: [443]\n`,
    );
    const holders = theHolders(pools, aClaim({ at }));
    const subject = {
      pools,
      leases: [],
      renames: [],
      hostnames: [],
      services: [],
      holders,
      table: aTable(),
    };
    const problems = policyRefusals(policy, subject);
    expect(problems.map((problem) => problem.also?.[0]?.line)).toEqual([4, 7, 6]);
    expect(problems.every((problem) => problem.at === at)).toBe(true);
  });
});

test.each([
  ['default/service/shop/web', 'default/service/shop/front', []],
  [
    'default/service/blog/web',
    'default/service/shop/web',
    ['default/service/blog/web is in namespace'],
  ],
  [
    'default/shared/shop/web',
    'default/shared/blog/web',
    ['default/shared/blog/web is in namespace'],
  ],
  ['default/namespace/shop', 'default/namespace/blog', ['default/namespace/blog is in namespace']],
  [`default/akash/${alice}-ip-a`, `default/akash/${alice}-ip-b`, []],
  [`default/akash/${bob}-ip-a`, `default/akash/${alice}-ip-b`, [`belongs to ${bob}`]],
  [`default/akash/${alice}`, `default/akash/${bob}`, [`belongs to ${bob}`]],
  ['anycast/dns', 'anycast/names', ['anycast/dns is a group', 'anycast/names is a group']],
  ['east/service/shop/a', 'east/service/shop/b', ['in cluster east', 'in cluster east']],
])('a Rename of %s to %s names only what its tenant may declare', (from, to, reasons) => {
  const fields = `namespaces: [default/shop, east/shop], owners: [${alice}], clusters: [default]`;
  const policy = thePolicy(`tenants: [{ name: shop, folders: [leases/shop], ${fields} }]`);
  const nothing = { leases: [], services: [], hostnames: [], holders: [], table: aTable() };
  const subject = { pools, ...nothing, renames: [{ from, to, at }] };
  const found = policyRefusals(policy, subject);
  expect(found.map(({ message }) => message)).toEqual(
    reasons.map((reason) => expect.stringContaining(reason)),
  );
  const other = { ...subject, renames: [{ from, to, at: { ...at, file: 'leases/ops/r.yaml' } }] };
  expect(policyRefusals(policy, other)).toEqual([]);
});
