import { describe, expect, test } from 'vitest';
import { claimsOfService } from '../../../../src/core/declarations/claims.ts';
import { leaseNamespace } from '../../../../src/core/manifests/names.ts';
import type { Claim } from '../../../../src/core/model/claim.ts';
import { parseQuestion } from '../../../../src/core/text/question.ts';
import { whoHas } from '../../../../src/lib/list/who.ts';
import type { WorkspaceSnapshot } from '../../../../src/lib/list/workspace-snapshot.ts';
import { aRecord, poolsWith, poolWith } from '../../../support/allocations/tables.ts';
import { aClaim, alice, bob, provider } from '../../../support/declarations/pools-and-claims.ts';
import { aService } from '../../../support/declarations/services.ts';
import { noHostnames } from '../../../support/trees/workspace-snapshot.ts';

const web = aClaim({ at: { file: 'leases/a.yaml', line: 9, column: 3 } });
const dns = aClaim({ lease: { owner: bob, dseq: '777' }, endpoint: 'dns', service: 'resolver' });
const pool = poolWith({
  addresses: ['203.0.113.0/24', '2001:db8::/64'],
  reserved: ['203.0.113.1'],
  avoidBuggyIPs: true,
});

function snapshot(...waiting: readonly Claim[]): WorkspaceSnapshot {
  const claims = new Map([web, dns, ...waiting].map((claim) => [claim.holder, [claim]] as const));
  const released = { released: ['2026-01-05', '2026-01-09'] as const };
  const table = new Map([
    ['203.0.113.7', { ...aRecord('203.0.113.7'), holder: web.holder }],
    ['2001:db8::7', { ...aRecord('2001:db8::7'), holder: web.holder }],
    ['203.0.113.9', { ...aRecord('203.0.113.9', released), holder: dns.holder }],
    ['203.0.113.8', { ...aRecord('203.0.113.8'), holder: dns.holder }],
    ['192.0.2.1', { ...aRecord('192.0.2.1', { pool: 'gone' }), holder: dns.holder }],
  ]);
  return {
    pools: poolsWith(pool),
    table,
    claims,
    promises: new Map(),
    ...noHostnames,
    problems: [],
  };
}

const addressesOf = (text: string): readonly string[] =>
  whoHas(parseQuestion(text), snapshot()).items.map(({ address }) => address);

describe('whoHas for an address', () => {
  test('returns the holder, and its claims with their files', () => {
    expect(whoHas(parseQuestion('203.0.113.7'), snapshot()).items).toEqual([
      {
        address: '203.0.113.7',
        state: 'held',
        pool: 'default',
        zone: 'inet',
        holder: web.holder,
        since: '2026-01-01',
        file: 'leases/allocations/203.0.113.7.yaml',
        announced: [{ by: 'l2', name: 'default' }],
        claims: [expect.objectContaining({ service: 'web', file: 'leases/a.yaml:9' })],
      },
    ]);
  });

  test('returns the days of a released address, without claims', () => {
    expect(whoHas(parseQuestion('203.0.113.9'), snapshot()).items).toMatchObject([
      {
        state: 'released',
        holder: dns.holder,
        released: { on: '2026-01-05', freeFrom: '2026-01-09' },
        claims: [],
      },
    ]);
  });

  test.each([
    ['203.0.113.1', 'reserved'],
    ['203.0.113.255', 'reserved'],
    ['203.0.113.2', 'free'],
    ['2001:db8::ff', 'free'],
    ['198.51.100.1', 'in no pool'],
  ])('returns no holder for %s, which is %s', (address, state) => {
    const pooled = state === 'in no pool' ? {} : { pool: 'default', zone: 'inet' };
    const { items } = whoHas(parseQuestion(address), snapshot());
    expect(items).toEqual([{ address, state, ...pooled, claims: [] }]);
  });

  test.each([
    ['203.0.113.9', undefined],
    ['192.0.2.9', 'no pool has it'],
    ['203.0.113.1', 'pool default reserves it'],
    ['203.0.113.255', 'pool default avoids addresses that end in .0 or .255'],
  ])('says of %s whether a new holder gets it after its release', (address, withheld) => {
    const record = aRecord(address, { released: ['2026-01-05', '2026-01-09'] });
    const { items } = whoHas(parseQuestion(address), {
      ...snapshot(),
      table: new Map([[address, record]]),
    });
    expect(items[0]?.withheld).toBe(withheld);
  });

  test('returns the recorded pool when no pool contains the address', () => {
    const { items } = whoHas(parseQuestion('192.0.2.1'), snapshot());
    expect(items).toMatchObject([{ state: 'held', pool: 'gone' }]);
    expect(items[0]).not.toHaveProperty('zone');
  });
});

describe('whoHas for a name', () => {
  const ofWeb = ['203.0.113.7', '2001:db8::7'];
  const ofDns = ['192.0.2.1', '203.0.113.8', '203.0.113.9'];

  test.each([
    ['a holder', web.holder, ofWeb],
    ['a sharing key, also of what was released', dns.sharingKey, ofDns],
    ['an owner, also of what was released', bob, ofDns],
    ['an owner', alice, ofWeb],
    ['an IP endpoint, also of what was released', 'dns', ofDns],
    ['a dseq', '12345', ofWeb],
    ['a lease id without its end', `${alice}/12345/1`, ofWeb],
    ['a whole lease id', `${bob}/777/1/1/${provider}`, ofDns.slice(0, 2)],
    ['a service', 'resolver', ofDns.slice(0, 2)],
    ['a namespace', leaseNamespace('akash', web.lease), ofWeb],
    ['a part of a dseq', '1234', []],
    ['a part of an owner', alice.slice(0, -1), []],
    ['a cluster', 'default', []],
  ])('finds addresses by %s', (_, name, addresses) => {
    expect(addressesOf(name)).toEqual(addresses);
  });

  test('returns the recorded addresses of a range', () => {
    expect(addressesOf('203.0.113.8/29')).toEqual(['203.0.113.8', '203.0.113.9']);
    expect(addressesOf('203.0.113.64/26')).toEqual([]);
  });

  test('returns holders without an address as waiting', () => {
    const late = aClaim({ lease: { dseq: '999' }, endpoint: 'late' });
    const answer = whoHas(parseQuestion('999'), snapshot(late));
    expect(answer).toEqual({ items: [], waiting: [late.holder] });
  });
});

describe('whoHas for a Service', () => {
  const service = aService({ sharingKey: 'Our key!' });
  const [claim] = claimsOfService(service, []);
  const table = new Map([['203.0.113.7', { ...aRecord('203.0.113.7'), holder: claim!.holder }]]);
  const tree = { ...snapshot(), table, claims: new Map([[claim!.holder, [claim!]]]) };

  test.each(['web', 'shop', 'shop/web', 'service/shop/web', 'Our key!'])(
    'finds it by %s',
    (name) => {
      expect(whoHas(parseQuestion(name), tree).items).toMatchObject([
        { address: '203.0.113.7', claims: [{ namespace: 'shop', service: 'web', port: 8080 }] },
      ]);
    },
  );

  test.each(['we', 'shop/we', 'hop/web', 'service', 'service/shop', 'shop/'])(
    'does not find it by %s',
    (name) => {
      expect(whoHas(parseQuestion(name), tree).items).toEqual([]);
    },
  );
});
