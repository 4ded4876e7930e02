// @module-tag counted

/** Looking a name up gives what comparing it with every holder and claim gives. */

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { claimsOfService } from '../../src/core/declarations/claims.ts';
import { claimNamespace } from '../../src/core/manifests/names.ts';
import { type Allocation, isHeld } from '../../src/core/model/allocation.ts';
import type { Claim } from '../../src/core/model/claim.ts';
import { leaseIdText } from '../../src/core/model/lease.ts';
import type { Naming } from '../../src/core/model/pools.ts';
import { serviceIdText } from '../../src/core/model/service.ts';
import { compareAddresses, formatAddress } from '../../src/core/net/address.ts';
import { whoHas } from '../../src/lib/list/who.ts';
import type { WorkspaceSnapshot } from '../../src/lib/list/workspace-snapshot.ts';
import { aRecord } from '../support/allocations/tables.ts';
import { aClaim, alice, bob, thePools } from '../support/declarations/pools-and-claims.ts';
import { aService } from '../support/declarations/services.ts';
import { runs } from '../support/run/scope.ts';
import { noHostnames } from '../support/trees/workspace-snapshot.ts';

const few = (...texts: readonly string[]) => fc.constantFrom(...texts);

const leaseClaims = fc
  .record({
    owner: few(alice, bob, `${alice}x`),
    dseq: few('1', '12', '123'),
    gseq: fc.integer({ min: 1, max: 2 }),
    endpoint: few('ip', 'dns', 'ip-ip'),
    service: few('web', 'shop', '12'),
    cluster: few('default', 'gone'),
  })
  .map(
    ({ owner, dseq, gseq, ...words }): Claim => aClaim({ lease: { owner, dseq, gseq }, ...words }),
  );

const serviceClaims = fc
  .record({
    namespace: few('shop', 'akash', 'service'),
    name: few('web', 'shop'),
    sharingKey: few('web', 'key', 'shop/web', ''),
  })
  .chain(({ sharingKey, ...words }) =>
    fc.constantFrom(
      ...claimsOfService(aService({ ...words, sharingKey: sharingKey || undefined }), []),
    ),
  );

const strayHolders = few(
  'default/akash/stray-ip-x',
  `default/akash/${alice}-ip-gone`,
  'anycast/web',
  'x',
);

const states = fc
  .record({
    claims: fc.array(fc.oneof(leaseClaims, serviceClaims), { maxLength: 8 }),
    strays: fc.array(strayHolders, { maxLength: 3 }),
    given: fc.array(
      fc.tuple(
        fc.nat(),
        fc.boolean(),
        few('203.0.113.7', '203.0.113.8', '198.51.100.1', '2001:db8::7'),
      ),
      { maxLength: 6 },
    ),
    naming: fc.constantFrom<Naming[]>('akash', 'readable'),
  })
  .map(({ claims, strays, given, naming }): WorkspaceSnapshot => {
    const byHolder = new Map<string, Claim[]>();
    for (const claim of claims) {
      byHolder.set(claim.holder, [...(byHolder.get(claim.holder) ?? []), claim]);
    }
    const holders = [...byHolder.keys(), ...strays];
    const released = { released: ['2026-01-05', '2026-01-09'] as const };
    const table = new Map(
      given.flatMap(([pick, isReleased, address]): [string, Allocation][] => {
        const holder = holders[pick % Math.max(1, holders.length)];
        const record = aRecord(address, isReleased ? released : {});
        return holder === undefined ? [] : [[address, { ...record, holder }]];
      }),
    );
    return {
      pools: thePools({ cluster: { naming } }),
      table,
      claims: byHolder,
      promises: new Map(),
      ...noHostnames,
      problems: [],
    };
  });

function namesClaim(name: string, claim: Claim, { pools }: WorkspaceSnapshot): boolean {
  if (name === claim.service) return true;
  if (claim.kind === 'Lease') {
    const id = `${leaseIdText(claim.lease)}/`;
    if (name === claim.lease.dseq || name === claim.endpoint) return true;
    if (id.startsWith(`${name}/`)) return true;
  } else {
    const { declared } = claim;
    const names = [
      `${declared.namespace}/${declared.name}`,
      serviceIdText(declared),
      declared.sharingKey,
    ];
    if (names.includes(name)) return true;
  }
  const cluster = pools.clusters.find((candidate) => candidate.name === claim.cluster);
  return cluster !== undefined && claimNamespace(cluster.naming, claim) === name;
}

function namesHolder(name: string, holder: string): boolean {
  const key = holder.split('/').at(-1) ?? '';
  if (name === holder || name === key) return true;
  if (/^akash1[a-z\d]+-ip-/.test(key) && name === key.slice(key.indexOf('-ip-') + 4)) return true;
  if (/^[^/]+\/service\//.test(holder) && holder.split('/').slice(2).join('/') === name)
    return true;
  if (/^akash1[a-z\d]+-ip-/.test(key) && key.replace('-ip-', '/') === name) return true;
  return /^akash1[a-z\d]+$/.test(name) && key.startsWith(`${name}-ip-`);
}

/** By comparing. */
function meantBy(name: string, snapshot: WorkspaceSnapshot) {
  const { table, claims } = snapshot;
  const own = (holder: string) => claims.get(holder) ?? [];
  const isClaimed = (holder: string) =>
    own(holder).some((claim) => namesClaim(name, claim, snapshot));
  const records = [...table.values()]
    .filter(
      (record) => namesHolder(name, record.holder) || (isHeld(record) && isClaimed(record.holder)),
    )
    .sort((left, right) => compareAddresses(left.address, right.address));
  const holding = new Set([...table.values()].filter(isHeld).map(({ holder }) => holder));
  const waiting = [...claims.keys()]
    .filter((holder) => !holding.has(holder) && (namesHolder(name, holder) || isClaimed(holder)))
    .sort();
  return { addresses: records.map(({ address }) => formatAddress(address)), waiting };
}

/** Whatever may be a name of something, and beginnings and ends of those. */
function namesToAsk({ table, claims, pools }: WorkspaceSnapshot): readonly string[] {
  const whole = [
    ...[...table.values()].map(({ holder }) => holder),
    ...[...claims].flatMap(([holder, own]) => [
      holder,
      ...own.flatMap((claim) => [
        claim.service,
        claim.sharingKey,
        ...pools.clusters.map(({ naming }) => claimNamespace(naming, claim)),
        ...(claim.kind === 'Lease'
          ? [leaseIdText(claim.lease), claim.lease.dseq, claim.endpoint]
          : [serviceIdText(claim.declared), claim.declared.sharingKey ?? '']),
      ]),
    ]),
    ...[alice, bob, 'key', 'web', 'nobody', '1', '/', 'akash1', 'a//b'],
  ];
  const parts = whole.flatMap((name) => {
    const cut = name.split('/');
    return cut.flatMap((_, index) => [cut.slice(0, index).join('/'), cut.slice(index).join('/')]);
  });
  const more = parts.flatMap((name) => [
    `${name}/`,
    name.slice(0, -1),
    ...name.split('-ip-').slice(0, 2),
  ]);
  return [...new Set([...whole, ...parts, ...more])].filter((name) => name !== '');
}

test('a lookup by name finds what a plain comparison finds', () => {
  let found = 0;
  fc.assert(
    fc.property(states, (snapshot) => {
      for (const name of namesToAsk(snapshot)) {
        const { items, waiting } = whoHas({ kind: 'name', name }, snapshot);
        const addresses = items.map(({ address }) => address);
        expect({ name, addresses, waiting }).toEqual({ name, ...meantBy(name, snapshot) });
        found += addresses.length + waiting.length;
      }
    }),
    { seed: 1, numRuns: runs(300) },
  );
  expect(found).toBeGreaterThan(runs(1000));
});
