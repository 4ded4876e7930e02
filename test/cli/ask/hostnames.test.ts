import { expect, test } from 'vitest';
import {
  hostnameText,
  leaseHostText,
  routedPoolText,
} from '../../support/declarations/hostname-text.ts';
import { alice, provider } from '../../support/declarations/pools-and-claims.ts';
import { poolsText } from '../../support/declarations/pools-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';

const reservationText = `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: shop, service: web, ports: [{ port: 80 }] }
`;

test('who and list know hostnames', async () => {
  const { run } = await remadeCheckout({
    'leases/pools.yaml': routedPoolText,
    'leases/shop/web.yaml': hostnameText('shop.example.com'),
  });
  const table = [
    'HOSTNAME          STATE                  SERVICE  HOLDER',
    'shop.example.com  held since 2026-01-02  web:80   default/namespace/shop',
    '',
  ].join('\n');
  expect((await run('who', 'shop.example.com')).out).toBe(table);
  expect((await run('list', '--hostnames')).out).toBe(table);
  expect((await run('list', '--hostnames', '-o', 'csv')).out).toBe(
    'hostname,state,holder,since,releasedOn,freeFrom,service,port,file,lease,provenBy,routedBy,addresses\nshop.example.com,held,default/namespace/shop,2026-01-02,,,web,80,leases/shop/web.yaml:3,,,IngressClass nginx,\n',
  );
});

test('who and list know the Gateway of a hostname, and the public addresses of the Service in front', async () => {
  const gateway = '{ namespace: gateways, name: public }';
  const service = '{ namespace: gateways, name: traefik }';
  const nat = '{ inside: 203.0.113.0/28, outside: 198.51.100.0/28 }';
  const { run } = await remadeCheckout({
    'leases/pools.yaml': poolsText(`clusters:
  - { name: default, routes: { kind: HTTPRoute, gateway: ${gateway}, service: ${service} } }
pools:
  - { name: p, zone: z, addresses: [203.0.113.0/28], nat: [${nat}], advertise: { l2: {} } }
`),
    'leases/gateways/traefik.yaml': `apiVersion: leasehold.dev/v1
kind: Reservation
spec: { namespace: gateways, service: traefik, addresses: [203.0.113.7], ports: [{ port: 80 }] }
`,
    'leases/shop/web.yaml': hostnameText('shop.example.com'),
  });
  const front = { routedBy: 'Gateway gateways/public', addresses: ['198.51.100.7'] };
  const asked = JSON.parse((await run('who', 'shop.example.com', '-o', 'json')).out);
  expect(asked.hostnames).toEqual([expect.objectContaining(front)]);
  const listed = JSON.parse((await run('list', '--hostnames', '-o', 'json')).out);
  expect(listed.items).toEqual([expect.objectContaining(front)]);
  expect((await run('list', '--hostnames', '-o', 'wide')).out).toMatch(
    /198\.51\.100\.7 +Gateway gateways\/public/,
  );
});

test('who finds a hostname by a name below its wildcard, by its Service and before synth', async () => {
  const { run, put } = await remadeCheckout({
    'leases/pools.yaml': routedPoolText,
    'leases/shop/web.yaml': hostnameText('*.shop.example.com'),
    'leases/shop/service.yaml': reservationText,
  });
  for (const asked of ['a.b.shop.example.com', 'web', 'shop/web', 'shop']) {
    expect((await run('who', asked)).out, asked).toMatch(/^\*\.shop\.example\.com +held /m);
  }
  const { err, status } = await run('who', 'shop', '-o', 'csv');
  expect(err).toContain(
    'shop has addresses and hostnames, which have different columns: use -o json, or `leasehold list -o csv` and `leasehold list --hostnames -o csv`',
  );
  expect(status).not.toBe(0);

  put('leases/blog/new.yaml', hostnameText('*.new.example.com', { namespace: 'blog' }));

  for (const asked of ['*.new.example.com', 'a.new.example.com']) {
    expect((await run('who', asked)).out).toContain(
      'the hostname *.new.example.com is declared by namespace blog and not given yet; run `leasehold synth`',
    );
  }
  expect((await run('list', '--hostnames')).err).toContain(
    '1 declared hostname has no record yet; run `leasehold synth`',
  );
});

test('a list of no hostnames says what to do next, and leaves out what is free', async () => {
  const { run, put, synth } = await remadeCheckout({ 'leases/pools.yaml': routedPoolText });
  const next =
    'no hostname is given yet; declare a Hostname in leases/, and run `leasehold synth`\n';
  expect((await run('list', '--hostnames')).out).toBe(next);
  put('leases/shop/web.yaml', hostnameText('shop.example.com'));
  expect((await run('list', '--hostnames')).out).toBe('no hostname is given yet\n');
  await synth('2026-01-05');
  put('leases/shop/web.yaml', '');
  await synth('2026-01-06');

  const list = async (day: string) => (await run('list', '--hostnames', '--today', day)).out;

  expect(await list('2026-01-12')).toContain('free from 2026-01-13');
  expect(await list('2026-01-13')).toBe(next);
});

test('who finds a hostname of a lease by its owner, its lease and its dseq', async () => {
  const { run } = await remadeCheckout({
    'leases/pools.yaml': routedPoolText,
    'leases/shop/lease.yaml': leaseHostText('9007199254740993', 'shop.example.com'),
  });
  const lease = `${alice}/9007199254740993/1/1/${provider}`;
  for (const asked of [alice, '9007199254740993', lease, `default/akash/${alice}`]) {
    const { out } = await run('who', asked, '-o', 'json');
    expect(JSON.parse(out).hostnames, asked).toMatchObject([
      { hostname: 'shop.example.com', lease },
    ]);
  }
});
