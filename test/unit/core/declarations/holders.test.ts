import { describe, expect, test } from 'vitest';
import { claimsOfLease, claimsOfService } from '../../../../src/core/declarations/claims.ts';
import { holdersOf } from '../../../../src/core/declarations/holders.ts';
import type { Claim } from '../../../../src/core/model/claim.ts';
import type { IPFamily, Lease } from '../../../../src/core/model/lease.ts';
import { startOf } from '../../../../src/core/model/problem.ts';
import { formatAddress } from '../../../../src/core/net/address.ts';
import {
  became,
  holdersOfServices,
  keyOf,
  keysOf,
  type ServiceWords,
  signed,
} from '../../../support/allocations/owned-records.ts';
import {
  claimWith,
  holderId,
  poolsWith,
  poolWith,
  theHolders,
} from '../../../support/allocations/tables.ts';
import { anAddress } from '../../../support/declarations/pools-and-claims.ts';
import { serviceClaim } from '../../../support/declarations/service-claims.ts';
import { aService } from '../../../support/declarations/services.ts';

const pools = poolsWith(
  poolWith({ name: 'a', zone: 'inet' }),
  poolWith({ name: 'b', zone: 'inet', addresses: ['198.51.100.0/28'] }),
  poolWith({ name: 'c', zone: 'lab', addresses: ['192.0.2.0/28'] }),
);

const group = {
  name: 'dns',
  members: [{ cluster: 'default', namespace: 'shop', service: 'b' }],
  at: startOf('leases/pools.yaml'),
};

function pinOf(text: string) {
  return { address: anAddress(text), at: startOf('leases/shop/web.yaml') };
}

function problemsOf(...claims: readonly Claim[]) {
  const outcome = holdersOf({ claims, promises: [] }, pools);
  return outcome.ok ? [] : outcome.problems;
}

function codesOf(...claims: readonly Claim[]) {
  return problemsOf(...claims).map(({ code, at }) => `${code} ${at.file}:${at.line}`);
}

describe('claimsOfLease', () => {
  test('endpoints with the same owner and name have one holder, also in several leases', () => {
    const lease = (dseq: string): Lease => ({
      id: { owner: 'akash1owner', dseq, gseq: 1, oseq: 1, provider: 'akash1provider' },
      cluster: 'east',
      endpoints: ['myip', 'other'].map((name) => ({
        name,
        service: 'web',
        port: 8080,
        externalPort: 80,
        protocol: 'TCP',
        zone: undefined,
        pool: undefined,
        advertisement: undefined,
        ipFamily: 'ipv4',
        address: undefined,
        dns: [],
        retentionDays: 3,
        selector: undefined,
        liveSharingKey: undefined,
        at: { file: `leases/${dseq}.yaml`, line: 7, column: 5 },
      })),
      hosts: [],
      at: { file: `leases/${dseq}.yaml`, line: 1, column: 1 },
    });
    const claims = [...claimsOfLease(lease('1')), ...claimsOfLease(lease('2'))];
    expect(claims.map(({ holder }) => holder)).toEqual([
      'east/akash/akash1owner-ip-myip',
      'east/akash/akash1owner-ip-other',
      'east/akash/akash1owner-ip-myip',
      'east/akash/akash1owner-ip-other',
    ]);
    expect(claims[0]).toMatchObject({ externalPort: 80, port: 8080, retentionDays: 3 });
  });
});

describe('holdersOf', () => {
  test('claims of one holder are merged, in order', () => {
    const [holder, ...others] = theHolders(
      pools,
      claimWith({ dseq: '2', port: 443, ipFamily: 'ipv6', retain: 5 }),
      claimWith({ dseq: '1', port: 80, ipFamily: 'ipv4', zone: 'inet', retain: 2 }),
      claimWith({ dseq: '1', port: 53, protocol: 'UDP', pool: 'b', pin: '198.51.100.3' }),
    );
    expect(others).toEqual([]);
    expect(holder).toMatchObject({
      id: holderId('alice'),
      families: ['ipv4', 'ipv6'],
      zone: 'inet',
      pool: 'b',
      retentionDays: 5,
    });
    expect(holder?.claims.map(({ externalPort }) => externalPort)).toEqual([53, 80, 443]);
    expect(holder?.pins.map(({ address }) => formatAddress(address))).toEqual(['198.51.100.3']);
  });

  test('holders are in the order of their ids', () => {
    const names = ['bob', 'alice', 'Carol', 'bob2', 'b'].map((name) => claimWith({ name }));
    expect(theHolders(pools, ...names).map(({ id }) => id)).toEqual(
      ['Carol', 'alice', 'b', 'bob', 'bob2'].map(holderId),
    );
  });

  test('one dual claim needs both families, and pins are in the order of the families', () => {
    const [holder] = theHolders(
      pools,
      claimWith({ port: 1, ipFamily: 'dual', pin: '2001:db8::1' }),
      claimWith({ port: 2, pin: '203.0.113.1' }),
    );
    expect(holder?.families).toEqual(['ipv4', 'ipv6']);
    expect(holder?.pins.map(({ address }) => address.family)).toEqual(['ipv4', 'ipv6']);
  });

  test('two claims on one port in two files are PORT_TAKEN, which names both places', () => {
    const problems = problemsOf(
      claimWith({ dseq: '1', file: 'leases/one.yaml', line: 4 }),
      claimWith({ dseq: '2', file: 'leases/two.yaml', line: 9 }),
    );
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'PORT_TAKEN',
        message: expect.stringContaining('leases/one.yaml:4:1'),
        at: { file: 'leases/two.yaml', line: 9, column: 1 },
        also: [{ file: 'leases/one.yaml', line: 4, column: 1 }],
      }),
    ]);
  });

  test('the same port with another protocol, or of another holder, is accepted', () => {
    expect(
      codesOf(claimWith(), claimWith({ protocol: 'UDP' }), claimWith({ name: 'bob' })),
    ).toEqual([]);
  });

  test.each<[readonly IPFamily[], readonly string[]]>([
    [['ipv4', 'ipv6'], []],
    [['ipv4', 'ipv4'], ['s1']],
    [['ipv6', 'ipv4', 'ipv6'], ['s2']],
    [['dual', 'ipv6'], ['s1']],
    [['ipv4', 'ipv6', 'dual'], ['s2']],
  ])('a port of Services is taken for each family: %j', (families, clashing) => {
    const services = families.map((ipFamily, index) =>
      aService({ name: `s${index}`, sharingKey: 'k', ipFamily }),
    );
    expect(problemsOf(...services.flatMap((service) => claimsOfService(service, [])))).toEqual(
      clashing.map((name) =>
        expect.objectContaining({ code: 'PORT_TAKEN', at: startOf(`leases/shop/${name}.yaml`) }),
      ),
    );
  });

  test('one port of an endpoint is taken in both families: its ProviderLeasedIP has one name', () => {
    expect(codesOf(claimWith({ dseq: '1' }), claimWith({ dseq: '2', ipFamily: 'ipv6' }))).toEqual([
      'PORT_TAKEN leases/alice-2.yaml:1',
    ]);
  });

  test('three claims on one port are two problems, both with the place of the first', () => {
    const problems = problemsOf(...['1', '2', '3'].map((dseq) => claimWith({ dseq })));
    expect(problems.map(({ at, also }) => [at.file, also?.[0]?.file])).toEqual([
      ['leases/alice-2.yaml', 'leases/alice-1.yaml'],
      ['leases/alice-3.yaml', 'leases/alice-1.yaml'],
    ]);
  });

  test.each([
    ['pool', { pool: 'a' }, { pool: 'b' }],
    ['zone', { zone: 'inet' }, { zone: 'lab' }],
    ['zone', { pool: 'a' }, { zone: 'lab' }],
    ['zone', { zone: 'lab' }, { pool: 'b' }],
    ['address', { pin: '203.0.113.1' }, { pin: '203.0.113.2' }],
    ['address', { pin: '2001:db8::1' }, { pin: '2001:db8::2' }],
  ])('two values of the %s are HOLDER_CONFLICT, which names both places', (field, one, other) => {
    const problems = problemsOf(
      claimWith({ ...one, port: 1, line: 3 }),
      claimWith({ ...other, port: 2, line: 5 }),
    );
    expect(problems).toEqual([
      expect.objectContaining({
        code: 'HOLDER_CONFLICT',
        message: expect.stringContaining(field),
        at: expect.objectContaining({ line: 5 }),
        also: [expect.objectContaining({ line: 3 })],
      }),
    ]);
  });

  test('HOLDER_CONFLICT is reported once for a holder, however many ports and Services conflict', () => {
    const a = { name: 'a', sharingKey: 'dns', zone: 'inet' };
    const b = { ...a, name: 'b', zone: 'lab' };
    const c = { ...b, name: 'c', pins: [pinOf('192.0.2.1')] };
    const d = { ...a, name: 'd', pins: [pinOf('203.0.113.1')] };
    const problems = problemsOf(
      ...[a, a, b, b, c, c, d].map((words, port) => serviceClaim({ ...words, port })),
    );
    expect(problems).toEqual([
      {
        code: 'HOLDER_CONFLICT',
        message:
          "Service 'b' shares one address, but b 2/TCP has zone lab and a 0/TCP has zone inet, and 1 more differ; d 6/TCP has address 203.0.113.1 and c 4/TCP has address 192.0.2.1",
        at: startOf('leases/shop/b.yaml'),
        also: ['a', 'c', 'd'].map((name) => startOf(`leases/shop/${name}.yaml`)),
        hint: 'use the same zone and address in all of them, or set it in one only; or give it another sharing key so that it gets its own address',
      },
    ]);
  });

  test.each([
    ['of a lease', claimWith({ zone: 'lab' }), 'give it another endpoint name'],
    ['of a group', serviceClaim({ zone: 'lab', name: 'b' }, [group]), 'take it out of its group'],
  ])('the hint for a conflicting claim %s tells how to leave the address', (_, claim, hint) => {
    const other = { ...claim, zone: 'inet', externalPort: 81 };
    expect(problemsOf(claim, other)[0]?.hint).toContain(`; or ${hint}`);
  });

  test('a claim without pool, zone and pin follows the others', () => {
    const claims = [
      claimWith({ port: 1 }),
      claimWith({ port: 2, pool: 'b', zone: 'inet', pin: '198.51.100.3' }),
      claimWith({ port: 3, pin: '2001:db8::1', ipFamily: 'ipv6' }),
    ];
    expect(codesOf(...claims)).toEqual([]);
  });

  test('all problems of all holders come together, by place', () => {
    expect(
      codesOf(
        claimWith({ name: 'bob', dseq: '1' }),
        claimWith({ name: 'bob', dseq: '2', pool: 'a' }),
        claimWith({ name: 'alice', dseq: '1', zone: 'inet' }),
        claimWith({ name: 'alice', dseq: '2', zone: 'lab' }),
      ),
    ).toEqual([
      'HOLDER_CONFLICT leases/alice-2.yaml:1',
      'PORT_TAKEN leases/alice-2.yaml:1',
      'PORT_TAKEN leases/bob-2.yaml:1',
    ]);
  });
});

describe('Services that share an address', () => {
  const api = { name: 'api', ports: [{ port: 81, targetPort: 81, protocol: 'TCP' as const }] };
  const codes = (...services: readonly ServiceWords[]) => {
    const outcome = holdersOfServices(
      services.map((service) => ({ ...service, sharingKey: 'front' })),
      keysOf({ 'shop/own': 'old', 'shop/copy': 'old', 'shop/next': 'new' }),
    );
    return outcome.ok ? [] : outcome.problems.map(({ code, message }) => `${code} ${message}`);
  };

  test('may all use one key, or none', () => {
    expect(codes({ secret: 'own' }, { ...api, secret: 'own' })).toEqual([]);
    expect(codes({ secret: 'own' }, { ...api, secret: 'copy' })).toEqual([]);
    expect(codes({}, api)).toEqual([]);
  });

  test('may not use different keys, or partly none', () => {
    expect(codes({ secret: 'own' }, { ...api, secret: 'next' })).toEqual([
      "HOLDER_CONFLICT Service 'web' shares one address, but web 80/TCP has the key shop/own and api 81/TCP has the key shop/next",
    ]);
    expect(codes({ secret: 'own' }, api)).toEqual([
      "HOLDER_CONFLICT Service 'web' shares one address, but web 80/TCP has the key shop/own and api 81/TCP has no key",
    ]);
  });
});

describe('a frozen run', () => {
  const web = { secret: 'own' };
  const toNext = { newKey: keyOf('new') };

  test.each([
    ['passes the key that is recorded', { secret: 'old' }, web, 'shop/web held old 0'],
    ['finds a key stale that is not recorded yet', {}, web, 'STALE'],
    [
      'finds a signed rotation stale',
      { secret: 'old' },
      { secret: 'next', signature: signed('old', toNext) },
      'STALE',
    ],
    ['refuses another key', { secret: 'old' }, { secret: 'next' }, 'NOT_PROVEN'],
    ['refuses no key', { secret: 'old' }, { signature: signed('new') }, 'NOT_PROVEN'],
  ])('%s', (_, record, service, now) => {
    expect(became(record, [service], 'frozen')).toBe(now);
  });
});
