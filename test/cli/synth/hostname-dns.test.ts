import { expect, test } from 'vitest';
import type { Plan } from '../../../src/core/run/plan/plan-answer.ts';
import {
  hostnameText,
  reservationText,
  routedPoolText,
} from '../../support/declarations/hostname-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';
import type { LeaseCheckout } from '../../support/repositories/lease-checkout.ts';

const routes = 'className: nginx';
const namedPools = `${routedPoolText.replace(routes, `${routes}, service: { namespace: gateways, name: lb }`)}emit: { dnsEndpoints: true }
`;
const shopFile = 'dist/default/_hostnames/shop.example.com.yaml';

/** A cluster whose routes lead to the Service `gateways/lb`, which has 203.0.113.5. */
function routed(more: Readonly<Record<string, string>> = {}): Promise<LeaseCheckout> {
  return remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': namedPools,
    'leases/gateways/lb.yaml': reservationText('gateways', 'gw.example.com'),
    'leases/shop/name.yaml': hostnameText('shop.example.com'),
    'leases/shop/wild.yaml': hostnameText('*.shop.example.com'),
    ...more,
  });
}

test('a hostname has a DNSEndpoint with the address of the Service that routes it', async () => {
  const { read } = await routed();
  expect(read(shopFile)).toContain(`apiVersion: externaldns.k8s.io/v1alpha1
kind: DNSEndpoint
metadata:
  annotations:
    argocd.argoproj.io/sync-wave: "2"
  labels:
    app.kubernetes.io/managed-by: leasehold
  name: shop.example.com
  namespace: shop
spec:
  endpoints:
    - dnsName: shop.example.com
      recordTTL: 300
      recordType: A
      targets:
        - 203.0.113.5
`);
  expect(read('dist/default/_hostnames/_wildcard.shop.example.com.yaml')).toContain(
    'dnsName: "*.shop.example.com"',
  );
});

test('export zone has the records of hostnames, and no PTR records of them', async () => {
  const { run } = await routed();
  const forward = [
    '$ORIGIN example.com.',
    'gw 300 IN A 203.0.113.5',
    'shop 300 IN A 203.0.113.5',
    '*.shop 300 IN A 203.0.113.5',
    '',
  ];
  expect((await run('export', 'zone', '--zone', 'example.com')).out).toBe(forward.join('\n'));
  expect((await run('export', 'zone', '--reverse')).out).toBe(
    '5.113.0.203.in-addr.arpa. 300 IN PTR gw.example.com.\n',
  );
});

test('a move of the address changes the records in the same run, and the plan shows it', async () => {
  const { run, read, repository, commit } = await routed();
  repository.git('checkout', '-q', '-b', 'change');
  const moved = await run('move', 'gateways/lb', '--to', '203.0.113.9', '--today', '2026-01-05');
  expect(moved.status).toBe(0);
  expect(read(shopFile)).toContain('        - 203.0.113.9\n');
  commit('2026-01-05');
  expect((await run('check', '--base', 'main', '--today', '2026-01-05')).status).toBe(0);
  const { out } = await run('plan', '--base', 'main', '--today', '2026-01-05');
  expect(out).toContain('DNS: 203.0.113.5 → 203.0.113.9');
  const told = '2 hostnames change their addresses in DNS: *.shop.example.com, shop.example.com.';
  expect(out).toContain(told);
  const planned = await run('plan', '--base', 'main', '--today', '2026-01-05', '-o', 'json');
  const { summary, hostnames } = JSON.parse(planned.out) as Plan;
  expect(summary).toContain(told);
  expect(hostnames?.map(({ before, after }) => [before?.dns, after?.dns])).toEqual([
    [['203.0.113.5'], ['203.0.113.9']],
    [['203.0.113.5'], ['203.0.113.9']],
  ]);
});

test('the plan shows the hostnames whose public address changes with the NAT of the pool', async () => {
  const nat = (outside: string) =>
    namedPools.replace(
      'zone: z,',
      `zone: z, nat: [{ inside: 203.0.113.0/28, outside: ${outside} }],`,
    );
  const checkout = await routed({ 'leases/pools.yaml': nat('198.51.100.0/28') });
  checkout.repository.git('checkout', '-q', '-b', 'change');
  checkout.put('leases/pools.yaml', nat('198.51.100.16/28'));
  await checkout.synth('2026-01-05');
  checkout.commit('2026-01-05');
  const { out } = await checkout.run(
    'plan',
    '--base',
    'main',
    '--today',
    '2026-01-05',
    '-o',
    'markdown',
  );
  expect(out).toContain('2 hostnames change their addresses in DNS');
  const [, lost = ''] = out.split('#### Lost, moved or cut');
  expect(lost.split('####')[0]).toContain('DNS: `198.51.100.5` → `198.51.100.21`');
});

test('no hostname has records without an address of its Service, or that this Service has', async () => {
  const checkout = await routed({
    'leases/gateways/lb.yaml': reservationText('gateways', 'shop.example.com'),
  });
  expect(checkout.read(shopFile)).not.toContain('DNSEndpoint');
  expect(checkout.read('dist/default/gateways/lb.yaml')).toContain('dnsName: shop.example.com');
  const { out } = await checkout.run('export', 'zone');
  expect(out.split('\n').filter((line) => line.startsWith('shop.example.com.'))).toHaveLength(1);

  checkout.put('leases/gateways/lb.yaml', '');
  await checkout.synth('2026-01-05');
  expect(checkout.read(shopFile)).not.toContain('DNSEndpoint');
  expect((await checkout.run('export', 'zone')).out).toBe('');
});

test('a DNS name of a Service of the namespace may not shadow a hostname with records', async () => {
  const { put, run, edit } = await routed();
  put('leases/shop/web.yaml', reservationText('shop', 'a.shop.example.com', 'web'));
  const refused = await run('synth', '--today', '2026-01-05');
  expect(refused.out + refused.err).toContain(
    'HOSTNAME_TAKEN the DNS name a.shop.example.com overlaps *.shop.example.com, a hostname of namespace shop',
  );

  edit('leases/pools.yaml', ', service: { namespace: gateways, name: lb }', '');
  expect(await run('synth', '--today', '2026-01-05')).toMatchObject({ status: 0 });
});
