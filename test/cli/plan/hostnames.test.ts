import { expect, test } from 'vitest';
import type { Plan } from '../../../src/features/plan/plan-answer.ts';
import { hostnameText, routedPoolText } from '../../support/declarations/hostname-text.ts';
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

  const { hostnames = [], summary } = JSON.parse(out) as Plan;
  expect(summary).toBe('3 hostnames change.');
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
});

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
    'hostname,state,holder,since,releasedOn,freeFrom,service,port,file\nshop.example.com,held,default/namespace/shop,2026-01-02,,,web,80,leases/shop/web.yaml:3\n',
  );
});
