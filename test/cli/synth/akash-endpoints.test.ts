/**
 * What goes wrong when endpoints are renamed, moved and ended in Akash's IP operator, and must not here. The letters
 * are those of its consequences, read from operator/ip/operator.go and cluster/kube of the provider.
 */

import { expect, test } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import {
  leaseOf,
  neighbourhood,
  sdlLease,
  sdlText,
} from '../../support/repositories/akash-tenants.ts';
import { filesBelow } from '../../support/trees/tree-bytes.ts';

const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

// f: the new object and the old one map to one Service; the old one's deletion takes it away, and no address is left.
test('a renamed endpoint keeps its Service, on an address of its new name', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({ [leaseOf(2000)]: leaseText('alice', 2000, [web]) });
  const [old] = street.services();
  street.lease(2000, { ...web, name: 'shop' });
  await street.live('2026-01-03');
  const address = /on (\S+):80/.exec(old ?? '')?.[1];
  const [renamed, ...more] = street.services();
  expect([renamed, more]).toEqual([
    expect.stringMatching(/^2000 web:8080 on \S+:80\/TCP as shop$/),
    [],
  ]);
  expect(renamed).not.toContain(` ${address}:`);
  expect(street.leasedIPs()).toEqual(['shop-tcp-80 is 2000 web:8080']);
  expect(street.records()).toHaveLength(2);
  expect(street.records()).toContain(`${address} front free from 2026-01-04`);
  expect(street.records()).toContainEqual(expect.stringMatching(/ shop held$/));
});

test('the same in an SDL: the new name has the Service', { tags: 'slow' }, async () => {
  const path = 'leases/alice/2000.sdl.yaml';
  const sdl = (name: string) => sdlText([name], `port: 80, to: [{ global: true, ip: ${name} }]`);
  const street = await neighbourhood({
    [leaseOf(2000)]: sdlLease('alice', 2000),
    [path]: sdl('front'),
  });
  street.put(path, sdl('shop'));
  await street.live('2026-01-03');
  expect(street.services()).toEqual([expect.stringMatching(/^2000 web:80 on .* as shop$/)]);
});

// g: the state of the old sharing key leaks until the operator restarts.
test('a name that is given up leaves nothing behind but its record, and prune takes that', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({ [leaseOf(2000)]: leaseText('alice', 2000, [web]) });
  street.lease(2000, { ...web, name: 'shop' });
  await street.live('2026-01-03');
  const texts = [...filesBelow(street.root, ['dist']).values()].join('');
  const [ip] = street.records().filter((line) => line.includes('front'));
  expect(texts).not.toContain(`${street.account}-ip-front`);
  expect(texts).not.toContain(ip?.split(' ')[0]);
  expect(await street.run('prune', '--today', '2026-01-03')).toMatchObject({ status: 0 });
  expect(street.records()).toContain(ip);
  expect(await street.run('prune', '--today', '2026-01-04')).toMatchObject({ status: 0 });
  expect(street.records()).toEqual([expect.stringMatching(/ shop held$/)]);
});

test('a name that comes back while its address is kept has that address again', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({
    [leaseOf(2000)]: leaseText('alice', 2000, [{ ...web, retentionDays: 30 }]),
  });
  const services = street.services();
  street.lease(2000, { ...web, name: 'shop' });
  await street.live('2026-01-31');
  street.lease(2000, web);
  await street.live('2026-03-01');
  expect(street.services()).toEqual(services);
});

// migrate: the filter looks at the wrong map, so all endpoints of the destination go over, and not the one asked for.
test('an endpoint that moves to another lease of its owner keeps its address, and it moves alone', {
  tags: 'slow',
}, async () => {
  const back = { ...web, name: 'back', externalPort: 443 };
  const mail = { name: 'mail', service: 'smtp', port: 25 };
  const street = await neighbourhood({
    [leaseOf(2000)]: leaseText('alice', 2000, [web, back]),
    [leaseOf(2001)]: leaseText('alice', 2001, [mail]),
  });
  const before = street.services();
  const records = street.records();
  street.lease(2000, back);
  street.lease(2001, mail, web);
  await street.live('2026-01-03');
  expect(street.services()).toEqual(
    before.map((line) => (line.endsWith('front') ? line.replace('2000', '2001') : line)).sort(),
  );
  expect(street.records()).toEqual(records);
  expect(street.leasedIPs()).toContain('front-tcp-80 is 2001 web:8080');
});

// The owner's new deployment asks for the endpoint that the old one has: support#108.
test('a new deployment with the endpoints of an old one gets their address, as the hint of PORT_TAKEN says', {
  tags: 'slow',
}, async () => {
  const sdl = sdlText(['shop'], 'port: 80, to: [{ global: true, ip: shop }]');
  const street = await neighbourhood({
    [leaseOf(2000)]: sdlLease('alice', 2000),
    'leases/alice/2000.sdl.yaml': sdl,
  });
  const [old] = street.services();
  const records = street.records();
  street.put(leaseOf(2001), sdlLease('alice', 2001));
  street.put('leases/alice/2001.sdl.yaml', sdl);
  expect(await street.refused('2026-01-03')).toEqual([
    expect.stringMatching(/^PORT_TAKEN leases\/alice\/2001\.sdl\.yaml:/),
  ]);
  expect((await street.run('check')).out).toContain(
    '\n  hint: if this lease replaces lease 2000/1/1, remove the endpoint there: the address stays; else ',
  );
  street.lease(2000);
  street.put('leases/alice/2000.sdl.yaml', '');
  await street.live('2026-01-03');
  expect(street.services()).toEqual([old?.replace('2000', '2001')]);
  expect(street.records()).toEqual(records);
  expect(await street.run('check', '--base', 'HEAD~1')).toMatchObject({ status: 0, err: '' });
});

// The lease's Service is purged by the event that comes last.
test('a lease that ends while another of its owner stays on the address takes its own ports only', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({
    [leaseOf(2000)]: leaseText('alice', 2000, [web]),
    [leaseOf(2001)]: leaseText('alice', 2001, [{ ...web, externalPort: 443 }]),
  });
  const [, stays] = street.services();
  const records = street.records();
  street.lease(2000);
  await street.live('2026-01-03');
  expect(street.services()).toEqual([stays]);
  expect(street.records()).toEqual(records);
  street.lease(2001);
  await street.live('2026-01-04');
  expect(street.services()).toEqual([]);
  expect(street.records()).toEqual(
    records.map((line) => line.replace('held', 'free from 2026-01-05')),
  );
});
