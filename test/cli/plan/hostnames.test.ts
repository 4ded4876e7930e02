import { expect, test } from 'vitest';
import type { Plan } from '../../../src/core/run/plan/plan-answer.ts';
import {
  hostnameText,
  leaseHostText,
  routedPoolText,
} from '../../support/declarations/hostname-text.ts';
import { policyHead, tenantsText } from '../../support/declarations/policies.ts';
import { bob } from '../../support/declarations/pools-and-claims.ts';
import { serviceText } from '../../support/declarations/service-text.ts';
import { remadeCheckout } from '../../support/repositories/cached-repository.ts';

test('a plan tells a hostname that comes, goes or is routed to another Service', async () => {
  const { run, put, synth } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    'leases/shop/old.yaml': hostnameText('old.example.com'),
    'leases/shop/web.yaml': hostnameText('shop.example.com'),
  });
  put('leases/shop/old.yaml', '');
  put('leases/shop/web.yaml', hostnameText('shop.example.com', { service: 'api', port: 8080 }));
  put('leases/blog/new.yaml', hostnameText('*.blog.example.com', { namespace: 'blog' }));
  await synth('2026-01-05');

  const { out, err } = await run('plan', '--base', 'HEAD~1', '-o', 'json');

  const { hostnames = [], summary, verdict, cautions } = JSON.parse(out) as Plan;
  expect(summary).toBe(
    '3 hostnames change. The reach of Ingress shop/shop.example.com changes: spec.rules[0].http.paths[0].backend.service.name web → api; spec.rules[0].http.paths[0].backend.service.port.number 80 → 8080.',
  );
  expect(verdict).toBe('caution');
  expect(cautions.filter(({ code }) => code === 'ROUTE_CUT').map(({ message }) => message)).toEqual(
    [
      'the hostname old.example.com of namespace shop is no longer routed to web:80',
      'the hostname shop.example.com of namespace shop is no longer routed to web:80, but routed to api:8080',
    ],
  );
  expect(
    hostnames.map(({ hostname, change, details }) => [hostname, change, details]),
    err,
  ).toEqual([
    ['*.blog.example.com', 'allocated', []],
    ['old.example.com', 'released', ['free from 2026-01-12']],
    ['shop.example.com', 'updated', ['routed to web:80 → routed to api:8080']],
  ]);
  const { out: text } = await run('plan', '--base', 'HEAD~1');
  expect(text).toMatch(/^\+ \*\.blog\.example\.com +allocated +- +default\/namespace\/blog$/m);
  expect(text).toContain('routed to web:80');
  const { out: markdown } = await run('plan', '--base', 'HEAD~1', '-o', 'markdown');
  expect(markdown).toMatch(
    /^- \*\*−\*\* `old\.example\.com` · `namespace shop`<br>released · routed to `web:80` · free from 2026-01-12 · `leases\/shop\/old\.yaml:3` \(before\)$/m,
  );
  expect(markdown).not.toContain('address is lost');
});

test('a plan cautions that a hostname stays when its Service is released', async () => {
  const { run, commit } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    'leases/shop/service.yaml': serviceText('web'),
    'leases/shop/web.yaml': hostnameText('shop.example.com'),
  });
  await run('release', 'shop/web', '--today', '2026-01-05');
  commit('2026-01-05');

  const { out } = await run('plan', '--base', 'HEAD~1');

  expect(out).toContain(
    'ROUTE_CUT the hostname shop.example.com of namespace shop is routed to web:80, but this Service is no longer declared (leases/shop/web.yaml:3)',
  );
});

test('a plan cautions when hostnames are kept for a shorter time, or not at all', async () => {
  const { run, put, synth } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    'leases/shop/web.yaml': hostnameText('shop.example.com'),
  });
  const cautionsSince = async () => {
    const { out } = await run('plan', '--base', 'HEAD~1', '-o', 'json');
    return (JSON.parse(out) as Plan).cautions.map(({ code, message }) => `${code} ${message}`);
  };
  put('leases/pools.yaml', routedPoolText.replace('retentionDays: 7', 'retentionDays: 0'));
  await synth('2026-01-05');
  expect(await cautionsSince()).toContain(
    'RETENTION_SHORTENED shop.example.com would be kept 0 days after its release instead of 7',
  );
  await synth('2026-02-05');
  put('leases/shop/web.yaml', '');
  await synth('2026-02-06');
  expect(await cautionsSince()).toContain(
    'RETENTION_NONE hostnames have no retention: any namespace can get shop.example.com on the day of release',
  );
});

test.each([
  ['routes: { kind: Ingress, className: other }', ['IngressClass other']],
  [
    'routes: { kind: HTTPRoute, gateway: { namespace: gateways, name: public } }',
    ['Gateway gateways/public'],
  ],
  ['routes: { kind: Ingress, className: nginx, service: { namespace: ingress, name: web } }', []],
])('a plan cautions once for a cluster whose hostnames all move: %s', async (routes, moves) => {
  const { run, put, synth } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    'leases/shop/old.yaml': hostnameText('old.example.com'),
    'leases/shop/web.yaml': hostnameText('shop.example.com'),
    'leases/shop/api.yaml': hostnameText('api.example.com'),
  });
  const before = 'routes: { kind: Ingress, className: nginx }';
  put('leases/pools.yaml', routedPoolText.replace(before, routes));
  put('leases/shop/old.yaml', '');
  put('leases/shop/new.yaml', hostnameText('new.example.com'));
  await synth('2026-01-05');

  const { out } = await run('plan', '--base', 'HEAD~1', '-o', 'json');

  const { cautions } = JSON.parse(out) as Plan;
  expect(cautions.filter(({ code }) => code === 'ROUTES_MOVED')).toEqual(
    moves.map((to) => ({
      code: 'ROUTES_MOVED',
      message: `2 hostnames of cluster default move from IngressClass nginx to ${to}`,
      at: { side: 'head', file: 'leases/pools.yaml', line: 3 },
    })),
  );
});

test('a plan cautions when a hostname goes to the folder of another tenant', async () => {
  const { run, put, synth } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    'leases/policy.yaml': `${policyHead}${tenantsText({ ann: 'namespaces: [shop]', bob: 'namespaces: [shop]' })}`,
    'leases/ann/web.yaml': hostnameText('shop.example.com'),
  });
  put('leases/ann/web.yaml', '');
  put('leases/bob/web.yaml', hostnameText('shop.example.com'));
  await synth('2026-01-05');

  const { out } = await run('plan', '--base', 'HEAD~1', '-o', 'json');

  const { cautions } = JSON.parse(out) as Plan;
  expect(cautions.map(({ code, message }) => `${code} ${message}`)).toContain(
    'TENANT_CHANGED a declaration moves from leases/ann/web.yaml of tenant ann to leases/bob/web.yaml of tenant bob',
  );
});

test('a pull request cannot allow its own hostname', async () => {
  const allowing = (hostnames: string) =>
    `${policyHead}${tenantsText({ ann: `namespaces: [shop], hostnames: [${hostnames}]` })}`;
  const { run, put, synth } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    'leases/policy.yaml': allowing('shop.example.com'),
    'leases/ann/web.yaml': hostnameText('shop.example.com'),
  });
  put('leases/policy.yaml', allowing('shop.example.com, api.example.com'));
  put('leases/ann/api.yaml', hostnameText('api.example.com'));
  await synth('2026-01-05');

  const { status, out } = await run('check', '--base', 'HEAD~1');

  expect([status, out.match(/POLICY_REFUSED .*/g)]).toEqual([
    1,
    [expect.stringContaining('hostname shop.example.com only, but Hostname api.example.com')],
  ]);
});

test("a hostname goes to the next lease of its owner without a retention, and to no other owner's", async () => {
  const { run, put, synth, repository } = await remadeCheckout({
    '.gitignore': '.leasehold/\n',
    'leases/pools.yaml': routedPoolText,
    'leases/shop/one.yaml': leaseHostText('1', 'shop.example.com, old.example.com'),
  });
  put('leases/shop/one.yaml', leaseHostText('1', 'old.example.com'));
  put('leases/shop/two.yaml', leaseHostText('2', 'shop.example.com'));
  await synth('2026-01-05');
  const { out, err } = await run('plan', '--base', 'HEAD~1', '-o', 'json');
  const { hostnames = [] } = JSON.parse(out) as Plan;
  const changes = hostnames.map(({ hostname, change, details }) => [hostname, change, details]);
  expect(changes, err).toEqual([
    [
      'shop.example.com',
      'updated',
      ['routed to web:80 of lease 1/1/1 → routed to web:80 of lease 2/1/1'],
    ],
  ]);
  expect((await run('check', '--base', 'HEAD~1')).status).toBe(0);

  put('leases/shop/two.yaml', '');
  put('leases/blog/three.yaml', leaseHostText('3', 'shop.example.com', bob));
  repository.git('add', '-A');
  const taken = await run('synth', '--today', '2026-01-06');
  expect(taken.out).toContain('HOSTNAME_TAKEN the hostname shop.example.com is recorded for');
  put('leases/blog/three.yaml', '');
  await synth('2026-01-06');
  put('leases/blog/three.yaml', leaseHostText('3', 'shop.example.com', bob));
  const kept = await run('synth', '--today', '2026-01-07');
  expect(kept.out).toContain(
    'HOSTNAME_KEPT the hostname shop.example.com is kept for akash1h24f…w3c9h until 2026-01-13',
  );
});
