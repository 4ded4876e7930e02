/**
 * What goes wrong with the ports of an address in Akash's IP operator, and must not here. The letters are those of
 * its consequences, read from operator/ip/operator.go and cluster/kube/cluster_ip_connections.go of the provider.
 */

import { expect, test } from 'vitest';
import { leaseText } from '../../support/declarations/lease-text.ts';
import {
  leaseOf,
  neighbourhood,
  sdlLease,
  sdlText,
} from '../../support/repositories/akash-tenants.ts';

const web = { name: 'front', service: 'web', port: 8080, externalPort: 80 };

// a: the second declaration gets ErrAlreadyExists, which is only logged, and the port is "withheld".
test('one port twice on an endpoint of an SDL is refused, whichever way it is written', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood();
  street.put(leaseOf(2000), sdlLease('alice', 2000));
  const to = 'to: [{ global: true, ip: front }]';
  const path = 'leases/alice/2000.sdl.yaml';
  for (const expose of [`port: 8080, as: 80, ${to}`, `port: 80, proto: tcp, ${to}`]) {
    street.put(path, sdlText(['front'], `port: 80, ${to}`, expose));
    expect(await street.refused('2026-01-03')).toEqual([
      expect.stringMatching(/^PORT_TAKEN leases\/alice\/2000\.sdl\.yaml:7:/),
    ]);
  }
  street.put(path, sdlText(['front'], `port: 80, ${to}`, `port: 80, proto: udp, ${to}`));
  await street.live('2026-01-03');
  expect(street.services()).toHaveLength(2);
});

// b: the later lease is withheld, which only the provider's log says, and is not tried again when the first closes.
test('two leases of one owner on one port are refused with both places, and the second lives once the first is gone', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({ [leaseOf(2000)]: leaseText('alice', 2000, [web]) });
  const [first] = street.services();
  street.lease(2001, { ...web, service: 'blog' });
  expect(await street.refused('2026-01-03')).toEqual([`PORT_TAKEN ${leaseOf(2001)}:10:7`]);
  const { out } = await street.run('synth', '--today', '2026-01-03');
  expect(out).toContain(`taken by web 80/TCP in ${leaseOf(2000)}:10:7`);
  expect(out).toContain(`also ${leaseOf(2000)}:10:7`);
  street.lease(2000);
  await street.live('2026-01-04');
  const address = first?.split(' ')[3];
  expect(street.services()).toEqual([`2001 blog:8080 on ${address} as front`]);
});

// c: TCP and UDP of one number have one state key, so the one's event purges the other's Service.
test('TCP of one lease and UDP of another share a number on one address, and either ends alone', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({ [leaseOf(2000)]: leaseText('alice', 2000, [web]) });
  const [tcp] = street.services();
  street.lease(2001, { ...web, protocol: 'UDP' });
  await street.live('2026-01-03');
  const udp = tcp?.replace('2000', '2001').replace('TCP', 'UDP');
  expect(street.services()).toEqual([tcp, udp]);
  street.lease(2000);
  await street.live('2026-01-04');
  expect(street.services()).toEqual([udp]);
  street.lease(2000, web);
  await street.live('2026-01-05');
  expect(street.services()).toEqual([tcp, udp]);
});

// d: two objects and two Services, but one state entry.
test('TCP and UDP of one number in one lease are two Services on one address, and one can be dropped', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({
    [leaseOf(2000)]: leaseText('alice', 2000, [web, { ...web, protocol: 'UDP' }]),
  });
  const [tcp, udp] = street.services();
  expect(udp).toBe(tcp?.replace('TCP', 'UDP'));
  expect(street.leasedIPs()).toEqual([
    'front-tcp-80 is 2000 web:8080',
    'front-udp-80 is 2000 web:8080',
  ]);
  street.lease(2000, { ...web, protocol: 'UDP' });
  await street.live('2026-01-03');
  expect(street.services()).toEqual([udp]);
  expect(street.leasedIPs()).toEqual(['front-udp-80 is 2000 web:8080']);
});

// e: two objects want one Service name: the second overwrites the sharing key of the first, whose address is lost.
test('one service and port on two endpoints is refused, and never takes an address from the first', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({ [leaseOf(2000)]: leaseText('alice', 2000, [web]) });
  const before = street.services();
  street.lease(2000, web, { ...web, name: 'back' });
  expect(await street.refused('2026-01-03')).toEqual([`NAME_TAKEN ${leaseOf(2000)}:11:7`]);
  expect(street.services()).toEqual(before);
  street.lease(2000, web, { ...web, name: 'back', externalPort: 81 });
  await street.live('2026-01-03');
  expect(street.services()).toEqual([
    ...before,
    expect.stringMatching(/^2000 web:8080 on .*:81\/TCP as back$/),
  ]);
});

test('the same in an SDL: one service and port to two endpoints is refused', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood();
  street.put(leaseOf(2000), sdlLease('alice', 2000));
  const to = (name: string) => `to: [{ global: true, ip: ${name} }]`;
  street.put(
    'leases/alice/2000.sdl.yaml',
    sdlText(['front', 'back'], `port: 80, ${to('front')}`, `port: 80, ${to('back')}`),
  );
  expect(await street.refused('2026-01-03')).toEqual([
    expect.stringMatching(/^NAME_TAKEN leases\/alice\/2000\.sdl\.yaml:/),
  ]);
});

// DeclareIP: what exists is not overwritten, so a manifest's update of service or container port is not applied.
test('a change of target port or service is applied in place: same address, same object', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({
    [leaseOf(2000)]: leaseText('alice', 2000, [web, { ...web, externalPort: 443 }]),
  });
  const [tls, plain] = street.services();
  street.lease(2000, web, { ...web, externalPort: 443, port: 8443 });
  expect(await street.live('2026-01-03')).toEqual([expect.stringMatching(/^~ dist\/default\//)]);
  expect(street.services()).toContain(plain);
  expect(street.services()).toContain(tls?.replace('web:8080', 'web:8443'));
  street.lease(2000, web, { ...web, externalPort: 443, port: 8443, service: 'tls' });
  await street.live('2026-01-04');
  expect(street.leasedIPs()).toEqual([
    'front-tcp-443 is 2000 tls:8443',
    'front-tcp-80 is 2000 web:8080',
  ]);
  expect(street.records()).toEqual([expect.stringMatching(/ front held$/)]);
});

// The operator keeps object and Service of a dropped port as long as the endpoint's name stays in the manifest.
test('dropping one port takes its objects away and leaves the address and the other port as they are', {
  tags: 'slow',
}, async () => {
  const street = await neighbourhood({
    [leaseOf(2000)]: leaseText('alice', 2000, [web, { ...web, externalPort: 443 }]),
  });
  const services = street.services();
  const records = street.records();
  street.lease(2000, web);
  expect(await street.live('2026-01-03')).toEqual([expect.stringMatching(/^~ dist\/default\//)]);
  expect(street.services()).toEqual(services.filter((line) => line.includes(':80/TCP')));
  expect(street.leasedIPs()).toEqual(['front-tcp-80 is 2000 web:8080']);
  expect(street.records()).toEqual(records);
});

test('the same in an SDL: a dropped expose is gone, and the address stays', {
  tags: 'slow',
}, async () => {
  const to = 'to: [{ global: true, ip: front }]';
  const path = 'leases/alice/2000.sdl.yaml';
  const street = await neighbourhood({
    [leaseOf(2000)]: sdlLease('alice', 2000),
    [path]: sdlText(['front'], `port: 80, ${to}`, `port: 443, ${to}`),
  });
  const [tls, plain] = street.services();
  expect(tls).toBe(plain?.replaceAll('80', '443'));
  street.put(path, sdlText(['front'], `port: 80, ${to}`));
  await street.live('2026-01-03');
  expect(street.services()).toEqual([plain]);
});

// PurgeDeclaredIP: deletes every ProviderLeasedIP of every tenant when one endpoint is removed.
test('removing an endpoint takes away that endpoint alone', { tags: 'slow' }, async () => {
  const back = { ...web, name: 'back', externalPort: 443 };
  const street = await neighbourhood({ [leaseOf(2000)]: leaseText('alice', 2000, [web, back]) });
  const front = street.services().filter((line) => line.endsWith('as front'));
  street.lease(2000, web);
  const touched = await street.live('2026-01-03');
  expect(touched.map((line) => line.slice(0, 6)).sort()).toEqual(['- dist', '~ leas']);
  expect(street.services()).toEqual(front);
  expect(street.leasedIPs()).toEqual(['front-tcp-80 is 2000 web:8080']);
});
