/**
 * What one tenant's trouble does to all others in Akash's IP operator and its bids, and must not here. The letters are
 * those of its consequences, read from operator/ip and cluster/inventory.go of the provider.
 */

import { expect, test } from 'vitest';
import { accountOf, leaseText } from '../../support/declarations/lease-text.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import {
  leaseOf,
  type Neighbourhood,
  neighbourhood,
  poolText,
  sdlLease,
  sdlText,
} from '../../support/repositories/akash-tenants.ts';
import { content } from '../../support/trees/temp-tree.ts';

const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };
const five =
  '  - { name: default, zone: inet, addresses: [203.0.113.0-203.0.113.4], retentionDays: 1 }';
const beside = '  - { name: beside, zone: lab, addresses: [198.51.100.0/30] }';
const full = poolsText(
  `defaultZone: inet\nprovider: ${accountOf('provider')}\npools:\n${five}\n${beside}\n`,
);

// h: nothing is checked; the Service stays pending, the status answers 500, and no bid is made any more.
test('the address too many is refused with the pool and its count, and nothing of it is written', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({
    'leases/pools.yaml': poolText(five),
    [leaseOf(2000)]: leaseText('alice', 2000, [web]),
  });
  street.lease(2001, { ...web, name: 'back' });
  expect(await street.refused('2026-01-03')).toEqual([`POOL_EXHAUSTED ${leaseOf(2001)}:10:7`]);
  const { out } = await street.run('synth', '--today', '2026-01-03');
  expect(out).toContain('pool default has 0 of 5 IPv4 addresses free');
});

test('an exhausted pool blocks only holders that need an address of it', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({
    'leases/pools.yaml': full,
    [leaseOf(2000)]: leaseText('alice', 2000, [web]),
  });
  const [front] = street.services();
  street.lease(2001, { ...web, externalPort: 443 });
  street.lease(2002, { ...web, name: 'lab', pool: 'beside' });
  await street.live('2026-01-03');
  expect(street.services()).toEqual([
    front,
    front?.replace('2000', '2001').replace(':80/', ':443/'),
    expect.stringMatching(/^2002 web:8080 on 198\.51\.100\.\d:80\/TCP as lab$/),
  ]);
  street.lease(2002);
  await street.live('2026-01-04');
});

// The operator's counts go stale; a slot that frees is not given to who waits.
test('a lease that waits for a full pool gets a released address once its retention is over', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({
    'leases/pools.yaml': poolText(five),
    [leaseOf(2000)]: leaseText('alice', 2000, [web]),
  });
  const address = street.records()[0]?.split(' ')[0];
  street.lease(2000);
  await street.live('2026-01-03');
  street.lease(2001, { ...web, name: 'back' });
  expect(await street.refused('2026-01-03')).toEqual([`POOL_EXHAUSTED ${leaseOf(2001)}:10:7`]);
  await street.live('2026-01-04');
  expect(street.records()).toEqual([`${address} back held`]);
});

// i: a lease that fails three times is ignored, silently and for good; any other error loops and stops all tenants.
test('a problem is reported in every run, leaves other leases alone, and disappears once it is fixed', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood();
  const long = 'w'.repeat(54);
  street.lease(2000, { ...web, service: long });
  const first = await street.refused('2026-01-03');
  expect(first).toEqual([`NAME_TOO_LONG ${leaseOf(2000)}:10:7`]);
  for (const day of ['2026-01-03', '2026-01-04', '2026-01-05', '2026-01-06']) {
    expect(await street.refused(day)).toEqual(first);
  }
  await neighboursLiveOn(street);
  street.lease(2000, { ...web, service: long.slice(1) });
  await street.live('2026-01-07');
  expect(street.services()).toHaveLength(1);
});

// j: one malformed object in the cluster, and the operator never starts again, for anybody.
test('malformed declarations are reported all together, beside good ones, and nothing is written', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood();
  const good = leaseText('alice', 2000, [web]);
  street.put(leaseOf(2000), good);
  const owner = accountOf('alice');
  const bad = {
    owner: good.replace(owner, `${owner.slice(0, -1)}${owner.endsWith('q') ? 'p' : 'q'}`),
    dseq: good.replace("'2000'", "'2000x'"),
    proto: leaseText('alice', 2003, [{ ...web, name: 'cc', protocol: 'SCTP' }]),
    port: leaseText('alice', 2004, [{ ...web, name: 'dd', externalPort: 65_536 }]),
  };
  for (const [name, text] of Object.entries(bad)) street.put(`leases/alice/${name}.yaml`, text);
  expect(await street.refused('2026-01-03')).toEqual([
    'DSEQ_INVALID leases/alice/dseq.yaml:6:11',
    'OWNER_INVALID leases/alice/owner.yaml:5:12',
    'FIELD_VALUE leases/alice/port.yaml:10:63',
    'FIELD_VALUE leases/alice/proto.yaml:10:77',
  ]);
  await neighboursLiveOn(street);
  for (const name of Object.keys(bad)) street.put(`leases/alice/${name}.yaml`, '');
  await street.live('2026-01-03');
  expect(street.services()).toHaveLength(1);
});

// Reservations: ports are counted where addresses should be, so an endpoint of two ports is counted twice, for good.
test('addresses are counted, and not ports, leases or replicas', async () => {
  const to = 'to: [{ global: true, ip: front }]';
  const street = await neighbourhood({
    'leases/pools.yaml': poolText(five),
    [leaseOf(2000)]: sdlLease('alice', 2000),
    'leases/alice/2000.sdl.yaml': sdlText(['front'], `port: 80, ${to}`, `port: 81, ${to}`).replace(
      'count: 1',
      'count: 33',
    ),
    [leaseOf(2001)]: leaseText('alice', 2001, [{ ...web, externalPort: 443 }]),
  });
  expect(street.services()).toHaveLength(3);
  expect(street.records()).toEqual([expect.stringMatching(/ front held$/)]);
  const { out } = await street.run('pools', '-o', 'json');
  expect(JSON.parse(out).items[0].families[0]).toMatchObject({
    total: '5',
    held: '5',
    retained: '0',
    free: '0',
  });
});

// total n, in use n-1: the first fits, the second does not; both at once are not half done.
test('two claims on the last address are refused together, and either alone is met', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({ 'leases/pools.yaml': poolText(five) });
  street.lease(2000, web);
  street.lease(2001, { ...web, name: 'back' });
  expect(await street.refused('2026-01-03')).toEqual([
    expect.stringMatching(/^POOL_EXHAUSTED leases\/alice\/200[01]\.yaml:10:7$/),
  ]);
  street.lease(2000);
  await street.live('2026-01-03');
  street.lease(2000, web);
  expect(await street.refused('2026-01-03')).toEqual([`POOL_EXHAUSTED ${leaseOf(2000)}:10:7`]);
});

/** On a branch of the committed state, Ben can lease and end a lease in spite of Alice's tree. */
async function neighboursLiveOn(street: Neighbourhood): Promise<void> {
  const { git } = street.repository;
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD').trim();
  git('stash', '-q', '--include-untracked');
  git('checkout', '-q', '-b', 'neighbours');
  const before = content(street.root);
  street.put('leases/ben/1001.yaml', leaseText('ben', 1001, [{ ...web, name: 'more' }]));
  await street.synth('2026-01-03');
  expect(await street.run('check')).toMatchObject({ status: 0 });
  street.put('leases/ben/1001.yaml', '');
  await street.synth('2026-01-04');
  expect(await street.run('check')).toMatchObject({ status: 0 });
  expect(content(street.root)).not.toEqual(before);
  git('checkout', '-q', branch);
  git('stash', 'pop', '-q');
}
